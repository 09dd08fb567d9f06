// Package demomodel is a substitute for a language model that needs no key, no download and no
// network. It is a small rule-based planner with an OpenAI-compatible server on a loopback port.
//
// The planner knows tools only from the definitions in the system prompt. The files token, value,
// arithmetic and question read a question; method and fit compare it with a definition; plan and
// answer make a reply; conversation reads messages; api serves; limits has the planner's limits.
// Scores and weights are chosen by hand, so that the questions of the tests call the right methods.
package demomodel

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

// A Planner writes the replies of the demo model. It is safe for concurrent use.
type Planner struct{ protocol readable }

// NewPlanner returns a planner for a protocol. The protocol must also be a protocol.Reader.
func NewPlanner(p protocol.Protocol) (*Planner, error) {
	if p, ok := p.(readable); ok {
		return &Planner{p}, nil
	}
	return nil, fmt.Errorf("demomodel: the protocol must be a protocol.Reader, which reads definitions and results (got %T)", p)
}

// Reply returns the whole reply to a conversation. The same messages get the same reply.
func (p *Planner) Reply(messages []protocol.Message) string {
	c := read(p.protocol, messages)
	say := sayer(chinese.DemoModel.Printer(map[bool]string{false: "en", true: "zh"}[hasHan(c.question)]).Say)
	switch {
	case c.question == "":
		return say.introduce(say("Ask me something that one of the tools can answer. "))
	case len(c.iterations) > 0:
		if len(c.iterations) == 1 && len(c.definitions) > 0 {
			again := retries(c.iterations[0])
			why := say("That did not work; I try %s once more, as the result suggests.", methodNames(again))
			if retry := p.write(why, again); retry != "" {
				return retry
			}
		}
		return p.protocol.Neutralize(answer(c, say))
	case len(c.definitions) == 0:
		return say.introduce(say("I can only call tools and tell what they say, and no tools are available in this turn. "+
			"I find no definitions in the form of the protocol %s, the only one that I read here "+
			"(`vcp demo-model --protocol` names another). ", p.protocol.ID()))
	}
	plan := newCatalog(c.definitions).plan(c.question)
	var lines []string
	for _, a := range plan.incomplete {
		lines = append(lines, say("I would use `%s` for that, but I find no value for its parameter `%s` in your message (%s). Please say which.",
			a.method.ToolName, a.missing.Name, cmp.Or(firstSentence(a.missing.Description), a.missing.Type)))
	}
	text := say("I will use %s.", methodNames(plan.requests))
	if len(plan.unused) > 0 {
		text += say(" I can do nothing with `%s`.", strings.Join(plan.unused[:min(maxUnused, len(plan.unused))], "`, `"))
	}
	if plan.partly {
		text += say(" That is more than I plan at once; ask for the rest again.")
	}
	if reply := p.write(strings.Join(append([]string{text}, lines...), "\n"), plan.requests); reply != "" {
		return reply
	}
	if len(lines) == 0 {
		nothing := say("I match the words of a message with the tools that I am given, and nothing in yours fits one of them. ")
		lines = []string{say.introduce(nothing), "", say("The tools are:"), ""}
		for _, d := range c.definitions {
			lines = append(lines, "- `"+d.ToolName+"`: "+firstSentence(d.Description))
		}
	}
	return p.protocol.Neutralize(strings.Join(lines, "\n"))
}

// methodNames lists the methods of requests.
func methodNames(requests []protocol.ToolRequest) string {
	var list []string
	for _, r := range requests {
		list = append(list, "`"+r.ToolName+"`")
	}
	return strings.Join(slices.Compact(list), ", ")
}

// write returns a text and requests after it, or "" if there are no requests that can be written.
func (p *Planner) write(text string, requests []protocol.ToolRequest) string {
	blocks, err := p.protocol.FormatToolRequests(requests)
	if err != nil || len(requests) == 0 {
		return ""
	}
	return p.protocol.Neutralize(text) + "\n\n" + blocks
}

var sentenceForm = regexp.MustCompile(`^(.*?)(?:[.:] |\.?$|[。：])`)

// firstSentence returns the first sentence of a description, on one line and shortened.
func firstSentence(s string) string {
	return text.TruncateRunes(sentenceForm.FindStringSubmatch(text.OneLine(s))[1], maxSentence)
}
