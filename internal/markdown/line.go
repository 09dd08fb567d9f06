package markdown

import (
	"bytes"
	"strings"
)

// cursor walks over the marks at the beginning of a line.
type cursor struct {
	b    []byte
	i    int  // index in b of the next byte that is not a blank
	col  int  // the column of that byte
	base int  // the first column of the container's content
	more bool // the line has content after b
}

// blanks skips spaces and tabs.
func (c *cursor) blanks() {
	for ; c.i < len(c.b); c.i++ {
		switch c.b[c.i] {
		case ' ':
			c.col++
		case '\t':
			c.col += 4 - c.col%4
		default:
			return
		}
	}
}

func (c *cursor) rest() []byte { return c.b[c.i:] }
func (c *cursor) indent() int  { return c.col - c.base }
func (c *cursor) ended() bool  { return c.i == len(c.b) }      // whether the rest of b is blank
func (c *cursor) empty() bool  { return c.ended() && !c.more } // whether the rest of the line is blank

// quote reads the mark of a blockquote, and reports whether there is one.
func (c *cursor) quote() bool {
	if c.ended() || c.indent() > maxIndent || c.b[c.i] != '>' {
		return false
	}
	c.i++
	c.col++
	c.base = c.col
	if !c.ended() && IsBlank(c.b[c.i]) {
		c.base++
	}
	c.blanks()
	return true
}

// item reads the mark of a list item and returns the number of columns by which the item's content
// is indented. It returns 0 if no item begins here. In a paragraph an item must have content, and
// the number of a numbered item must be 1.
func (c *cursor) item(inParagraph bool) int {
	n := listMark(c.rest())
	if n == 0 || n == len(c.rest()) && c.more { // a blank must follow
		return 0
	}
	next := *c
	next.i += n
	next.col += n
	next.base = next.col + 1
	next.blanks()
	if inParagraph && (next.empty() || n > 1 && string(c.b[c.i:c.i+n-1]) != "1") {
		return 0
	}
	// After more than four blanks the content is indented code, which begins one blank after the
	// mark.
	if blanks := next.col - next.base + 1; !next.empty() && blanks <= maxIndent+1 {
		next.base = next.col
	}
	width := next.base - c.base
	*c = next
	return width
}

// maxItemDigits is the maximum number of digits in the number of a list item.
const maxItemDigits = 9

// listMark returns the length of the mark of a list item at the start of b. A blank or the end of b
// must follow the mark and is not counted.
func listMark(b []byte) int {
	var i int
	switch {
	case len(b) == 0:
		return 0
	case b[0] == '-' || b[0] == '*' || b[0] == '+':
		i = 1
	default:
		i = digits(b[:min(len(b), maxItemDigits)])
		if i == 0 || i == len(b) || b[i] != '.' && b[i] != ')' {
			return 0
		}
		i++
	}
	if i == len(b) || IsBlank(b[i]) {
		return i
	}
	return 0
}

// digits returns how many digits b begins with.
func digits(b []byte) int {
	n := 0
	for n < len(b) && '0' <= b[n] && b[n] <= '9' { // a plain loop, because every line of text is examined
		n++
	}
	return n
}

// isRule reports whether a line is a thematic break. The line is not empty.
func isRule(b []byte) bool {
	return strings.IndexByte("-*_", b[0]) >= 0 && bytes.Count(b, b[:1]) >= 3 &&
		len(bytes.Trim(b, string(b[:1])+" \t")) == 0
}

// isUnderline reports whether a line makes the paragraph before it a heading. The line is not
// empty.
func isUnderline(b []byte) bool {
	return (b[0] == '=' || b[0] == '-') && len(bytes.TrimLeft(bytes.TrimRight(b, " \t"), string(b[0]))) == 0
}

// isHeading reports whether a line is a heading.
func isHeading(b []byte) bool {
	rest := bytes.TrimLeft(b, "#")
	n := len(b) - len(rest)
	return 1 <= n && n <= 6 && (len(rest) == 0 || IsBlank(rest[0]))
}

// ReadMarks reads the marks of blockquotes and list items at the start of a line, without regard to
// the lines before. It returns the offset of the line's content, and whether any mark is a
// blockquote's.
func ReadMarks(line []byte) (content int, quoted bool) {
	for {
		for content < len(line) && IsBlank(line[content]) {
			content++
		}
		rest := line[content:]
		if len(rest) > 0 && rest[0] == '>' {
			quoted = true
			content++
			continue
		}
		n := listMark(rest)
		if n == 0 {
			return content, quoted
		}
		content += n
	}
}

// MayChange reports whether more input could change what a line is. content is the line's content
// so far, after the marks that ReadMarks reads.
func MayChange(content []byte) bool {
	if len(content) == 0 {
		return true
	}
	switch c := content[0]; {
	case c == '`' || c == '~':
		f, rest := fenceRun(content)
		// A closing line and an info string are known only at the line's end.
		return len(rest) == 0 || f.Run >= 3
	case c == '<':
		_, short := ReadReasoningTag(content)
		return short
	case '0' <= c && c <= '9':
		n := digits(content)
		return n == len(content) && n <= maxItemDigits ||
			n+1 == len(content) && (content[n] == '.' || content[n] == ')')
	case c == '-' || c == '*' || c == '+' || c == '_' || c == '=' || c == '#':
		return len(bytes.Trim(content, string(c)+" \t")) == 0
	}
	return false
}
