package engine

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

// After shortening, the conversation uses at most stepKeeps/stepParts of the budget, if enough can
// be shortened. The rest is room for later messages, so that not every new message needs another
// shortening.
const (
	stepParts = 4
	stepKeeps = 3
)

// shortResultBytes is how much of the beginning of an old result stays. A result of at most
// minShortened bytes stays whole.
const (
	shortResultBytes = 240
	minShortened     = 2 * shortResultBytes
)

// fit shortens old results and omits old messages until the conversation is within its budget or
// nothing more can be omitted. The newest results stay whole, because the model has just requested
// them.
func (c *runConversation) fit() {
	budget := c.budget
	if budget == 0 {
		return
	}
	h := &c.history
	for ; h.counted < len(c.shown); h.counted++ {
		m := &c.shown[h.counted]
		h.tokens += c.count.message(m)
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

// shorten shortens the results in the message with the index i.
func (c *runConversation) shorten(i int) {
	m := &c.source[i]
	if m.Role == protocol.RoleTool {
		m.Content = shortResult(m.Content, c.renderer.language)
	}
	m.Results = slices.Clone(m.Results) // the caller has them too
	for k := range m.Results {
		m.Results[k].Result = shortResult(m.Results[k].Result, c.renderer.language)
	}
	short := *m
	c.renderer.render(&short)
	if short.Content == c.shown[i].Content {
		return
	}
	c.unshare()
	c.history.tokens += c.count.text(short.Content) - c.count.text(c.shown[i].Content)
	c.shown[i] = short
}

// shortResult returns the beginning of a long result, up to the end of a line if possible, and a
// note of how much is omitted. The text that it returns is never shortened again.
func shortResult(result, language string) string {
	if len(result) <= minShortened {
		return result
	}
	n := strings.LastIndexByte(result[:shortResultBytes], '\n')
	if n <= 0 {
		n = len(text.Prefix(result, shortResultBytes))
	}
	return result[:n] + "\n" + phraseOldResult.in(language, utf8.RuneCountInString(result[n:]))
}
