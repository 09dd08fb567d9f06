package demomodel

import (
	"encoding/json"
	"log/slog"
	"strings"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// readable is a protocol that reads definitions and results, too.
type readable interface {
	protocol.Protocol
	protocol.Reader
}

// A conversation is the part of the messages that the planner uses.
type conversation struct {
	definitions []protocol.ToolDefinition
	question    string // the last question
	iterations  []iteration
}

// An iteration is the requests of a reply after the question, and one result for each.
type iteration struct {
	requests []protocol.ToolRequest
	results  []protocol.ToolResult
}

// read finds definitions, the question and its results. A user's message without results is a
// question, because the engine adds its remarks to the message with the results.
func read(p readable, messages []protocol.Message) (c conversation) {
	var pending []protocol.ToolRequest // of the last reply, until its results come
	for _, m := range messages {
		switch m.Role {
		case protocol.RoleUser:
			results, _ := p.ParseToolResults(m.Content)
			switch text := strings.TrimSpace(m.Content); {
			case len(results) > 0 && c.question != "":
				if len(pending) != len(results) { // the results belong to other requests, of which they have only the names
					pending = nil
					for _, r := range results {
						pending = append(pending, protocol.ToolRequest{ToolName: r.ToolName})
					}
				}
				c.iterations = append(c.iterations, iteration{pending, results})
			case len(results) == 0 && text != "":
				c.question, c.iterations = text, nil
			}
			pending = nil
		case protocol.RoleAssistant:
			pending = requestsOf(p, m.Content)
		default:
			found, _ := p.ParseToolDefinitions(m.Content)
			c.definitions = append(c.definitions, found...)
		}
	}
	return c
}

// requestsOf reads the requests of a reply that get a result, including the invalid ones.
func requestsOf(p protocol.Protocol, text string) []protocol.ToolRequest {
	// If the protocol fails, the reply is all text.
	reply, _ := parser.ParseToolRequests(p, text, parser.Options{Finish: protocol.FinishStop, Logger: slog.New(slog.DiscardHandler)})
	var requests []protocol.ToolRequest
	for _, q := range reply.Requests {
		if q.Status == parser.StatusReady || q.Status == parser.StatusInvalid {
			for i, a := range q.Arguments {
				if a.Form == protocol.FormJSON {
					q.Arguments[i].Value = orderedjson.NonNullText(json.RawMessage(a.Value))
				}
			}
			requests = append(requests, q.ToolRequest)
		}
	}
	return requests
}
