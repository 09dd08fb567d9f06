package forms

import (
	"slices"
	"strings"
)

// Marked returns the parts of a text that begin and end with the marks of a request, whatever is
// between them. It ignores code between fences of backticks, and forms in which a name follows the
// opening mark. It returns up to maxMarked parts.
func Marked(text string) (blocks []string) {
	text = withoutFencedCode(text)
	for i := range allForms {
		f := &allForms[i]
		sameMark := func(g Form) bool { return g.Open == f.Open }
		if !strings.HasSuffix(f.Open, ">") || slices.ContainsFunc(allForms[:i], sameMark) {
			continue // a name follows the mark, or the mark was searched for already
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

// Body returns the text between the marks of a request, and both marks. ok is false if the block
// does not begin and end with the marks of a form.
func Body(block string) (opening, body, closing string, ok bool) {
	for i := range allForms {
		f := &allForms[i]
		if after, found := strings.CutPrefix(block, f.Open); found {
			if body, ok = strings.CutSuffix(after, f.Close); ok {
				return f.Open, body, f.Close, true
			}
		}
	}
	return "", "", "", false
}

// maxMarked limits how many parts of a text Marked returns, and how many calls CodeCalls yields.
const maxMarked = 16

// withoutFencedCode returns a text without the code between fences of backticks, and without these
// fences.
func withoutFencedCode(text string) string {
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
