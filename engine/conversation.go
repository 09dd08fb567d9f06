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
	shortens      bool
	system        string // the application's part of the system message, as shown
	replies       int    // assistant messages at the start
	sent          bool   // the model was sent shown
	history       history
}

// spareMessages is how many messages fit before the conversation is copied. That is enough for the
// four replies of a usual run, and more if the conversation is long.
func spareMessages(messages int) int { return 8 + messages/64 }

// start begins with msgs, which it does not change.
func (c *conversation) start(g gate, msgs []protocol.Message, shortens bool) {
	system := protocol.Message{Role: protocol.RoleSystem}
	if len(msgs) > 0 && msgs[0].Role == protocol.RoleSystem {
		system, msgs = msgs[0], msgs[1:]
	}
	msgs = withoutExamples(g.arrange(msgs))
	c.gate, c.shortens = g, shortens
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
	if c.shortens {
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

// request returns what the model is sent. If tools are no longer available or soon will not be, the
// last message says so. That sentence is not part of the conversation.
func (c *conversation) request(r *run, tools bool) ModelRequest {
	prompt := ""
	if tools && !r.native {
		prompt = r.session.prompt(r.settings, r.found)
	}
	if system := joinParagraphs(c.system, prompt); system != c.shown[0].Content {
		if c.sent {
			c.shown = slices.Clone(c.shown)
		}
		c.shown[0].Content = system
	}
	c.fit(r)
	c.sent = true
	shown := c.shown
	if note := r.noteOnTools(tools); note != "" {
		shown = withNote(shown, note)
	}
	if shown[0].Content == "" && len(shown[0].Images) == 0 {
		shown = shown[1:]
	}
	req := ModelRequest{Messages: slices.Clip(shown)}
	if r.native {
		req.Tools, req.NoCalls = r.session.engine.discovery.Methods(r.session.lists(r.settings, r.session.listed.names())), !tools
		req.Protocol = r.settings.protocol
		return req
	}
	req.Stop = r.settings.stop
	return req
}
