package demomodel

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

// A Planner writes the replies of the demo model. It has no state and is safe for concurrent use.
type Planner struct {
	protocol protocol.Protocol
	reader   protocol.Reader
}

// NewPlanner returns a planner for a protocol. The protocol must also be a protocol.Reader.
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
	c := read(p.protocol, p.reader, messages)
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
	if len(plan.unused) > 0 {
		say.calling += fmt.Sprintf(say.unused, strings.Join(plan.unused[:min(5, len(plan.unused))], ", "))
	}
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

// write returns a sentence and the requests that it names, or "" if there is nothing to write.
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
	return text.TruncateRunes(sentenceForm.FindStringSubmatch(text.OneLine(s))[1], 160)
}
