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
	o := overlap{open: true, between: between}
	written = strings.TrimRight(written, blanks)
	for at := 0; at < len(written); {
		if len(written)-at <= maxRepeated {
			o.lines = append(o.lines, written[at:])
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
	return o
}

const blanks = " \t\r\n"

// skipRepeated takes a piece of the new text and returns what is to be parsed, as soon as that is
// known.
func (o *overlap) skipRepeated(text string) string {
	if !o.open {
		return text
	}
	work.Add(len(text))
	if o.lead == o.held.Len() { // only white space so far
		o.lead += len(text) - len(strings.TrimLeft(text, blanks))
	}
	o.held.WriteString(text)
	held := o.held.String()[o.lead:]
	if held == "" {
		return ""
	}
	for ; len(o.lines) > 0; o.lines, o.same = o.lines[1:], 0 {
		line := o.lines[0]
		n := min(len(held), len(line))
		work.Add(n - o.same)
		if held[o.same:n] != line[o.same:n] {
			continue
		}
		if o.same = n; n == len(held) && n < len(line) {
			return ""
		}
		o.open = false
		return held[n:]
	}
	return o.end()
}

// end returns what is still held when the model has ended. If that begins with a member of a JSON
// object, end adds the comma before the member: the model could not know that the comma was
// missing.
func (o *overlap) end() string {
	if !o.open {
		return ""
	}
	o.open = false
	held := o.held.String()
	if strings.HasPrefix(held[o.lead:], `"`) {
		return o.between + held
	}
	return held
}
