package engine

import (
	"fmt"
	"slices"

	"github.com/vcpgo/vcp/protocol"
)

// leaveOut leaves out the oldest messages until the conversation costs as much as it should, or only those are left that must stay: the
// system's, the last question before the gap, and all from the last reply on. A reply goes with its results, and a question when
// nothing is left of what was said to it. A note in the question tells of the gap.
func (c *conversation) leaveOut(r *run, tokens int) {
	h := &c.history
	first := 1
	for first < len(c.shown) && c.shown[first].Role == protocol.RoleSystem {
		first++
	}
	asked, cut, left := h.asked, first, h.left
	if left > 0 {
		cut++
	}
	question := func() {
		if asked.Role != "" {
			h.tokens -= r.messageTokens(&asked)
			left++
		}
		asked = c.shown[cut]
		cut++
	}
	for cut < h.reply && h.tokens > tokens {
		if c.isQuestion(cut) {
			question()
			continue
		}
		for begin := cut; cut < h.reply && (cut == begin || c.isAnswer(cut)); cut++ {
			h.tokens -= r.messageTokens(&c.shown[cut])
			left++
		}
	}
	if left == h.left {
		return
	}
	if cut < h.reply && c.isQuestion(cut) { // nothing is left between it and the one before
		question()
	}
	h.left, h.asked = left, asked
	note := fmt.Sprintf(phrase(r.language(), phraseLeftOut), left)
	shown := asked
	shown.Role, shown.Content = protocol.RoleUser, joinParagraphs(shown.Content, note)
	h.tokens += r.tokens(note) - h.note
	h.note = r.tokens(note)

	// What stays at the start moves to what stays at the end: that is little, and a long
	// conversation is not copied with each step.
	if c.given {
		c.shown = slices.Clone(c.shown)
		c.given = false
	}
	at := cut - first - 1
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

// isAnswer reports whether a message tells of what came of the reply before it.
func (c *conversation) isAnswer(at int) bool {
	return c.source[at].Role == protocol.RoleTool || c.source[at].Role == protocol.RoleUser && !c.isQuestion(at)
}

// isQuestion reports whether a person says it, and not the engine in the person's role.
func (c *conversation) isQuestion(at int) bool {
	m := &c.source[at]
	return m.Role == protocol.RoleUser && len(m.Results) == 0 && m.Origin != protocol.OriginTool && m.Origin != protocol.OriginEngine
}
