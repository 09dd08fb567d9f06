package engine

import (
	"slices"

	"github.com/vcpgo/vcp/protocol"
)

// conversation is the list of messages for the model of a run. A model may keep messages, so a
// message that was sent never changes.
type conversation struct {
	gate gate
	// shown begins with the system message, which stays empty if there is none. If the conversation
	// may be shortened, source holds the messages as data: shown[i] is source[i] as render writes
	// it.
	shown, source []protocol.Message
	foreign       []protocol.Message // those that contain foreign text
	budget        int                // in tokens; 0 means that the conversation is never shortened
	engine        *Engine            // estimates tokens
	system        string             // the application's part of the system message, as shown
	replies       int                // assistant messages at the start
	sent          bool               // the model was sent shown
	history       history
}

// spareMessages is how many messages fit before the conversation is copied. That is enough for the
// four replies of a usual run, and more if the conversation is long.
func spareMessages(messages int) int { return 8 + messages/64 }

// start begins with msgs, which it does not change. budget is how many tokens the model is shown at
// most; 0 means all.
func (c *conversation) start(e *Engine, g gate, msgs []protocol.Message, budget int) {
	system := protocol.Message{Role: protocol.RoleSystem}
	if len(msgs) > 0 && msgs[0].Role == protocol.RoleSystem {
		system, msgs = msgs[0], msgs[1:]
	}
	msgs = withoutExamples(g.arrange(msgs))
	c.engine, c.gate, c.budget = e, g, budget
	c.shown = make([]protocol.Message, 0, 1+len(msgs)+spareMessages(len(msgs)))
	c.append(system)
	c.append(msgs...)
	c.system = c.shown[0].Content
	for i := range msgs {
		if msgs[i].Role == protocol.RoleAssistant {
			c.replies++
		}
	}
}

// withoutExamples returns messages without the requests that earlier runs showed the model. They
// hold the model's own values, and may be written in another protocol than before.
func withoutExamples(msgs []protocol.Message) []protocol.Message {
	shows := func(m protocol.Message) bool { return len(m.Examples) > 0 }
	if !slices.ContainsFunc(msgs, shows) {
		return msgs
	}
	list := make([]protocol.Message, 0, len(msgs))
	for _, m := range msgs {
		if shows(m) {
			if m.Examples = nil; m.Content == "" && len(m.Results) == 0 {
				continue
			}
		}
		list = append(list, m)
	}
	return list
}

// append adds messages to the conversation. Nothing else does.
func (c *conversation) append(msgs ...protocol.Message) {
	if c.budget > 0 {
		c.source = append(c.source, msgs...)
	}
	for i := range msgs {
		if m := &msgs[i]; len(m.Results) > 0 || m.Foreign(c.gate.id) {
			c.foreign = append(c.foreign, *m)
		}
	}
	first := len(c.shown)
	c.shown = append(c.shown, msgs...)
	for i := first; i < len(c.shown); i++ {
		c.gate.show(&c.shown[i])
	}
}

func (c *conversation) add(t *Turn) { c.append(t.Messages()...) }

// withNote returns messages with a note at the end, in the last message if that is not a reply.
func withNote(shown []protocol.Message, note string) []protocol.Message {
	shown = slices.Clone(shown)
	last := &shown[len(shown)-1]
	if last.Role == protocol.RoleAssistant {
		return append(shown, protocol.Message{Role: protocol.RoleUser, Content: note})
	}
	last.Content = joinParagraphs(last.Content, note)
	return shown
}

// request returns the messages for the model. The system message ends with the prompt. The note, if
// it is not "", ends the last message and is not part of the conversation.
func (c *conversation) request(prompt, note string) []protocol.Message {
	if system := joinParagraphs(c.system, prompt); system != c.shown[0].Content {
		if c.sent {
			c.shown = slices.Clone(c.shown)
		}
		c.shown[0].Content = system
	}
	c.fit()
	c.sent = true
	shown := c.shown
	if note != "" {
		shown = withNote(shown, note)
	}
	if shown[0].Content == "" && len(shown[0].Images) == 0 {
		shown = shown[1:]
	}
	return slices.Clip(shown)
}
