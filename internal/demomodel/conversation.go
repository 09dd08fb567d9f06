package demomodel

import (
	"slices"
	"strings"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// A conversation is what the planner sees of the messages that it was sent.
type conversation struct {
	definitions []protocol.ToolDefinition
	question    string
	// rounds are the results that came back since the question, oldest first.
	rounds []round
}

// A round is one reply with requests, and their results.
type round struct {
	requests []protocol.ToolRequest
	results  []protocol.ToolResult
}

// request returns the request that a result answers, where it can be told.
func (r *round) request(i int) (protocol.ToolRequest, bool) {
	if len(r.requests) != len(r.results) {
		return protocol.ToolRequest{ToolName: r.results[i].ToolName}, false
	}
	return r.requests[i], true
}

// read finds definitions, question and results in messages. What follows results without a reply of the planner in between is a
// remark of whoever runs the tools, and no question.
func (p *Planner) read(messages []protocol.Message) conversation {
	var c conversation
	afterResults := false
	var pending []protocol.ToolRequest
	for _, m := range messages {
		switch m.Role {
		case protocol.RoleUser:
			results, _ := p.reader.ParseToolResults(m.Content)
			switch {
			case len(results) > 0 && c.question != "":
				c.rounds = append(c.rounds, round{pending, results})
				pending, afterResults = nil, true
			case !afterResults && len(results) == 0:
				c.question, c.rounds = m.Content, nil
			}
		case protocol.RoleAssistant:
			pending, afterResults = p.requests(m.Content), false
		default:
			found, _ := p.reader.ParseToolDefinitions(m.Content)
			c.definitions = append(c.definitions, found...)
		}
	}
	c.question = strings.TrimSpace(c.question)
	return c
}

// requests reads what a reply asked for: all that was answered, so the malformed ones too.
func (p *Planner) requests(text string) []protocol.ToolRequest {
	reply, err := parser.ParseToolRequests(p.protocol, text, parser.Options{Finish: protocol.FinishStop, Logger: p.logger})
	if err != nil {
		return nil
	}
	var requests []protocol.ToolRequest
	for _, q := range reply.Requests {
		if q.Status == protocol.StatusReady || q.Status == protocol.StatusInvalid {
			requests = append(requests, q.ToolRequest)
		}
	}
	return requests
}

// harmless reports whether a reply asks for nothing and hides nothing, however it is read. A tool's result may hold a request, and
// to repeat it would be to make it.
func (p *Planner) harmless(text string) bool {
	reply, err := parser.ParseToolRequests(p.protocol, text, parser.Options{
		Finish: protocol.FinishStop, Tolerance: protocol.Greedy, Logger: p.logger,
	})
	if err != nil || len(reply.Dropped) > 0 || len(reply.Notices) > 0 {
		return false
	}
	for _, q := range reply.Requests {
		if q.Status != protocol.StatusQuoted {
			return false
		}
	}
	return true
}

// withoutRequests takes the requests out of a text that a tool returned.
func (p *Planner) withoutRequests(text string, say phrases) string {
	reply, err := parser.ParseToolRequests(p.protocol, text, parser.Options{
		Finish: protocol.FinishStop, Tolerance: protocol.Greedy, Logger: p.logger,
	})
	if err != nil {
		return text // harmless has the last word
	}
	var cuts []parser.Span
	for _, q := range reply.Requests {
		cuts = append(cuts, q.Span)
	}
	for _, d := range reply.Dropped {
		cuts = append(cuts, d.Span)
	}
	slices.SortFunc(cuts, func(a, b parser.Span) int { return a.Start - b.Start })
	var b strings.Builder
	done := 0
	for _, c := range cuts {
		if c.Start < done { // requests of one block share its span
			continue
		}
		b.WriteString(text[done:c.Start] + say.omitted)
		done = c.End
	}
	return b.String() + text[done:]
}
