package parser

import (
	"bytes"
	"slices"

	"github.com/vcpgo/vcp/protocol"
)

// maxContainers bounds how many quotations and list items are followed inside of each other. What is deeper is read, but a line
// that goes on with it is not told from others.
const maxContainers = 12

// inQuote stands in containers.open for a quotation.
const inQuote = -1

// maxIndent is how many columns of blanks may stand before what opens or closes a block.
const maxIndent = 3

// containers are the quotations and list items that are open, as CommonMark has them: fenced code ends at a line of its own
// container only, and some marks mean nothing where a paragraph goes on.
type containers struct {
	// open holds inQuote for a quotation, and for a list item how many columns its content is indented in its own container.
	open  [maxContainers]int8
	depth int8
	// within is how many of them the line belongs to. Where it is a paragraph's, all stay open.
	within int8

	paragraph bool // the line before is a paragraph's, and this one may go on with it
	text      bool // the line holds nothing that is no paragraph's
	blank     bool // the line's beginning holds nothing but blanks and marks
	marks     bool // and there are marks
	begins    bool // a list item opens on the line, and nothing stands behind its mark so far
	hollow    bool // a list item opened on the line before, which holds nothing else
}

// cursor walks over the marks at the beginning of a line.
type cursor struct {
	b    []byte
	i    int // the next byte that is no blank
	col  int // its column
	base int // the column in which the content of the container begins
}

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
func (c *cursor) ended() bool  { return c.i == len(c.b) }

// quote takes the mark of a quotation.
func (c *cursor) quote() bool {
	if c.ended() || c.indent() > maxIndent || c.b[c.i] != '>' {
		return false
	}
	c.i++
	c.col++
	c.base = c.col
	if !c.ended() && isBlank(c.b[c.i]) {
		c.base++
	}
	c.blanks()
	return true
}

// item takes the mark of a list item and returns how far it indents its content, 0 where there is none. Inside of a paragraph only
// an item that has content, and the number 1 where it has any, is one.
func (c *cursor) item(inParagraph bool) int {
	n := listMark(c.rest())
	if n == 0 {
		return 0
	}
	next := *c
	next.i += n
	next.col += n
	next.base = next.col + 1
	next.blanks()
	if inParagraph && (next.ended() || n > 1 && string(c.b[c.i:c.i+n-1]) != "1") {
		return 0
	}
	if blanks := next.col - next.base + 1; !next.ended() && blanks <= maxIndent+1 {
		next.base = next.col
	}
	width := next.base - c.base
	*c = next
	return width
}

// listMark returns the length of the mark of a list item at the start of b, without the blank behind it that it needs.
func listMark(b []byte) int {
	i := 0
	switch {
	case len(b) == 0:
		return 0
	case b[0] == '-' || b[0] == '*' || b[0] == '+':
		i = 1
	default:
		for i < len(b) && i < 9 && '0' <= b[i] && b[i] <= '9' {
			i++
		}
		if i == 0 || i == len(b) || b[i] != '.' && b[i] != ')' {
			return 0
		}
		i++
	}
	if i == len(b) || isBlank(b[i]) {
		return i
	}
	return 0
}

// settled reports whether lines of fenced code change nothing about what is open. In a quotation each of
// them needs a mark.
func (s *containers) settled() bool {
	return s.depth == s.within && !s.hollow && !slices.Contains(s.open[:s.depth], inQuote)
}

// push opens a container.
func (s *containers) push(kind int) {
	s.depth = s.within
	if s.depth < maxContainers {
		s.open[s.depth] = int8(kind)
		s.depth++
	}
	s.within = s.depth
	s.paragraph, s.hollow = false, false
}

// enter goes into the containers that the line belongs to.
func (s *containers) enter(c *cursor) {
	s.within = 0
	for ; s.within < s.depth; s.within++ {
		kind := s.open[s.within]
		switch {
		case kind == inQuote && c.quote():
		case kind != inQuote && c.indent() >= int(kind):
			c.base += int(kind)
		default:
			return
		}
	}
}

// inFence reads the beginning of a line where fenced code is open. The code ends at its closing line, and with a quotation that it
// stands in; with a list item it does not end, since models write its content flush left (C5).
func (s *containers) inFence(b []byte, f *fence) (closes, ends bool) {
	c := cursor{b: b}
	c.blanks()
	left := false
	for n := range s.depth {
		kind := s.open[n]
		switch {
		case kind == inQuote:
			if !c.quote() {
				return false, true
			}
		case c.indent() >= int(kind):
			c.base += int(kind)
		default:
			left = true
		}
	}
	// Of a longer line the end is not known here.
	closes = (left || c.indent() <= maxIndent) && len(b) < maxLinePrefix && protocol.FenceCloser(c.rest(), f.mark, f.run)
	return closes, false
}

// beginLine reads the beginning of a line outside of fenced code. It returns what opens fenced code there, nil where nothing does.
func (s *containers) beginLine(b []byte) (code []byte) {
	c := cursor{b: b}
	c.blanks()
	s.enter(&c)
	s.begins = false
	for !c.ended() && c.indent() <= maxIndent {
		goesOn := s.paragraph && s.within == s.depth
		rest := c.rest()
		if c.quote() {
			s.push(inQuote)
			continue
		}
		mark, run := fenceStart(rest)
		fenced := run >= 3 && (mark == '~' || bytes.IndexByte(rest[run:], '`') < 0)
		if fenced || goesOn && isUnderline(rest) || isRule(rest) || isHeading(rest) {
			s.depth, s.text, s.blank, s.begins = s.within, false, false, false
			if fenced {
				return rest
			}
			return nil
		}
		width := c.item(goesOn)
		if width == 0 {
			break
		}
		s.push(width)
		s.begins = c.ended()
	}
	s.blank = c.ended()
	s.marks = s.blank && !onlyBlanks(b)
	s.text = s.paragraph || c.indent() <= maxIndent
	return nil
}

// endLine takes note of what the line was. blank tells that it holds nothing besides blanks: a request may stand on it. Behind
// marks a request is passed over.
func (s *containers) endLine(blank bool) {
	blank = s.blank && (blank || s.marks)
	switch {
	case blank && s.hollow && s.depth > 0:
		s.depth--
	case blank:
		// It belongs to the list items whatever its indent, but not to quotations.
		for s.within < s.depth && s.open[s.within] != inQuote {
			s.within++
		}
		s.depth = s.within
	case !s.text || !s.paragraph:
		s.depth = s.within
	}
	s.hollow = blank && s.begins
	s.paragraph = s.text && !blank
	s.text, s.blank, s.marks, s.begins = false, true, false, false
}

// isRule reports whether a line is a thematic break.
func isRule(b []byte) bool {
	if b[0] != '-' && b[0] != '*' && b[0] != '_' {
		return false
	}
	n := 0
	for _, c := range b {
		switch {
		case c == b[0]:
			n++
		case !isBlank(c):
			return false
		}
	}
	return n >= 3
}

// isUnderline reports whether a line makes the paragraph before it a heading.
func isUnderline(b []byte) bool {
	return (b[0] == '=' || b[0] == '-') && len(bytes.TrimLeft(bytes.TrimRight(b, " \t"), string(b[0]))) == 0
}

// isHeading reports whether a line is a heading.
func isHeading(b []byte) bool {
	rest := bytes.TrimLeft(b, "#")
	n := len(b) - len(rest)
	return 1 <= n && n <= 6 && (len(rest) == 0 || isBlank(rest[0]))
}

func onlyBlanks(b []byte) bool {
	for _, c := range b {
		if !isBlank(c) {
			return false
		}
	}
	return true
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
