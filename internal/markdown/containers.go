package markdown

import "slices"

// maxDepth limits the nesting of blockquotes and list items. Lines that continue a container nested
// deeper are not recognized.
const maxDepth = 12

// MaxPrefix is how much of a line's beginning Containers examines, in bytes. Only a shorter line
// can close fenced code.
const MaxPrefix = 96

// inQuote marks a blockquote in Containers.open.
const inQuote = -1

// Containers are the open blockquotes and list items of CommonMark. Fenced code ends only at a line
// of its own container, and some marks mean nothing in a paragraph. The zero value is the beginning
// of a document.
//
// Each line is read by OpenFence outside fenced code, or by Fenced inside it, and then by EndLine.
type Containers struct {
	// open contains inQuote for a blockquote. For a list item it contains the number of columns by
	// which the content is indented in the item's container.
	open  [maxDepth]int8
	depth int8 // how many containers are open
	// within is how many of the open containers the line belongs to. All stay open if the line
	// continues a paragraph.
	within int8

	paragraph bool // the line before belongs to a paragraph, which this line may continue
	text      bool // the line contains only text of a paragraph
	// The next two describe the line's beginning. Neither is set if it contains only blanks.
	hasContent bool // it contains more than blanks and marks
	onlyMarks  bool // it contains marks, and nothing else but blanks

	opensItem bool // a list item opens on the line, and nothing follows its mark so far
	emptyItem bool // a list item opened on the line before, which contains nothing else
}

// Nested reports whether any container is open.
func (s *Containers) Nested() bool { return s.depth > 0 }

// Unchanged reports whether lines of fenced code cannot change the open containers. In a blockquote
// they can, because a line without a mark ends the blockquote.
func (s *Containers) Unchanged() bool {
	return s.depth == s.within && !s.emptyItem && !slices.Contains(s.open[:s.depth], inQuote)
}

// push opens a container. kind is as in Containers.open.
func (s *Containers) push(kind int) {
	s.depth = s.within
	if s.depth < maxDepth {
		s.open[s.depth] = int8(kind)
		s.depth++
	}
	s.within = s.depth
	s.paragraph, s.emptyItem = false, false
}

// enter determines the containers that the line belongs to.
func (s *Containers) enter(c *cursor) {
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

// Fenced reads the beginning of a line inside fenced code, at most MaxPrefix bytes and no line
// break. closes reports that the line closes the code, if b is the whole line. ended reports that
// the code ended before the line, with the blockquote around it. The code does not end with a list
// item around it, because models do not indent the content of list items.
func (s *Containers) Fenced(b []byte, f Fence) (closes, ended bool) {
	c := cursor{b: b}
	c.blanks()
	outside := false
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
			outside = true
		}
	}
	// A line outside an item may still have a part of the item's indent.
	closes = (outside || c.indent() <= maxIndent) && len(b) < MaxPrefix && f.ClosedBy(c.rest())
	return closes, false
}

// OpenFence reads the beginning of a line outside fenced code, at most MaxPrefix bytes and no line
// break. If the line may open fenced code, OpenFence returns the fence and the beginning of its
// info string. The rest of the line may still show that the line opens none: an info string after
// backticks contains no backtick. more reports that the line has content after b, such as a
// request.
func (s *Containers) OpenFence(b []byte, more bool) (f Fence, info []byte, ok bool) {
	c := cursor{b: b, more: more}
	c.blanks()
	s.enter(&c)
	s.opensItem = false
	for !c.ended() && c.indent() <= maxIndent {
		continues := s.paragraph && s.within == s.depth
		rest := c.rest()
		if c.quote() {
			s.push(inQuote)
			continue
		}
		f, info, ok = OpenFence(rest)
		if ok || !more && (continues && isUnderline(rest) || isRule(rest)) || isHeading(rest) {
			s.depth, s.text, s.hasContent, s.opensItem = s.within, false, true, false
			return f, info, ok
		}
		width := c.item(continues)
		if width == 0 {
			break
		}
		s.push(width)
		s.opensItem = c.empty()
	}
	s.hasContent = !c.empty()
	s.onlyMarks = c.empty() && !OnlyBlanks(b)
	s.text = s.paragraph || c.indent() <= maxIndent
	return Fence{}, nil, false
}

// OpensFence reports whether a line by itself opens fenced code, after the marks of blockquotes and
// list items that open on it. paragraph says that the line may continue a paragraph.
func OpensFence(line []byte, paragraph bool) bool {
	s := Containers{paragraph: paragraph}
	_, _, ok := s.OpenFence(line, false)
	return ok
}

// EndLine records what the line was. blank says that the whole line contains only blanks, apart
// from requests. A line of marks alone counts as blank, too.
func (s *Containers) EndLine(blank bool) {
	blank = !s.hasContent && (blank || s.onlyMarks)
	switch {
	case blank && s.emptyItem && s.depth > 0:
		s.depth-- // a list item begins with at most one blank line
	case blank:
		// A blank line belongs to the list items, with any indent, but not to blockquotes.
		for s.within < s.depth && s.open[s.within] != inQuote {
			s.within++
		}
		s.depth = s.within
	case !s.text || !s.paragraph: // no paragraph continues, so only the line's containers stay open
		s.depth = s.within
	}
	s.emptyItem = blank && s.opensItem
	s.paragraph = s.text && !blank
	s.text, s.hasContent, s.onlyMarks, s.opensItem = false, false, false, false
}
