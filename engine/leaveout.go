package engine

import (
	"fmt"
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

// leaveOut leaves out the oldest messages until the conversation costs as much as it should, or only those are left that must stay: the
// system's, the last question before the gap, and all from the last reply on. A reply goes with its results, and a question when
// nothing is left of what was said to it. A note in the question tells of the gap.
func (c *conversation) leaveOut(r *run, tokens int) {
	h := &c.history
	first := 1
	for first < len(c.messages) && c.messages[first].Role == protocol.RoleSystem {
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
		asked = c.messages[cut]
		cut++
	}
	for cut < h.reply && h.tokens > tokens {
		if c.isQuestion(r, cut) {
			question()
			continue
		}
		for begin := cut; cut < h.reply && (cut == begin || c.isAnswer(r, cut)); cut++ {
			h.tokens -= r.messageTokens(&c.messages[cut])
			left++
		}
	}
	if left == h.left {
		return
	}
	if cut < h.reply && c.isQuestion(r, cut) { // nothing is left between it and the one before
		question()
	}
	h.left, h.asked = left, asked
	note := fmt.Sprintf(phrase(r.language(), phraseLeftOut), left)
	shown := asked
	shown.Role, shown.Content = protocol.RoleUser, joinParagraphs(shown.Content, note)
	h.tokens += r.tokens(note) - h.note
	h.note = r.tokens(note)

	// What was given to the model stays as it is.
	messages := append(make([]protocol.Message, 0, len(c.messages)), c.messages[:first]...)
	messages = append(append(messages, shown), c.messages[cut:]...)
	gone := len(c.messages) - len(messages)
	c.messages, c.given = messages, false
	h.counted -= gone
	h.reply -= gone
	for i := range h.newest {
		h.newest[i] -= gone
	}
}

// isAnswer reports whether a message tells of what came of the reply before it.
func (c *conversation) isAnswer(r *run, at int) bool {
	m := &c.messages[at]
	return m.Role == protocol.RoleTool || m.Role == protocol.RoleUser && !c.isQuestion(r, at)
}

// isQuestion reports whether a person says it, and not the engine in the person's role.
func (c *conversation) isQuestion(r *run, at int) bool {
	m := &c.messages[at]
	if m.Role != protocol.RoleUser {
		return false
	}
	for _, id := range []phraseID{phraseMadeUp, phraseUnrun} { // what notes without results begin with
		if strings.HasPrefix(m.Content, phrases[id].en) || strings.HasPrefix(m.Content, phrases[id].zh) {
			return false
		}
	}
	results, _ := ownResults(r.settings.protocol, m.Content)
	return len(results) == 0
}
