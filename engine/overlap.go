package engine

import (
	"strings"

	"github.com/vcpgo/vcp/internal/work"
)

// overlap skips what a model repeats when it continues a request. Some models repeat a part of the
// last reply. If the new text begins with the end of the old one, from the start of a line, that
// part is skipped.
type overlap struct {
	open    bool     // whether the start of the new text is still undecided
	lines   []string // what the new text may repeat, the longest first; held may still match the first
	same    int      // how many bytes of the first line match so far
	between string   // the text between two fields; "" if the model wrote none
	held    strings.Builder
	lead    int // bytes of white space at the start of held
}

// maxRepeated limits what is recognized as a repetition, in bytes, so that the search stays cheap.
const maxRepeated = 16 << 10

// newOverlap returns an overlap for a reply that ends with the last whole field of a truncated
// request. The request begins at start. between is what followed that field before something else
// began.
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

// skipRepeated takes a piece of the new text and returns what is to be parsed, as soon as that is
// known.
func (j *overlap) skipRepeated(text string) string {
	if !j.open {
		return text
	}
	work.Add(len(text))
	if j.lead == j.held.Len() { // only white space so far
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

// end returns what is still held when the model has ended. If that begins with a member of a JSON
// object, end adds the comma before the member: the model could not know that the comma was
// missing.
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
