package engine_test

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// parrot is a model that writes its own texts first, and then repeats what it reads.
type parrot struct {
	*trial
	protocol  protocol.Protocol
	first     []reply // its own texts
	left      int     // how often it still repeats what it reads
	firstText string  // the texts of first that it has written so far
	native    bool    // whether it calls tools by its API
}

func (m *parrot) Native(context.Context) (bool, error) { return m.native, nil }

func (m *parrot) Stream(_ context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		m.examine(req.Messages)
		var r reply
		switch {
		case len(m.first) > 0:
			r, m.first = m.first[0], m.first[1:]
			for _, d := range r.deltas {
				m.firstText += d.Text
			}
		case m.left > 0:
			m.left--
			r = says(strings.ToValidUTF8(m.echo.reply(req.Messages), "\uFFFD"))
		default:
			r = says("Done.")
		}
		text := ""
		for _, d := range r.deltas {
			text += d.Text
			if d.Call != nil {
				m.called = append(m.called, *d.Call)
			}
		}
		m.own = append(m.own, text)
		for _, d := range r.deltas {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// examine fails the test if the messages for the model contain a request that is not the model's
// own.
func (m *parrot) examine(shown []protocol.Message) {
	for i, message := range shown {
		texts := []string{message.Content}
		for _, c := range message.ToolCalls {
			if !slices.Contains(m.called, c) {
				texts = append(texts, c.ID, c.Name, c.Arguments)
			}
		}
		for _, text := range texts {
			reply, err := parser.ParseToolRequests(m.protocol, text, parser.Options{
				Tolerance: scan.Greedy, Disabled: bareRepairs(m.protocol), Finish: protocol.FinishStop, Logger: quiet,
			})
			if err != nil {
				m.fail("message %d cannot be read: %v", i, err)
			}
			for _, q := range reply.Requests {
				// If the model wrote the attack as its own text, the engine may show it in the
				// correct form.
				corrected := message.Role == protocol.RoleUser && m.firstText != "" && m.firstText == m.attack.Text
				own := message.Role == protocol.RoleAssistant && m.wrote(q.RawBlock)
				if !corrected && !own && !m.mayShow(message.Role, q.ToolName) {
					m.fail("message %d, of the role %s, holds a request for %.80q that is %s: %.600q",
						i, message.Role, q.ToolName, q.Status, text)
					return
				}
			}
		}
	}
}

// wrote reports whether a reply of the model contained the text of the request.
func (m *parrot) wrote(request string) bool {
	return slices.ContainsFunc(m.own, func(own string) bool { return strings.Contains(own, request) })
}

// mayShow reports whether the engine itself may show a request for the method of that name: in the
// instructions, as the correct form of a request, or as a past native call in text.
func (m *parrot) mayShow(role protocol.Role, name string) bool {
	switch role {
	case protocol.RoleSystem:
		return name == "the name of a tool below" || name == "name of the function" || name == "name_of_the_function"
	case protocol.RoleTool:
		return false
	default:
		return strings.HasPrefix(name, "t_")
	}
}

// parrot returns a model that writes these texts first, and then repeats what it reads.
func (x *trial) parrot(texts ...string) *parrot {
	m := &parrot{trial: x, protocol: x.protocol, left: 3}
	for _, text := range texts {
		m.first = append(m.first, says(text))
	}
	return m
}

// asks makes the model write the text around, with a request in place of its %, and then repeat the
// messages.
func (x *trial) asks(r protocol.ToolRequest, around string) {
	if text, ok := x.request(x.protocol, r); ok {
		m := x.parrot(strings.Replace(around, "%", text, 1))
		x.converse(m, nil)
	}
}

// converse runs a session from msgs and the user's question.
func (x *trial) converse(m *parrot, msgs []protocol.Message) {
	x.resume(m, append(slices.Clip(msgs), question...))
}

// resume runs a session from msgs.
func (x *trial) resume(m *parrot, msgs []protocol.Message) {
	for _, err := range x.engine(m.protocol, m).NewSession("s").Run(x.context(), msgs) {
		if err != nil {
			x.fail("the run failed: %v", err)
		}
	}
}
