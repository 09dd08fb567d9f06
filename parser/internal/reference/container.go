package reference

import (
	"slices"
	"strings"
)

// lines is the state of Markdown at a line's start.
type lines struct {
	fence      *fence
	containers []container
	paragraph  bool // the line before belongs to a paragraph, which may continue
	closed     bool // the line before closed the fence
}

// next returns the state after the line text[start:end] (C5).
func (l lines) next(text string, start, end int) lines {
	l.closed = false
	line := text[start:end]
	if l.fence != nil {
		_, open := l.fence.content(line)
		if l.fence.closedBy(line) {
			l.fence, l.paragraph, l.closed = nil, false, true
			return l
		}
		if open {
			return l
		}
		l.fence = nil // the blockquote has ended
	}
	return l.open(text, line, start)
}

// open returns the state after a line outside of fenced code. It reads the line's containers, as
// CommonMark defines them, and a fence that the line opens.
func (l lines) open(text, line string, start int) lines {
	column, rest := 0, line
	base := 0           // the column from which the indent counts
	var now []container // the containers that the line is in
	for _, c := range l.containers {
		at, tail := indent(rest, column)
		if c.quote {
			if !strings.HasPrefix(tail, ">") || at-base > 3 {
				break
			}
			column, rest = quoteSign(at, tail)
			base = column
		} else {
			if tail != "" && at < c.column {
				break
			}
			base = c.column
		}
		now = append(now, c)
	}
	lazy := len(now) < len(l.containers) // the mark or the indent of a container is missing
	indented := false                    // the line is indented so far that it can only continue a paragraph
	fresh := false                       // the innermost container begins on this line
	for {
		at, tail := indent(rest, column)
		if tail == "" { // a blank line
			l.paragraph = false
			l.containers = now
			if n := len(now); n > 0 && now[n-1].empty && !fresh {
				l.containers = now[:n-1] // a list item may begin with one blank line at most
			}
			return l
		}
		if n := len(now); n > 0 && !fresh {
			now = slices.Clone(now)
			now[n-1].empty = false
		}
		if at-base > 3 {
			if !l.paragraph { // indented code
				l.containers = now
				return l
			}
			indented = true
			break
		}
		if strings.HasPrefix(tail, ">") {
			column, rest = quoteSign(at, tail)
			base = column
			now, lazy, l.paragraph, fresh = append(now, container{quote: true}), false, false, true
			continue
		}
		if f, ok := fenceOpener(tail); ok {
			f.start, f.body = start, skipLineBreak(text, start+len(line))
			f.containers = now
			for _, c := range now {
				if c.quote {
					f.quotes++
				}
			}
			l.fence, l.containers, l.paragraph = &f, now, false
			return l
		}
		n := listMarker(tail, l.paragraph && len(now) >= len(l.containers))
		if n == 0 || isHeading(tail) {
			break
		}
		markEnd := at + n
		after := tail[n:]
		at, tail = indent(after, markEnd)
		column, rest = at, tail
		if tail == "" || at-markEnd > 4 { // the item is empty, or it begins with indented code
			at, column, rest = markEnd+1, markEnd, after
		}
		base = at
		now, lazy, l.paragraph, fresh = append(now, container{column: at, empty: tail == ""}), false, false, true
	}
	heading := !indented && (isHeading(rest) || l.paragraph && !lazy && isUnderline(rest))
	if lazy && l.paragraph && !heading {
		now = l.containers // the paragraph continues in all its containers
	}
	l.paragraph = !heading
	l.containers = now
	return l
}

// quoteSign reads the '>' at the start of line, which is in a column, and a blank after it.
func quoteSign(column int, line string) (int, string) {
	if rest, ok := strings.CutPrefix(line, "> "); ok {
		return column + 2, rest
	}
	return column + 1, line[1:]
}

var withoutBlanks = strings.NewReplacer(" ", "", "\t", "")

// isHeading reports whether a line is a heading or a thematic break. Neither continues on the next
// line.
func isHeading(s string) bool {
	s = strings.Trim(s, " \t")
	if n := len(s) - len(strings.TrimLeft(s, "#")); 1 <= n && n <= 6 && (n == len(s) || s[n] == ' ' || s[n] == '\t') {
		return true
	}
	bare := withoutBlanks.Replace(s)
	for _, c := range "-*_" {
		if strings.Trim(bare, string(c)) == "" && len(bare) >= 3 {
			return true
		}
	}
	return false
}

// isUnderline reports whether a line makes a heading of the paragraph before it.
func isUnderline(s string) bool {
	s = strings.Trim(s, " \t")
	return s != "" && (strings.Trim(s, "-") == "" || strings.Trim(s, "=") == "")
}

// listMarker returns the length of a bullet or a number that begins a list item. In a paragraph the
// only number that begins one is 1.
func listMarker(s string, paragraph bool) int {
	n := 0
	if strings.ContainsRune("-*+", rune(s[0])) {
		n = 1
	} else {
		for n < len(s) && n < 9 && '0' <= s[n] && s[n] <= '9' {
			n++
		}
		if n == 0 || n == len(s) || s[n] != '.' && s[n] != ')' || paragraph && s[:n] != "1" {
			return 0
		}
		n++
	}
	if isBlankText(s[n:]) { // an empty item does not interrupt a paragraph
		if paragraph {
			return 0
		}
		return n
	}
	if s[n] == ' ' || s[n] == '\t' {
		return n
	}
	return 0
}

// listLead returns the length of the blanks and the marks of list items at the start of s.
func listLead(s string) int {
	rest := strings.TrimLeft(s, " \t")
	for rest != "" {
		n := listMarker(rest, false)
		if n == 0 || n == len(rest) {
			break
		}
		rest = strings.TrimLeft(rest[n:], " \t")
	}
	return len(s) - len(rest)
}

// isListLead reports whether s is only blanks and the marks of list items (C1).
func isListLead(s string) bool { return listLead(s) == len(s) }

// quoteLine reports whether a line begins with '>' after blanks and the marks of list items, or
// with 96 bytes or more of these (C10).
func quoteLine(line string) bool { return hasQuoteSign(line) || listLead(line) >= 96 }

// hasQuoteSign reports whether the line begins with '>', after blanks and the marks of list items.
func hasQuoteSign(line string) bool {
	return strings.HasPrefix(line[listLead(line):], ">")
}
