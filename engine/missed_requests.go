package engine

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/forms"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// missedRequests returns the requests of a reply that did not run because of their place or form.
func (v *view) missedRequests(p protocol.Protocol, iteration *Iteration) (list []missedRequest) {
	reply := &iteration.Reply
	for _, n := range reply.Notices {
		switch n.Code {
		case parser.NoticeUnrunRequest:
			i := slices.IndexFunc(reply.Requests, func(q parser.Request) bool { return q.Span == n.Span })
			if i < 0 {
				continue
			}
			m := missedRequest{reason: phraseQuoted, ToolRequest: reply.Requests[i].ToolRequest, written: reply.Requests[i].RawBlock}
			if reply.Requests[i].Status == parser.StatusReasoning {
				m.reason = phraseInReasoning
			}
			if m.method = v.method(&m.ToolRequest); m.method == nil {
				if other := v.addOtherForm(list, m.written); len(other) > len(list) { // the body is wrong, too
					list = other
					continue
				}
			}
			list = append(list, m)
		case parser.NoticeForeignRequest:
			if n.Span.Start <= n.Span.End && n.Span.End <= len(iteration.Raw) {
				list = v.addOtherForm(list, iteration.Raw[n.Span.Start:n.Span.End])
			}
		}
	}
	if len(list) == 0 && len(reply.Requests) == 0 && !iteration.protocolFailed {
		text := reply.Text.String()
		if strings.TrimSpace(text) == "" {
			return v.inReasoning(p, iteration.Reasoning)
		}
		for block := range fencedBlocks(text) {
			list = v.addOtherForm(list, block)
		}
		for _, block := range forms.Marked(text) {
			list = v.addEscaped(v.addOtherForm(list, block), p, block)
		}
		if len(list) == 0 {
			list = v.addEscaped(list, p, text)
		}
		if len(list) == 0 {
			list = v.codeCalls(text)
		}
		if len(list) == 0 && len(iteration.Requests) == 0 {
			list = v.unknownForm(text)
		}
	}
	return list
}

// inReasoning returns the requests in the reasoning that a server sends apart from the reply.
func (v *view) inReasoning(p protocol.Protocol, reasoning string) (list []missedRequest) {
	for _, req := range readRequests(p, reasoning) {
		if method := v.method(&req); method != nil {
			list = append(list, missedRequest{ToolRequest: req, reason: phraseInReasoning, method: method})
		}
	}
	return list
}

// codeCalls returns the requests that a text writes as code.
func (v *view) codeCalls(text string) (list []missedRequest) {
	for written, req := range forms.CodeCalls(text) {
		if method := v.method(&req); method != nil {
			list = append(list, missedRequest{ToolRequest: req, written: written, reason: phraseOtherForm, method: method})
		}
	}
	return list
}

// addOtherForm adds the requests in a text that is written in a form that is not read.
func (v *view) addOtherForm(list []missedRequest, text string) []missedRequest {
	for _, req := range forms.Loose(text) {
		if method := v.method(&req); method != nil {
			list = append(list, missedRequest{ToolRequest: req, written: text, reason: phraseOtherForm, method: method})
		}
	}
	return list
}

// onlyMissed reports whether a reply contains nothing but requests that did not run, with the
// fences or the quotation around them, and announcements.
func onlyMissed(iteration *Iteration) bool {
	rest := iteration.Reply.Text.String()
	for i := range iteration.missed {
		rest = strings.Replace(rest, iteration.missed[i].written, "", 1)
	}
	for line := range strings.Lines(rest) {
		line = strings.Trim(line, " \t\r\n>")
		if line != "" && !isFenceLine(line) && !isAnnouncement(line) {
			return false
		}
	}
	return len(iteration.missed) > 0
}

// fencedBlocks yields the contents of code fences that are one JSON object.
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

// addEscaped adds the requests in a text whose marks are escaped.
func (v *view) addEscaped(list []missedRequest, p protocol.Protocol, text string) []missedRequest {
	for _, req := range escapedRequests(p, text) {
		if method := v.method(&req); method != nil {
			list = append(list, missedRequest{ToolRequest: req, reason: phraseEscaped, method: method})
		}
	}
	return list
}
