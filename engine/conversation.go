package engine

import (
	"slices"

	"github.com/vcpgo/vcp/protocol"
)

// runConversation is the list of messages for the model of a run. A model may keep messages, so a
// message that was sent never changes.
type runConversation struct {
	gate gate
	// shown begins with the system message, which is empty without a system prompt. If the
	// conversation may be shortened, source contains the messages as data: shown[i] is source[i] as
	// render writes it.
	shown, source []protocol.Message
	foreign       []protocol.Message // the messages that contain foreign text
	budget        int                // in tokens; 0 means that the conversation is never shortened
	count         tokenCounter
	system        string // the application's part of the system message, as shown
	prompt        string // the engine's part of the system message
	replies       int    // number of assistant messages that the run begins with
	sent          bool   // shown was sent to the model, which may keep it
	history       history
}

// spareMessages is how many messages fit before the conversation is copied. That is enough for the
// four replies of a usual run, and more if the conversation is long.
func spareMessages(messages int) int { return 8 + messages/64 }

// start begins with msgs, which it does not change. budget is how many tokens the model is shown at
// most; 0 means all.
func (c *runConversation) start(count tokenCounter, g gate, msgs []protocol.Message, budget int) {
	system := protocol.Message{Role: protocol.RoleSystem}
	if len(msgs) > 0 && msgs[0].Role == protocol.RoleSystem {
		system, msgs = msgs[0], msgs[1:]
	}
	msgs = withoutExamples(g.arrange(msgs))
	c.count, c.gate, c.budget = count, g, budget
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
// contain the model's own values, and may be written in another protocol than before.
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

// append adds messages to the conversation. All messages are added here.
func (c *runConversation) append(msgs ...protocol.Message) {
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

// add adds the messages of an iteration.
func (c *runConversation) add(it *Iteration) {
	if it.hasReply() {
		c.append(it.Assistant)
	}
	c.append(it.ToolMessages...)
	if it.ResultMessage != nil {
		c.append(*it.ResultMessage)
	}
}

// history keeps what a model is shown within Config.HistoryTokens. It shortens old results, the
// oldest first, and if that is not enough, omits old messages.
//
// A model's server caches the beginning of a conversation as long as it stays the same. So each
// change depends only on the messages before it, not on later ones or on how the conversation is
// divided into runs. A shortened result keeps its words. Changes are made in steps, each of which
// makes room for several turns.
type history struct {
	counted int   // messages counted so far
	tokens  int   // their cost, after shortening
	results []int // indexes of messages with results that can be shortened, oldest first
	newest  []int // indexes of messages with results that no reply follows yet
	reply   int   // index of the last reply

	omitted  int              // how many messages are omitted
	question protocol.Message // the last omitted question, which stays; its role is "" if none is omitted
	note     int              // the cost of the note after question
}
