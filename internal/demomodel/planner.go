package demomodel

import (
	"fmt"
	"log/slog"
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

// A Planner writes the replies of the stand-in. It keeps nothing between two replies and is safe for concurrent use.
type Planner struct {
	protocol protocol.Protocol
	reader   protocol.Reader
	logger   *slog.Logger
}

// NewPlanner returns a planner that reads and writes a protocol. The protocol must be a protocol.Reader too.
func NewPlanner(p protocol.Protocol) (*Planner, error) {
	if p == nil {
		return nil, fmt.Errorf("demomodel: a protocol is needed")
	}
	reader, ok := p.(protocol.Reader)
	if !ok {
		return nil, fmt.Errorf("demomodel: protocol %q cannot be used: it reads neither definitions nor results (protocol.Reader)", p.ID())
	}
	return &Planner{protocol: p, reader: reader, logger: slog.New(slog.DiscardHandler)}, nil
}

// Reply returns the whole reply to a conversation. The same messages get the same reply.
func (p *Planner) Reply(messages []protocol.Message) string {
	c := p.read(messages)
	say := phrasesFor(c.question)
	if c.question == "" {
		return say.noQuestion
	}
	if len(c.rounds) > 0 {
		if len(c.rounds) == 1 && len(c.definitions) > 0 {
			if again := p.write(say.retry, say.and, mend(c)); again != "" {
				return again
			}
		}
		return p.answer(c, say)
	}
	if len(c.definitions) == 0 {
		return fmt.Sprintf(say.noTools, p.protocol.ID())
	}
	plan := newCatalogue(c.definitions).plan(c.question)
	calling := say.calling
	if plan.partly {
		calling += " " + say.partly
	}
	if text := p.write(calling, say.and, plan.requests); text != "" {
		return text
	}
	if len(plan.lacking) > 0 {
		return lacking(plan.lacking, say)
	}
	return offer(c.definitions, say)
}

// write returns requests with a sentence before them; "" where none can be written.
func (p *Planner) write(sentence, and string, requests []protocol.ToolRequest) string {
	var names, blocks []string
	seen := make(map[string]bool)
	for _, r := range requests {
		block, err := p.protocol.FormatToolRequests([]protocol.ToolRequest{r})
		if err != nil {
			continue // a name that the protocol cannot write
		}
		blocks = append(blocks, block)
		if !seen[r.ToolName] {
			seen[r.ToolName] = true
			names = append(names, "`"+r.ToolName+"`")
		}
	}
	if len(blocks) == 0 {
		return ""
	}
	opening := fmt.Sprintf(sentence, enumerate(names, and))
	if !p.harmless(opening) {
		opening = ""
	}
	return strings.TrimLeft(opening+"\n\n"+strings.Join(blocks, "\n\n"), "\n")
}

// enumerate joins names as a sentence does: "a, b and c".
func enumerate(names []string, and string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + and + names[last]
}

// lacking says which value is missing for what was asked.
func lacking(attempts []*attempt, say phrases) string {
	var lines []string
	for _, a := range attempts {
		what := a.missing.Description
		if what == "" {
			what = a.missing.Type
		}
		lines = append(lines, fmt.Sprintf(say.lacking, a.method.ToolName, a.missing.Name, firstSentence(what)))
	}
	return strings.Join(lines, "\n")
}

// offer is the reply to a question that no method fits.
func offer(definitions []protocol.ToolDefinition, say phrases) string {
	const most = 20
	lines := []string{say.noMatch, ""}
	for i, d := range definitions {
		if i == most {
			lines = append(lines, fmt.Sprintf(say.more, len(definitions)-most))
			break
		}
		line := "- `" + d.ToolName + "`"
		if about := firstSentence(d.Description); about != "" {
			line += ": " + about
		}
		lines = append(lines, line)
	}
	return strings.Join(append(lines, "", say.realModel), "\n")
}

// firstSentence returns the first sentence of a description, on one line and not endless.
func firstSentence(s string) string {
	const most = 160
	s = strings.Join(strings.Fields(s), " ")
	for _, end := range []string{". ", ": ", "。", "："} {
		if i := strings.Index(s, end); i > 0 {
			s = s[:i]
		}
	}
	s = strings.TrimRight(s, ".")
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return s
}
