package demomodel

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// A Planner writes the replies of the demo model. It has no state and is safe for concurrent use.
type Planner struct {
	protocol protocol.Protocol
	reader   protocol.Reader
}

// NewPlanner returns a planner that reads and writes a protocol, which must be a protocol.Reader
// too.
func NewPlanner(p protocol.Protocol) (*Planner, error) {
	if p == nil {
		return nil, errors.New("demomodel: a protocol is needed")
	}
	if reader, ok := p.(protocol.Reader); ok {
		return &Planner{p, reader}, nil
	}
	return nil, fmt.Errorf("demomodel: protocol %q cannot be used: it reads neither definitions nor results (protocol.Reader)", p.ID())
}

// Reply returns the whole reply to a conversation. The same messages get the same reply.
func (p *Planner) Reply(messages []protocol.Message) string {
	c := p.read(messages)
	say := phrasesFor(c.question)
	switch {
	case c.question == "":
		return say.noQuestion
	case len(c.iterations) > 0:
		if len(c.iterations) == 1 && len(c.definitions) > 0 {
			if retry := p.write(say.retry, retries(c.iterations[0])); retry != "" {
				return retry
			}
		}
		return p.protocol.Neutralize(answer(c, say))
	case len(c.definitions) == 0:
		return fmt.Sprintf(say.noTools, p.protocol.ID())
	}
	var methods catalog
	for _, d := range c.definitions {
		methods = append(methods, newMethod(d))
	}
	plan := methods.plan(c.question)
	if plan.partly {
		say.calling += say.partly
	}
	if text := p.write(say.calling, plan.requests); text != "" {
		return text
	}
	var lines []string
	for _, a := range plan.lacking {
		lines = append(lines, fmt.Sprintf(say.lacking, a.method.ToolName, a.missing.Name, cmp.Or(firstSentence(a.missing.Description), a.missing.Type)))
	}
	if len(lines) == 0 {
		lines = []string{say.noMatch, ""}
		for _, d := range c.definitions {
			lines = append(lines, "- `"+d.ToolName+"`: "+firstSentence(d.Description))
		}
	}
	return p.protocol.Neutralize(strings.Join(lines, "\n"))
}

// A conversation is what the planner sees of messages.
type conversation struct {
	definitions []protocol.ToolDefinition
	question    string // the last one
	iterations  []iteration
}

// An iteration is a reply with requests that followed the question, and their results, as many.
type iteration struct {
	requests []protocol.ToolRequest
	results  []protocol.ToolResult
}

// read finds definitions, the question and its results. A user's message without results is a
// question: what the engine remarks stands in the message of the results.
func (p *Planner) read(messages []protocol.Message) conversation {
	var c conversation
	var pending []protocol.ToolRequest
	for _, m := range messages {
		switch m.Role {
		case protocol.RoleUser:
			results, _ := p.reader.ParseToolResults(m.Content)
			switch text := strings.TrimSpace(m.Content); {
			case len(results) > 0 && c.question != "":
				if len(pending) != len(results) { // they are not known, but for their names
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
			pending = p.requests(m.Content)
		default:
			found, _ := p.reader.ParseToolDefinitions(m.Content)
			c.definitions = append(c.definitions, found...)
		}
	}
	return c
}

// requests reads what a reply asked for: all that gets a result, so the invalid requests too.
func (p *Planner) requests(text string) []protocol.ToolRequest {
	// If the protocol fails, the reply is all text.
	reply, _ := parser.ParseToolRequests(p.protocol, text, parser.Options{Finish: protocol.FinishStop, Logger: slog.New(slog.DiscardHandler)})
	var requests []protocol.ToolRequest
	for _, q := range reply.Requests {
		if q.Status == protocol.StatusReady || q.Status == protocol.StatusInvalid {
			for i, a := range q.Arguments {
				if a.Form == protocol.FormJSON {
					q.Arguments[i].Value = jsonText(json.RawMessage(a.Value))
				}
			}
			requests = append(requests, q.ToolRequest)
		}
	}
	return requests
}

// write returns requests after a sentence that names them; "" if there are none that the protocol
// can write.
func (p *Planner) write(sentence string, requests []protocol.ToolRequest) string {
	blocks, err := p.protocol.FormatToolRequests(requests)
	if err != nil || len(requests) == 0 {
		return ""
	}
	var names []string
	for _, r := range requests {
		names = append(names, "`"+r.ToolName+"`")
	}
	return p.protocol.Neutralize(fmt.Sprintf(sentence, strings.Join(slices.Compact(names), ", "))) + "\n\n" + blocks
}

var sentenceForm = regexp.MustCompile(`^(.*?)(?:[.:] |\.?$|[。：])`)

// firstSentence returns the first sentence of a description, on one line and shortened.
func firstSentence(s string) string {
	return shorten(sentenceForm.FindStringSubmatch(oneLine(s))[1], 160)
}
