package engine

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

// history keeps what a model is shown within Config.HistoryTokens: where it grows longer, old results are shortened, the oldest first;
// where that is not enough, old messages are left out.
//
// A model's server keeps what it has computed for the beginning of a conversation, as long as that stays the same. So messages are
// counted one after the other, and what is done follows from those before alone, whatever comes later and however the conversation is
// parted into runs; what is shortened stays so, in the same words; and it is done in steps, each of which makes room for some time.
type history struct {
	counted int   // messages up to here have been counted
	tokens  int   // what they cost, shortened ones as such
	results []int // of those, the messages with results that can be shortened, oldest first
	newest  []int // and those with results that no reply follows yet
	reply   int   // the last of them that the model wrote

	omitted  int              // messages that are left out
	question protocol.Message // the last question before those, which stays, as it is shown; without a role if there is none
	note     int              // what the note in it costs
}

// How much of the budget is left when results have been shortened, as a fraction: so much comes before the next step.
const (
	stepParts = 4
	stepKeeps = 3
)

// keepResultBytes is how much of the beginning of an old result stays. What is not longer than minShortened stays whole.
const (
	keepResultBytes = 240
	minShortened    = 2 * keepResultBytes
)

// imageTokens is about what models make of a picture of common size; they differ widely.
const imageTokens = 800

// messageTokens estimates what a message costs.
func (r *run) messageTokens(m *protocol.Message) int {
	n := r.tokens(m.Content) + len(m.Images)*imageTokens
	for i := range m.ToolCalls {
		n += r.tokens(m.ToolCalls[i].Name) + r.tokens(m.ToolCalls[i].Arguments)
	}
	return n
}

// fit shortens old results, and leaves out old messages, until the conversation is within its budget or nothing is left that could go.
// The newest results are what the model has asked for last, and stay.
func (c *conversation) fit(r *run) {
	budget := r.settings.config.HistoryTokens
	if budget == 0 {
		return
	}
	h := &c.history
	for ; h.counted < len(c.shown); h.counted++ {
		m := &c.shown[h.counted]
		h.tokens += r.messageTokens(m)
		if m.Role == protocol.RoleAssistant {
			h.results, h.newest, h.reply = append(h.results, h.newest...), nil, h.counted
		}
		if h.tokens > budget {
			for len(h.results) > 0 && h.tokens > budget*stepKeeps/stepParts {
				c.shorten(r, h.results[0])
				h.results = h.results[1:]
			}
		}
		if h.tokens > budget {
			c.trim(r, budget*stepKeeps/stepParts)
		}
		if s := &c.source[h.counted]; s.Role == protocol.RoleTool || len(s.Results) > 0 {
			h.newest = append(h.newest, h.counted)
		}
	}
}

// shorten shortens the results in a message.
func (c *conversation) shorten(r *run, at int) {
	m := &c.source[at]
	if m.Role == protocol.RoleTool {
		m.Content = shortResult(m.Content)
	}
	m.Results = slices.Clone(m.Results) // the caller has them too
	for i := range m.Results {
		m.Results[i].Result = shortResult(m.Results[i].Result)
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
	c.history.tokens += r.tokens(short.Content) - r.tokens(c.shown[at].Content)
	c.shown[at] = short
}

// shortResult returns the beginning of a text, up to the end of a line where there is one, and how much there was. It is made from the
// text alone, and never shortened again.
func shortResult(result string) string {
	if len(result) <= minShortened {
		return result
	}
	n := strings.LastIndexByte(result[:keepResultBytes], '\n')
	if n <= 0 {
		n = len(text.Prefix(result, keepResultBytes))
	}
	return fmt.Sprintf("%s\n[The rest of this old result, %d characters, is left out. Call the method again if you need it.]",
		result[:n], utf8.RuneCountInString(result[n:]))
}
