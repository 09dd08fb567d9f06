package engine

import (
	"slices"

	"github.com/vcpgo/vcp/protocol"
)

// runConversation contains the messages that the model is shown in a run. A Model may keep a slice
// of messages that it was sent, so such a slice never changes.
type runConversation struct {
	renderer renderer
	// shown begins with the system message, which is empty without a system prompt. If the
	// conversation may be shortened, source contains the messages as data: shown[i] is source[i] as
	// render writes it.
	shown, source []protocol.Message
	foreign       []protocol.Message // the messages that contain foreign text
	budget        int                // in tokens; 0 means that the conversation is never shortened
	count         tokenCounter       // estimates what messages cost
	system        string             // the application's part of the system message, as shown
	prompt        string             // the engine's part of the system message
	replies       int                // number of replies among the messages that the run begins with
	sent          bool               // shown was sent to the model, which may keep it
	history       history
}

// spareMessages returns how many messages a run can add to a conversation of that length before the
// list of messages is copied. It is enough for the four replies of a usual run, and more if the
// conversation is long.
func spareMessages(messages int) int { return 8 + messages/64 }

// start sets the messages that the run begins with. It does not change msgs. budget is how many
// tokens the model is shown at most; 0 means all.
func (c *runConversation) start(count tokenCounter, r renderer, msgs []protocol.Message, budget int) {
	system := protocol.Message{Role: protocol.RoleSystem}
	if len(msgs) > 0 && msgs[0].Role == protocol.RoleSystem {
		system, msgs = msgs[0], msgs[1:]
	}
	msgs = withoutExamples(r.arrangeResults(msgs))
	*c = runConversation{count: count, renderer: r, budget: budget} // Resume starts a conversation twice
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

// withoutExamples returns messages without the examples of correct requests that earlier runs
// showed the model. The examples contain values that the model wrote, and the protocol may have
// changed since then. Messages that contain nothing else are omitted.
func withoutExamples(msgs []protocol.Message) []protocol.Message {
	hasExamples := func(m protocol.Message) bool { return len(m.Examples) > 0 }
	if !slices.ContainsFunc(msgs, hasExamples) {
		return msgs
	}
	list := make([]protocol.Message, 0, len(msgs))
	for _, m := range msgs {
		if hasExamples(m) {
			if m.Examples = nil; m.Content == "" && len(m.Results) == 0 {
				continue
			}
		}
		list = append(list, m)
	}
	return list
}

// append adds messages to the conversation. All messages are added here.
func (c *runConversation) append(msgs ...protocol.Message) {
	if c.budget > 0 {
		c.source = append(c.source, msgs...)
	}
	for i := range msgs {
		if m := &msgs[i]; len(m.Results) > 0 || m.Foreign(c.renderer.protocol.ID()) {
			c.foreign = append(c.foreign, *m)
		}
	}
	first := len(c.shown)
	c.shown = append(c.shown, msgs...)
	for i := first; i < len(c.shown); i++ {
		c.renderer.render(&c.shown[i])
	}
}

// unshare copies shown if the model may keep it.
func (c *runConversation) unshare() {
	if c.sent {
		c.shown, c.sent = slices.Clone(c.shown), false
	}
}

// history records how the conversation was shortened to stay within Config.HistoryTokens. Old
// results are shortened, the oldest first. If that is not enough, old messages are omitted.
//
// A model's server caches the beginning of a conversation as long as it stays the same. So each
// change depends only on the messages before it, not on later ones or on how the conversation is
// divided into runs. A shortened result is not changed again. Changes are made in steps, each of
// which makes room for several turns.
type history struct {
	counted int   // messages counted so far
	tokens  int   // the cost of the counted messages, after shortening
	results []int // indexes of messages with results that can be shortened, oldest first
	newest  []int // indexes of messages with results that no reply follows yet
	reply   int   // index of the last reply

	omitted int // how many messages are omitted
	// question is the last message of the user among those that trim has passed. It stays although
	// the messages around it are omitted. Its role is "" if trim has passed no message of the user.
	question protocol.Message
	note     int // the cost of the note after question, which says how many messages are omitted
}
