package forms

import (
	"slices"
	"strings"
)

// Marked returns the text between the marks of requests in a text, with the marks: what looks like
// a request from outside, but is in no form. Code fences hide their contents.
func Marked(text string) (blocks []string) {
	text = withoutFences(text)
	for i := range all {
		f := &all[i]
		if !strings.HasSuffix(f.Open, ">") || slices.ContainsFunc(all[:i], func(g Form) bool { return g.Open == f.Open }) {
			continue // the mark contains a name, or was searched for already
		}
		for rest := text; len(blocks) < maxMarked; {
			_, after, ok := strings.Cut(rest, f.Open)
			body, next, closed := strings.Cut(after, f.Close)
			if !ok || !closed {
				break
			}
			blocks = append(blocks, f.Open+body+f.Close)
			rest = next
		}
	}
	return blocks
}

// maxMarked limits how many parts of a text are returned.
const maxMarked = 16

// withoutFences returns a text without what is between two lines that begin with a fence.
func withoutFences(text string) string {
	if !strings.Contains(text, "```") {
		return text
	}
	var b strings.Builder
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimLeft(line, " >"), "```") {
			fenced = !fenced
		} else if !fenced {
			b.WriteString(line)
		}
	}
	return b.String()
}
