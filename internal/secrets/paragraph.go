package secrets

import (
	"strings"

	"github.com/vcpgo/vcp/internal/work"
)

// A paragraph is a part of a text. It begins where the previous paragraph ends.
type paragraph struct {
	from, to int
	inner    int // the end without the line that closes a fence
}

// paragraphsOf returns the paragraphs of a text. Blank lines separate paragraphs, and fenced code
// is one paragraph.
func paragraphsOf(s string) (list []paragraph) {
	work.Add(len(s))
	begin, at, fenced := 0, 0, false
	end := func(inner, to int) {
		if to > begin {
			list = append(list, paragraph{begin, to, inner})
			begin = to
		}
	}
	for line := range strings.Lines(s) {
		next := at + len(line)
		switch trimmed := strings.Trim(line, " \t\r\n>"); {
		case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"):
			if fenced {
				end(at, next)
			} else {
				end(at, at)
			}
			fenced = !fenced
		case trimmed == "" && !fenced:
			end(next, next)
		}
		at = next
	}
	end(len(s), len(s))
	return list
}
