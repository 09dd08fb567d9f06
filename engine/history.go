package engine

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

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
	question protocol.Message // the last omitted question, which stays; no role if none
	note     int              // cost of the note in question
}

// The share of the budget that is used after shortening. The rest is room until the next step.
const (
	stepParts = 4
	stepKeeps = 3
)

// keepResultBytes is how much of the beginning of an old result stays. A result of at most
// minShortened bytes stays whole.
const (
	keepResultBytes = 240
	minShortened    = 2 * keepResultBytes
)

// fit shortens old results and omits old messages until the conversation is within its budget or
// nothing more can go. The newest results stay, because the model has just requested them.
func (c *conversation) fit() {
	budget := c.budget
	if budget == 0 {
		return
	}
	h := &c.history
	for ; h.counted < len(c.shown); h.counted++ {
		m := &c.shown[h.counted]
		h.tokens += c.engine.messageTokens(m)
		if m.Role == protocol.RoleAssistant {
			h.results, h.newest, h.reply = append(h.results, h.newest...), nil, h.counted
		}
		if h.tokens > budget {
			for len(h.results) > 0 && h.tokens > budget*stepKeeps/stepParts {
				c.shorten(h.results[0])
				h.results = h.results[1:]
			}
		}
		if h.tokens > budget {
			c.trim(budget * stepKeeps / stepParts)
		}
		if s := &c.source[h.counted]; s.Role == protocol.RoleTool || len(s.Results) > 0 {
			h.newest = append(h.newest, h.counted)
		}
	}
}

// shorten shortens the results in a message.
func (c *conversation) shorten(at int) {
	m := &c.source[at]
	if m.Role == protocol.RoleTool {
		m.Content = shortResult(m.Content, c.gate.language)
	}
	m.Results = slices.Clone(m.Results) // the caller has them too
	for i := range m.Results {
		m.Results[i].Result = shortResult(m.Results[i].Result, c.gate.language)
	}
	short := *m
	c.gate.show(&short)
	if short.Content == c.shown[at].Content {
		return
	}
	if c.sent {
		c.shown = slices.Clone(c.shown)
		c.sent = false
	}
	c.history.tokens += c.engine.tokens(short.Content) - c.engine.tokens(c.shown[at].Content)
	c.shown[at] = short
}

// shortResult returns the beginning of a long result, up to the end of a line if possible, and a
// note of how much is omitted. It depends on its arguments alone. Its result is never shortened again.
func shortResult(result, language string) string {
	if len(result) <= minShortened {
		return result
	}
	n := strings.LastIndexByte(result[:keepResultBytes], '\n')
	if n <= 0 {
		n = len(text.Prefix(result, keepResultBytes))
	}
	return result[:n] + "\n" + fmt.Sprintf(phrase(language, phraseOldResult), utf8.RuneCountInString(result[n:]))
}
