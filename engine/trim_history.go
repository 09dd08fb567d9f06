package engine

import (
	"fmt"
	"slices"

	"github.com/vcpgo/vcp/protocol"
)

// trim omits the oldest messages until the conversation costs at most tokens, or only those are
// left that must stay. These are the system messages, the last omitted question, and everything
// from the last reply on. A reply is omitted with its results, and a question after its replies.
// A note in the question says how many messages are omitted.
func (c *runConversation) trim(tokens int) {
	h := &c.history
	first := 1
	for first < len(c.shown) && c.shown[first].Role == protocol.RoleSystem {
		first++
	}
	question, next, omitted := h.question, first, h.omitted
	if omitted > 0 {
		next++
	}
	keepQuestion := func() {
		if question.Role != "" {
			h.tokens -= c.count.message(&question)
			omitted++
		}
		question = c.shown[next]
		next++
	}
	for next < h.reply && h.tokens > tokens {
		if c.isQuestion(next) {
			keepQuestion()
			continue
		}
		for begin := next; next < h.reply && (next == begin || c.followsReply(next)); next++ {
			h.tokens -= c.count.message(&c.shown[next])
			omitted++
		}
	}
	if omitted == h.omitted {
		return
	}
	if next < h.reply && c.isQuestion(next) { // no reply is left between this question and the one before
		keepQuestion()
	}
	h.omitted, h.question = omitted, question
	note := fmt.Sprintf(phrase(c.gate.language, phraseOmitted), omitted)
	shown := question
	shown.Role, shown.Content = protocol.RoleUser, joinParagraphs(shown.Content, note)
	h.tokens += c.count.text(note) - h.note
	h.note = c.count.text(note)

	// The few messages that stay at the start move to those that stay at the end, so that no step
	// copies a long conversation.
	if c.sent {
		c.shown = slices.Clone(c.shown)
		c.sent = false
	}
	at := next - first - 1
	copy(c.shown[at:], c.shown[:first])
	copy(c.source[at:], c.source[:first])
	c.shown, c.source = c.shown[at:], c.source[at:]
	c.shown[first] = shown
	c.source[first] = protocol.Message{Role: protocol.RoleUser, Origin: protocol.OriginUser}
	h.counted -= at
	h.reply -= at
	for i := range h.newest {
		h.newest[i] -= at
	}
}

// followsReply reports whether a message contains the results of the reply before it.
func (c *runConversation) followsReply(at int) bool {
	return c.source[at].Role == protocol.RoleTool || c.source[at].Role == protocol.RoleUser && !c.isQuestion(at)
}

// isQuestion reports whether a person wrote the message, and not the engine in the person's role.
func (c *runConversation) isQuestion(at int) bool {
	m := &c.source[at]
	return m.Role == protocol.RoleUser && len(m.Results) == 0 && m.Origin != protocol.OriginTool && m.Origin != protocol.OriginEngine
}
