package engine

import (
	"slices"

	"github.com/vcpgo/vcp/protocol"
)

// conversation is what the model of a run is shown. A model may keep what it was given, so nothing that was given is ever changed.
type conversation struct {
	// messages begin with a place for the system message, which stays empty where there is none.
	messages []protocol.Message
	system   string // the application's own part of it
	replies  int    // assistant messages at the start
	given    bool   // messages have been shown to the model
	history  history
}

// room is how many messages a conversation takes before it is copied: those of four replies with requests, as many as most runs have,
// and more where a copy takes long.
func room(messages int) int { return 8 + messages/64 }

func (c *conversation) start(msgs []protocol.Message) {
	system := protocol.Message{Role: protocol.RoleSystem}
	if len(msgs) > 0 && msgs[0].Role == protocol.RoleSystem {
		system, msgs = msgs[0], msgs[1:]
	}
	c.system = system.Content
	for _, m := range msgs {
		if m.Role == protocol.RoleAssistant {
			c.replies++
		}
	}
	c.messages = make([]protocol.Message, 1, 1+len(msgs)+room(len(msgs)))
	c.messages[0] = system
	c.messages = append(c.messages, msgs...)
}

func (c *conversation) add(t *Turn) { c.messages = t.appendMessages(c.messages) }

// request returns what the model is asked to go on from. Where it must do without tools because the limit is reached, it is told so
// at the end, in words that are no part of the conversation.
func (c *conversation) request(r *run, tools bool) ModelRequest {
	prompt := ""
	if tools && !r.native {
		prompt = r.session.engine.discovery.Prompt(r.settings.discovery)
	}
	if system := joinParagraphs(c.system, prompt); system != c.messages[0].Content {
		if c.given {
			c.messages = slices.Clone(c.messages)
		}
		c.messages[0].Content = system
	}
	c.fit(r)
	c.given = true
	shown := c.messages
	if r.settings.config.Enabled && !tools {
		shown = slices.Clone(shown)
		last := &shown[len(shown)-1]
		last.Content = joinParagraphs(last.Content, phrase(r.language(), phraseNoTools))
	}
	if shown[0].Content == "" && len(shown[0].Images) == 0 {
		shown = shown[1:]
	}
	req := ModelRequest{Messages: slices.Clip(shown)}
	if r.native {
		req.Tools, req.NoCalls = r.session.engine.discovery.Methods(r.settings.discovery), !tools
		return req
	}
	req.Stop = r.settings.stop
	return req
}

func joinParagraphs(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}
