package engine

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/forms"
	"github.com/vcpgo/vcp/internal/work"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// maxMissed limits how many missed requests of one reply are listed: requests that did not run
// because of their place or form. maxExamined limits the parts of a reply in which they are
// searched for, such as fenced blocks. The rest of the reply counts as text.
const (
	maxMissed   = 64
	maxExamined = 1024
)

// missedRequests returns the first requests of a reply that did not run because of their place or
// form. It returns fewer if the context ends.
func (v *view) missedRequests(ctx context.Context, p protocol.Protocol, iteration *Iteration) []missedRequest {
	s := missedSearch{view: v, ctx: ctx, protocol: p}
	reply := &iteration.Reply
	for _, n := range reply.Notices {
		if !s.next() {
			return s.list
		}
		switch n.Code {
		case parser.NoticeUnrunRequest:
			i := slices.IndexFunc(reply.Requests, func(q parser.Request) bool { return q.Span == n.Span })
			if i >= 0 {
				s.addUnrun(&reply.Requests[i])
			}
		case parser.NoticeForeignRequest:
			if n.Span.Start <= n.Span.End && n.Span.End <= len(iteration.Raw) {
				s.addOtherForm(iteration.Raw[n.Span.Start:n.Span.End])
			}
		}
	}
	if len(s.list) > 0 || len(reply.Requests) > 0 || iteration.protocolFailed {
		return s.list
	}
	text := reply.Text.String()
	if strings.TrimSpace(text) == "" {
		s.addAll(readRequests(p, iteration.Reasoning), "", phraseInReasoning)
		return s.list
	}
	for block := range fencedBlocks(text) {
		if !s.next() {
			return s.list
		}
		s.addOtherForm(block)
	}
	for _, block := range forms.Marked(text) {
		s.addOtherForm(block)
		s.addAll(escapedRequests(p, block), "", phraseEscaped)
	}
	if len(s.list) == 0 {
		s.addAll(escapedRequests(p, text), "", phraseEscaped)
	}
	if len(s.list) == 0 {
		for written, req := range forms.CodeCalls(text) {
			if !s.next() {
				return s.list
			}
			s.add(&req, written, phraseOtherForm)
		}
	}
	if len(s.list) == 0 && len(iteration.Requests) == 0 {
		return v.unknownForm(text)
	}
	return s.list
}

// missedSearch searches one reply for requests that did not run.
type missedSearch struct {
	*view
	ctx      context.Context
	protocol protocol.Protocol
	list     []missedRequest // found so far
	examined int             // number of parts of the reply
}

// next counts a part of the reply, and reports whether it must be examined: the limits are not
// reached and the context has not ended.
func (s *missedSearch) next() bool {
	s.examined++
	return s.examined <= maxExamined && len(s.list) < maxMissed && s.ctx.Err() == nil
}

// add adds a request if it names a visible method. written is its text in the reply, or "" if that
// is not known.
func (s *missedSearch) add(req *protocol.ToolRequest, written string, reason phrase) {
	if len(s.list) == maxMissed {
		return
	}
	if method := s.method(req); method != nil {
		s.list = append(s.list, missedRequest{ToolRequest: *req, written: written, reason: reason, method: method})
	}
}

func (s *missedSearch) addAll(list []protocol.ToolRequest, written string, reason phrase) {
	for i := 0; i < len(list) && s.next(); i++ {
		s.add(&list[i], written, reason)
	}
}

// addOtherForm adds the requests in a text that are written in a form that the protocol does not
// read.
func (s *missedSearch) addOtherForm(text string) { s.addAll(forms.Loose(text), text, phraseOtherForm) }

// addUnrun adds a request that the parser read and that did not run because of its place.
func (s *missedSearch) addUnrun(req *parser.Request) {
	m := missedRequest{reason: phraseQuoted, ToolRequest: req.ToolRequest, written: req.RawBlock}
	if req.Status == parser.StatusReasoning {
		m.reason = phraseInReasoning
	}
	if m.method = s.method(&m.ToolRequest); m.method == nil {
		count := len(s.list)
		if s.addOtherForm(m.written); len(s.list) > count { // its form is wrong, too
			return
		}
	}
	s.list = append(s.list, m)
}

// onlyMissed reports whether a reply contains nothing but requests that did not run, the marks of
// fenced code and blockquotes around them, and announcements. If there are maxMissed such requests,
// the text after the last one is ignored, because more requests may follow.
func onlyMissed(iteration *Iteration) bool {
	rest := iteration.Reply.Text.String()
	var spans []parser.Span
	at := 0  // the end of the request found most recently
	end := 0 // the largest end of a request found so far
	for i := range iteration.missed {
		written := iteration.missed[i].written
		start := at + strings.Index(rest[at:], written)
		if start < at { // the requests are not in order
			work.Add(len(rest))
			start = strings.Index(rest, written)
		}
		if start >= 0 && written != "" {
			at = start + len(written)
			end = max(end, at)
			spans = append(spans, parser.Span{Start: start, End: at})
		}
	}
	if len(iteration.missed) == maxMissed && end > 0 {
		rest = rest[:end]
	}
	rest = omitSpans(rest, spans)
	for line := range strings.Lines(rest) {
		line = strings.Trim(line, " \t\r\n>")
		if line != "" && !isFenceLine(line) && !isAnnouncement(line) {
			return false
		}
	}
	return len(iteration.missed) > 0
}

// fencedBlocks yields the content of each block of code between ``` marks that is one JSON object.
func fencedBlocks(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for more := true; more; {
			_, after, ok := strings.Cut(text, "```")
			block, rest, closed := strings.Cut(after, "```")
			_, body, _ := strings.Cut(block, "\n")
			body = strings.TrimSpace(body)
			if strings.HasPrefix(body, "{") && json.Valid([]byte(body)) && !yield(body) {
				return
			}
			text, more = rest, ok && closed
		}
	}
}
