package engine

import (
	"strings"

	"github.com/vcpgo/vcp/internal/work"
)

// overlap leaves out what a model repeats when it continues a request. Some models write a part of the
// last reply once more: if the new text begins with the end of the old one, from the start of one of
// its lines, that is left out.
type overlap struct {
	open    bool     // it is not known yet how the new text begins
	lines   []string // what it may repeat, the longest first; of what is held the first is not known to differ
	same    int      // how many bytes of the first line the new text is known to repeat
	between string   // stands between fields; "" if the model wrote nothing there
	held    strings.Builder
	lead    int // how many bytes of white space held begins with
}

// maxRepeated bounds what a model is believed to repeat, in bytes, so that the search for it stays cheap.
const maxRepeated = 16 << 10

// newOverlap makes one for a reply that ends with the last whole field of a truncated request, which
// begins at start. between is what followed that field before something else began.
func newOverlap(written string, start int, between string) overlap {
	j := overlap{open: true, between: between}
	written = strings.TrimRight(written, blanks)
	for at := 0; at < len(written); {
		if len(written)-at <= maxRepeated {
			j.lines = append(j.lines, written[at:])
		}
		next := len(written)
		if n := strings.IndexByte(written[at:], '\n'); n >= 0 {
			next = at + n + 1
		}
		if at < start && start < next {
			next = start
		}
		at = next
	}
	return j
}

const blanks = " \t\r\n"

// skipRepeated takes a piece of the new text and returns what is to be parsed, as soon as that is known.
func (j *overlap) skipRepeated(text string) string {
	if !j.open {
		return text
	}
	work.Add(len(text))
	if j.lead == j.held.Len() { // nothing else so far
		j.lead += len(text) - len(strings.TrimLeft(text, blanks))
	}
	j.held.WriteString(text)
	held := j.held.String()[j.lead:]
	if held == "" {
		return ""
	}
	for ; len(j.lines) > 0; j.lines, j.same = j.lines[1:], 0 {
		line := j.lines[0]
		n := min(len(held), len(line))
		work.Add(n - j.same)
		if held[j.same:n] != line[j.same:n] {
			continue
		}
		if j.same = n; n == len(held) && n < len(line) {
			return ""
		}
		j.open = false
		return held[n:]
	}
	return j.end()
}

// end returns what is still held when the model has ended. A member of a JSON object that comes without
// the comma before it gets one: the model could not know whether it had written it.
func (j *overlap) end() string {
	if !j.open {
		return ""
	}
	j.open = false
	held := j.held.String()
	if strings.HasPrefix(held[j.lead:], `"`) {
		return j.between + held
	}
	return held
}
