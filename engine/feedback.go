package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/forms"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// feedback tells the model what it needs to know about a reply in addition to its results.
type feedback struct {
	base         *runBase
	conversation *conversation
	told         int  // number of replies after which the model was told about requests that did not run
	toldEmpty    bool // the model was told that a reply contained no answer
}

// isNeeded reports whether the model must be told something about a reply without requests: it
// fabricated a result, it wrote nothing, or it wrote requests that did not run. It is told about an
// empty reply once in a run. It is told about requests that did not run once, once more if a reply
// contains nothing else, and each time if a person would see an empty answer.
func (f *feedback) isNeeded(iteration *Iteration) bool {
	if len(iteration.Requests) > 0 {
		return false
	}
	if iteration.missed = f.missedRequests(iteration); len(iteration.Reply.Dropped) > 0 {
		return true
	}
	known := slices.ContainsFunc(iteration.missed, func(m missedRequest) bool { return m.method != nil && !f.isForeign(&m.ToolRequest) })
	blank := strings.TrimSpace(iteration.Reply.Text.String()) == "" && len(iteration.missed) > 0
	return blank || f.lacksAnswer(iteration) || known && (f.told == 0 || f.told == 1 && onlyMissed(iteration))
}

// add adds to the results what else the model must know. A note may repeat what the model
// wrote, so it is data: the gate neutralizes it.
func (f *feedback) add(iteration *Iteration, again, last bool) {
	var notes []string
	add := func(id phraseID) { notes = append(notes, phrase(f.base.settings.language(), id)) }
	if len(iteration.Requests) == 0 && len(iteration.Reply.Dropped) > 0 {
		add(phraseFabricated)
	}
	if len(iteration.Requests) > 0 {
		iteration.missed = f.missedRequests(iteration)
	}
	if f.lacksAnswer(iteration) && !last {
		add(phraseEmpty)
		f.toldEmpty = true
	}
	for i := range iteration.missed {
		if last {
			break // the model cannot write them again
		}
		m := &iteration.missed[i]
		name := "a tool" // a name that is not the method's own may be foreign text
		if m.method != nil {
			name = m.method.FullName
		}
		if note := fmt.Sprintf(phrase(f.base.settings.language(), m.reason), name); i < maxExamples && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	insists := f.told > 0 && onlyMissed(iteration)
	if len(iteration.missed) > 0 && !last {
		f.told++
	}
	for _, n := range iteration.Reply.Notices {
		// After a limit the model cannot write them later.
		if n.Code == parser.NoticeUnreadRequests && !last {
			notes = append(notes, fmt.Sprintf(phrase(f.base.settings.language(), phraseUnread), f.base.settings.reading.Limits.Blocks))
		}
	}
	var examples []protocol.ToolRequest
	if !last {
		if again {
			add(phraseRepeated)
		}
		examples = f.correctExamples(iteration, insists)
		if more := len(examples) - maxExamples; more > 0 {
			examples = examples[:maxExamples]
			notes = append(notes, fmt.Sprintf(phrase(f.base.settings.language(), phraseMoreForms), maxExamples, more))
		}
	}
	if len(notes) == 0 && len(examples) == 0 {
		return
	}
	iteration.addNote(strings.Join(notes, "\n\n"), examples)
}

// lacksAnswer reports whether a reply contains neither text nor a request, and the model has not
// been told about such a reply before.
func (f *feedback) lacksAnswer(iteration *Iteration) bool {
	return !f.toldEmpty && len(iteration.Requests) == 0 && len(iteration.Reply.Dropped) == 0 && len(iteration.missed) == 0 &&
		iteration.Reply.Finish.Complete() && strings.TrimSpace(iteration.Reply.Text.String()) == ""
}

// maxExamples is how many requests the feedback on one reply shows.
const maxExamples = 8

// correctExamples returns the model's own requests in the right form: those that could not be read,
// those in a form that is not read here, and quoted ones if quoted is set. A request with wrong
// arguments is shown only if they are right in another place. Nothing is invented, because models
// copy what they are shown. A request that is not complete, or that would be altered, is not shown.
func (f *feedback) correctExamples(iteration *Iteration, quoted bool) (examples []protocol.ToolRequest) {
	add := func(req *protocol.ToolRequest) {
		own, ok := f.base.rewritten(req)
		ok = ok && !f.isForeign(req)
		same := func(e protocol.ToolRequest) bool {
			return e.ToolName == own.ToolName && slices.Equal(e.Arguments, own.Arguments)
		}
		if ok && !slices.ContainsFunc(examples, same) {
			examples = append(examples, own)
		}
	}
	for i := range iteration.missed {
		if m := &iteration.missed[i]; m.reason == phraseOtherForm || m.reason == phraseEscaped || quoted && m.reason == phraseQuoted {
			add(&m.ToolRequest)
		}
	}
	for i := range iteration.Results {
		result, written := &iteration.Results[i], &iteration.Requests[i]
		wrong := result.ErrorType == executor.ErrorInvalidArguments
		if result.CallID != "" || !wrong && result.ErrorType != executor.ErrorMalformedRequest {
			continue
		}
		text := iteration.written(written.ID)
		for _, req := range slices.Concat(forms.Loose(text), escapedRequests(f.base.settings.protocol, text)) {
			// A value may contain a request for another method.
			if meant := f.base.session.view.method(&written.ToolRequest); meant != nil && f.base.session.view.method(&req) != meant {
				continue
			}
			// Wrong arguments in the right form would be as wrong as before.
			if own, ok := f.base.rewritten(&req); ok && (!wrong || executor.Accepts(f.base.session.view.method(&own), own)) {
				add(&req)
			}
		}
	}
	return examples
}

// stillRequests reports whether the last reply requests tools, although none are available in it. A
// request that did not run because of its place or form counts if a person would see an empty
// answer.
func (f *feedback) stillRequests(iteration *Iteration) bool {
	blank := strings.TrimSpace(iteration.Reply.Text.String()) == ""
	return len(iteration.Requests) > 0 || blank && (len(iteration.Reply.Dropped) > 0 || len(f.missedRequests(iteration)) > 0)
}

// missedRequests returns the requests of a reply that did not run because of their place or form.
func (f *feedback) missedRequests(iteration *Iteration) []missedRequest {
	return f.base.session.view.missedRequests(f.base.settings.protocol, iteration)
}

// isForeign reports whether the model may have copied a request from foreign text.
func (f *feedback) isForeign(req *protocol.ToolRequest) bool {
	return f.base.fromForeignText(f.conversation.foreign, req)
}
