package engine

import (
	"slices"
	"strings"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/forms"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// feedback tells the model what it needs to know about a reply in addition to its results. It says
// nothing about a request that the model may have copied from foreign text.
type feedback struct {
	base          *runBase
	conversation  *runConversation
	foreign       foreignTexts // the foreign texts of conversation
	definitions   *markedTexts // of the methods that are visible now; nil until they are needed
	seenUnrun     bool         // an earlier reply contained requests that did not run because of their place or form
	toldEmpty     bool         // the model was told that a reply contained no answer
	toldAnnounced bool         // the model was told that a reply only announced a step
}

// isNeeded reports whether the model must be told something about a reply without requests. It must
// be told if it fabricated a result, wrote nothing, only announced a step, or wrote requests that
// did not run. The first empty reply of a run counts, and the first announcement. The first reply
// with requests that did not run counts, too. Later replies with such requests count only if they
// contain nothing else; loop detection limits their number.
func (f *feedback) isNeeded(iteration *Iteration) bool {
	if len(iteration.Requests) > 0 {
		return false
	}
	if iteration.missed = f.missedRequests(iteration); len(iteration.Reply.Dropped) > 0 {
		return true
	}
	if iteration.isBlank() && len(iteration.missed) > 0 || f.lacksAnswer(iteration) || f.onlyAnnounces(iteration) {
		return true
	}
	mayBeCorrected := func(m missedRequest) bool { return m.method != nil && !m.foreign }
	return slices.ContainsFunc(iteration.missed, mayBeCorrected) && (!f.seenUnrun || onlyMissed(iteration))
}

// add adds notes and examples of correct requests to the message with the results. repeated means
// that the model made the same calls as in its previous reply and got the same results. toolsOver
// means that the model has no more replies with tools, so it cannot correct a request. A note may
// repeat what the model wrote, so it is data, which renderer.render neutralizes.
func (f *feedback) add(iteration *Iteration, repeated, toolsOver bool) {
	var notes []string
	if len(iteration.Requests) == 0 && len(iteration.Reply.Dropped) > 0 {
		notes = append(notes, f.phrase(phraseFabricated))
	}
	if len(iteration.Requests) > 0 {
		iteration.missed = f.missedRequests(iteration)
	}
	var examples []protocol.ToolRequest
	if !toolsOver {
		notes = append(notes, f.notesOnReply(iteration)...)
		showQuoted := f.seenUnrun && onlyMissed(iteration) // then the model means the quoted requests
		f.seenUnrun = f.seenUnrun || len(iteration.missed) > 0
		if repeated {
			notes = append(notes, f.phrase(phraseRepeated))
		}
		examples = f.correctExamples(iteration, showQuoted)
		if len(examples) > maxExamples {
			notes = append(notes, f.noteOnMore(examples[maxExamples:]))
			examples = examples[:maxExamples]
		}
	}
	if len(notes) == 0 && len(examples) == 0 {
		return
	}
	iteration.addNote(strings.Join(notes, "\n\n"), examples)
}

// phrase returns a sentence in the language of the prompt, with its values.
func (f *feedback) phrase(p phrase, values ...any) string {
	return p.in(f.base.settings.language(), values...)
}

// notesOnReply returns notes on what a reply lacks, on requests that did not run, and on requests
// that were not read.
func (f *feedback) notesOnReply(iteration *Iteration) (notes []string) {
	if p, lacks := f.lack(iteration); lacks {
		notes = append(notes, f.phrase(p))
	}
	ownMissed := iteration.ownMissed()
	for _, m := range ownMissed[:min(len(ownMissed), maxExamples)] {
		name := f.phrase(phraseSomeTool) // a name that is not the method's own may be foreign text
		if m.method != nil {
			name = m.method.FullName
		}
		if note := f.phrase(m.reason, name); !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	for _, n := range iteration.Reply.Notices {
		if n.Code == parser.NoticeUnreadRequests {
			notes = append(notes, f.phrase(phraseUnread, f.base.settings.reading.Limits.Blocks))
		}
	}
	return notes
}

// lack returns what a reply lacks, and false if it lacks nothing or the model was told before.
// After lack, the model counts as told.
func (f *feedback) lack(iteration *Iteration) (p phrase, lacks bool) {
	switch {
	case f.onlyAnnounces(iteration):
		f.toldAnnounced = true
		return phraseAnnounced, true
	case f.lacksAnswer(iteration),
		iteration.isBlank() && len(iteration.missed) > 0 && len(iteration.ownMissed()) == 0:
		f.toldEmpty = true
		return phraseEmpty, true
	}
	return p, false
}

// maxExamples limits the requests that the feedback on one reply shows in the correct form.
// maxForms limits those that it shows or only names.
const (
	maxExamples = 8
	maxForms    = 64
)

// noteOnMore returns a note that names the requests whose correct form is not shown.
func (f *feedback) noteOnMore(more []protocol.ToolRequest) string {
	list := make([]string, 0, len(more))
	for i := range more {
		list = append(list, summary(&more[i]))
	}
	return f.phrase(phraseMoreForms, maxExamples, len(more)) + "\n" + strings.Join(list, "\n")
}

// summary returns the name of a request with its arguments, as in "weather_get: city=Rome". A long
// value and a long summary are shortened.
func summary(req *protocol.ToolRequest) string {
	const maxValue, maxSummary = 80, 240 // in bytes, as for the arguments that distinguish results (package executor)
	parts := make([]string, 0, len(req.Arguments))
	for _, a := range req.Arguments {
		parts = append(parts, a.Name+"="+text.TruncateBytes(text.OneLine(a.Value), maxValue))
	}
	if len(parts) == 0 {
		return req.ToolName
	}
	return text.Valid(text.TruncateBytes(req.ToolName+": "+strings.Join(parts, ", "), maxSummary))
}

// lacksAnswer reports whether a reply contains neither text nor a request, and the model has not
// been told about such a reply before.
func (f *feedback) lacksAnswer(iteration *Iteration) bool {
	return !f.toldEmpty && f.isPlain(iteration) && iteration.isBlank()
}

// onlyAnnounces reports whether a reply contains nothing but the announcement of a step, although
// the model sees tools, and the model has not been told about such a reply before.
func (f *feedback) onlyAnnounces(iteration *Iteration) bool {
	return !f.toldAnnounced && f.isPlain(iteration) && isAnnouncement(iteration.Reply.Text.String()) &&
		len(f.base.session.view.methods(f.base.settings)) > 0
}

// isPlain reports whether a reply is complete and contains nothing that was meant as a request or a
// result.
func (f *feedback) isPlain(iteration *Iteration) bool {
	return len(iteration.Requests) == 0 && len(iteration.Reply.Dropped) == 0 && len(iteration.missed) == 0 &&
		iteration.Reply.Finish.Complete()
}

// correctExamples returns the model's own requests in the correct form: those that could not be
// read, those in a form that this protocol does not read, those with escaped marks, and quoted ones
// if showQuoted is set. If the arguments were wrong, the block is read again in other forms, and a
// request in it is shown only if the method accepts its arguments. Values are never invented,
// because models copy what they are shown. A request is not shown if it is incomplete or if an
// argument would be omitted.
func (f *feedback) correctExamples(iteration *Iteration, showQuoted bool) (examples []protocol.ToolRequest) {
	isFull := func() bool { return len(examples) == maxForms || f.base.ctx.Err() != nil }
	add := func(req *protocol.ToolRequest) {
		if isFull() {
			return
		}
		corrected, ok := f.base.correctForm(req)
		ok = ok && !f.isForeign(req)
		same := func(e protocol.ToolRequest) bool {
			return e.ToolName == corrected.ToolName && slices.Equal(e.Arguments, corrected.Arguments)
		}
		if ok && !slices.ContainsFunc(examples, same) {
			examples = append(examples, corrected)
		}
	}
	for i := range iteration.missed {
		switch m := &iteration.missed[i]; {
		case m.reason == phraseOtherForm, m.reason == phraseEscaped, showQuoted && m.reason == phraseQuoted,
			m.reason == phraseUnknownForm && len(m.Arguments) > 0:
			add(&m.ToolRequest)
		}
	}
	for i := range iteration.Results {
		result, written := &iteration.Results[i], &iteration.Requests[i]
		wrongArguments := result.ErrorType == executor.ErrorInvalidArguments
		if result.CallID != "" || !wrongArguments && result.ErrorType != executor.ErrorMalformedRequest {
			continue // a native call has no form to correct, and other errors are not about the form
		}
		block := iteration.requestText(written.ID)
		read := slices.Concat(forms.Loose(block), escapedRequests(f.base.settings.protocol, block))
		for _, call := range forms.CodeCalls(block) {
			read = append(read, call)
		}
		for _, req := range read {
			if isFull() {
				return examples
			}
			// A value may contain a request for another method.
			view := &f.base.session.view
			if meant := view.method(&written.ToolRequest); meant != nil && view.method(&req) != meant {
				continue
			}
			// An example with arguments that the method refuses would not help.
			if corrected, ok := f.base.correctForm(&req); ok && (!wrongArguments || executor.Accepts(view.method(&corrected), corrected)) {
				add(&req)
			}
		}
	}
	return examples
}

// stillRequests reports whether a reply requests tools. It is called for a reply in which no tools
// are available. A fabricated result, or a request that did not run because of its place or form,
// counts if a person would see an empty reply.
func (f *feedback) stillRequests(iteration *Iteration) bool {
	return len(iteration.Requests) > 0 ||
		iteration.isBlank() && (len(iteration.Reply.Dropped) > 0 || len(f.missedRequests(iteration)) > 0)
}

// missedRequests returns the requests of a reply that did not run because of their place or form.
func (f *feedback) missedRequests(iteration *Iteration) []missedRequest {
	f.definitions = nil // since the last reply, other methods may have become visible
	list := f.base.session.view.missedRequests(f.base.ctx, f.base.settings.protocol, iteration)
	for i := range list {
		if m := &list[i]; f.base.ctx.Err() != nil {
			m.foreign = true // the run ends, and the model is told nothing
		} else if m.method != nil {
			// The values in an unknown form cannot be compared with foreign text.
			m.foreign = f.isForeign(&m.ToolRequest) ||
				m.reason == phraseUnknownForm && f.foreign.names.Contains(m.method.FullName)
		}
	}
	return list
}

// isForeign reports whether the model may have copied a request from foreign text.
func (f *feedback) isForeign(req *protocol.ToolRequest) bool {
	f.foreign.read(f.conversation.foreign)
	if f.definitions == nil {
		f.definitions = f.base.findMarkedTexts()
	}
	return f.base.mayBeForeign(&f.foreign, f.definitions, req)
}
