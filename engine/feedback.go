package engine

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/forms"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// needsFeedback reports whether the model must be told something about a reply without requests. It
// fabricated a result, or it wrote requests that did not run. It is told of those once, and again
// only if a person would see an empty answer.
func (r *run) needsFeedback(turn *Turn) bool {
	if len(turn.Requests) > 0 {
		return false
	}
	if turn.missed = r.missedRequests(turn); len(turn.Reply.Dropped) > 0 {
		return true
	}
	known := slices.ContainsFunc(turn.missed, func(m missedRequest) bool { return m.method != nil && !r.fromForeignText(&m.ToolRequest) })
	return known && !r.told || strings.TrimSpace(turn.Reply.Text.String()) == "" && len(turn.missed) > 0
}

// missedRequests returns the requests of a reply that did not run because of their place or form.
func (r *run) missedRequests(turn *Turn) (list []missedRequest) {
	reply := &turn.Reply
	for _, n := range reply.Notices {
		switch n.Code {
		case parser.NoticeUnrunRequest:
			i := slices.IndexFunc(reply.Requests, func(q parser.Request) bool { return q.Span == n.Span })
			if i < 0 {
				continue
			}
			m := missedRequest{reason: phraseQuoted, ToolRequest: reply.Requests[i].ToolRequest}
			if reply.Requests[i].Status == parser.StatusReasoning {
				m.reason = phraseInReasoning
			}
			m.method = r.method(&m.ToolRequest)
			list = append(list, m)
		case parser.NoticeForeignRequest:
			if n.Span.Start <= n.Span.End && n.Span.End <= len(turn.Raw) {
				list = r.addOtherForm(list, turn.Raw[n.Span.Start:n.Span.End])
			}
		}
	}
	if len(list) == 0 && len(reply.Requests) == 0 && !r.reader.failed {
		text := reply.Text.String()
		for block := range fencedBlocks(text) {
			list = r.addOtherForm(list, block)
		}
		for _, block := range forms.Marked(text) {
			list = r.addOtherForm(list, block)
		}
	}
	return list
}

// addOtherForm adds the requests in a text that is written in a form that is not read.
func (r *run) addOtherForm(list []missedRequest, text string) []missedRequest {
	for _, req := range forms.Loose(text) {
		if method := r.method(&req); method != nil {
			list = append(list, missedRequest{ToolRequest: req, reason: phraseOtherForm, method: method})
		}
	}
	return list
}

// fencedBlocks yields what stands in code fences and is one JSON object.
func fencedBlocks(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for more := true; more; {
			_, after, ok := strings.Cut(text, "```")
			block, rest, closed := strings.Cut(after, "```")
			_, body, _ := strings.Cut(block, "\n")
			if body = strings.TrimSpace(body); json.Valid([]byte(body)) && strings.HasPrefix(body, "{") && !yield(body) {
				return
			}
			text, more = rest, ok && closed
		}
	}
}

// addFeedback adds to the results what else the model must know. A note may repeat what the model
// wrote, so it is data: the gate neutralizes it.
func (r *run) addFeedback(turn *Turn, again bool) {
	var notes []string
	add := func(id phraseID) { notes = append(notes, phrase(r.settings.language(), id)) }
	if len(turn.Requests) == 0 && len(turn.Reply.Dropped) > 0 {
		add(phraseFabricated)
	}
	if len(turn.Requests) > 0 {
		turn.missed = r.missedRequests(turn)
	}
	for i := range turn.missed {
		if r.limit != "" {
			break // the model cannot write them again
		}
		m := &turn.missed[i]
		name := "a tool" // a name that is not the method's own may be foreign text
		if m.method != nil {
			name = m.method.FullName
		}
		if note := fmt.Sprintf(phrase(r.settings.language(), m.reason), name); i < maxExamples && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
		r.told = true
	}
	for _, n := range turn.Reply.Notices {
		// After a limit the model cannot write them later.
		if n.Code == parser.NoticeUnreadRequests && r.limit == "" {
			notes = append(notes, fmt.Sprintf(phrase(r.settings.language(), phraseUnread), r.settings.reading.Limits.Blocks))
		}
	}
	var examples []protocol.ToolRequest
	if r.limit == "" {
		if again {
			add(phraseRepeated)
		}
		examples = r.correctExamples(turn)
	}
	if len(notes) == 0 && len(examples) == 0 {
		return
	}
	turn.addNote(strings.Join(notes, "\n\n"), examples)
}

// maxExamples is how many requests the feedback on one reply shows.
const maxExamples = 3

// correctExamples returns the model's own requests in the right form: those that could not be read,
// and those in a form that is not read here. Nothing is invented, because models copy what they are
// shown. A request that is not complete, or that would be altered, is not shown.
func (r *run) correctExamples(turn *Turn) (examples []protocol.ToolRequest) {
	add := func(req *protocol.ToolRequest) {
		own, ok := r.rewritten(req)
		ok = ok && !r.fromForeignText(req)
		same := func(e protocol.ToolRequest) bool {
			return e.ToolName == own.ToolName && slices.Equal(e.Arguments, own.Arguments)
		}
		if ok && len(examples) < maxExamples && !slices.ContainsFunc(examples, same) {
			examples = append(examples, own)
		}
	}
	for i := range turn.missed {
		if m := &turn.missed[i]; m.reason == phraseOtherForm {
			add(&m.ToolRequest)
		}
	}
	for i := range turn.Results {
		result, written := &turn.Results[i], &turn.Requests[i]
		wrong := result.ErrorType == executor.ErrorInvalidArguments
		if result.CallID != "" || !wrong && result.ErrorType != executor.ErrorMalformedRequest {
			continue
		}
		for _, req := range forms.Loose(turn.written(written.ID)) {
			// A value may contain a request for another method.
			if meant := r.method(&written.ToolRequest); meant != nil && r.method(&req) != meant {
				continue
			}
			// The same arguments would be as wrong as before.
			own, ok := r.rewritten(&req)
			if same := func(a, b protocol.Argument) bool { return a.Name == b.Name }; ok && !(wrong && slices.EqualFunc(own.Arguments, written.Arguments, same)) {
				add(&req)
			}
		}
	}
	return examples
}

// containsMarks reports whether a text of a tool contains marks, so that a request must not contain
// it unchanged.
func (r *run) containsMarks(text string) bool { return r.settings.protocol.Neutralize(text) != text }
