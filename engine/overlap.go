package engine

import (
	"strings"

	"github.com/vcpgo/vcp/internal/work"
)

// overlap skips what a model repeats when it continues a truncated reply. If the new text begins
// with the last lines of the old text, these lines are skipped.
type overlap struct {
	open    bool            // it is not known yet whether the new text begins with a repetition
	endings []string        // endings of the old text that the new text may repeat, the longest first
	same    int             // how many bytes of endings[0] the held text repeats so far
	between string          // the separators that the model wrote after the last whole field; may be empty
	held    strings.Builder // the beginning of the new text, as long as open is set
	lead    int             // bytes of white space at the start of held
}

// maxRepeated limits the length of a repetition that is recognized, in bytes, so that the search
// stays cheap.
const maxRepeated = 16 << 10

// newOverlap returns an overlap for the continuation of written, a reply that ends with the last
// whole field of a truncated request. The request begins at start. An ending begins at the start of
// the reply, of the request or of a line. between is the text that separated that field from what
// the model wrote next.
func newOverlap(written string, start int, between string) overlap {
	o := overlap{open: true, between: between}
	written = strings.TrimRight(written, blanks)
	for at := 0; at < len(written); {
		if len(written)-at <= maxRepeated {
			o.endings = append(o.endings, written[at:])
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

// skipRepeated takes the next piece of the new text and returns what must be parsed. It returns ""
// while the new text may still be a repetition.
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
	for ; len(o.endings) > 0; o.endings, o.same = o.endings[1:], 0 {
		ending := o.endings[0]
		n := min(len(held), len(ending))
		work.Add(n - o.same)
		if held[o.same:n] != ending[o.same:n] {
			continue
		}
		if o.same = n; n == len(held) && n < len(ending) {
			return ""
		}
		o.open = false
		return held[n:]
	}
	return o.end()
}

// end returns the held text when it cannot be a repetition or the model has ended. If the held text
// begins with a member of a JSON object, end adds the separator before it, which was removed with
// the truncated field.
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
