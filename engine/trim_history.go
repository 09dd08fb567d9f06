package engine

import (
	"github.com/vcpgo/vcp/protocol"
)

// trim omits the oldest messages until the conversation costs no more than the given number of
// tokens. Some messages always stay: the system messages at the start, one message of the user, and
// everything from the last reply on. That message of the user is the question of the oldest reply
// that stays; a note in it says how many messages are omitted. A reply is omitted together with its
// results, and a question only after its replies.
func (c *runConversation) trim(tokens int) {
	h := &c.history
	first := 1 // shown[0] is always a system message
	for first < len(c.shown) && c.shown[first].Role == protocol.RoleSystem {
		first++
	}
	question, next, omitted := h.question, first, h.omitted
	if omitted > 0 {
		next++ // after the question that an earlier trim kept
	}
	keepQuestion := func() { // keeps the question at next, and omits the one that was kept before
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
	note := phraseOmitted.in(c.renderer.language, omitted)
	shown := question
	shown.Role, shown.Content = protocol.RoleUser, joinParagraphs(shown.Content, note)
	h.tokens += c.count.text(note) - h.note
	h.note = c.count.text(note)

	// The few messages that stay at the start are copied to the places directly before those that
	// stay at the end. So no step copies a long conversation.
	c.unshare()
	removed := next - first - 1
	copy(c.shown[removed:], c.shown[:first])
	copy(c.source[removed:], c.source[:first])
	c.shown, c.source = c.shown[removed:], c.source[removed:]
	c.shown[first] = shown
	// The text of the question is in h.question.
	c.source[first] = protocol.Message{Role: protocol.RoleUser, Origin: protocol.OriginUser}
	h.counted -= removed
	h.reply -= removed
	for i := range h.newest { // fit has emptied h.results before
		h.newest[i] -= removed
	}
}

// followsReply reports whether the message with the index i contains results or notes on the reply
// before it.
func (c *runConversation) followsReply(i int) bool {
	return c.source[i].Role == protocol.RoleTool || c.source[i].Role == protocol.RoleUser && !c.isQuestion(i)
}

// isQuestion reports whether a person wrote the message with the index i. The engine also writes
// messages with the role user.
func (c *runConversation) isQuestion(i int) bool {
	m := &c.source[i]
	return m.Role == protocol.RoleUser && len(m.Results) == 0 &&
		m.Origin != protocol.OriginTool && m.Origin != protocol.OriginEngine
}
