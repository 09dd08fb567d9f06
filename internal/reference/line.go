package reference

import (
	"slices"
	"strings"
	"unicode"
)

// lineEnd returns where the line of p ends, without its line break.
func lineEnd(text string, p int) int {
	if n := strings.IndexAny(text[p:], "\r\n"); n >= 0 {
		return p + n
	}
	return len(text)
}

// lineStart returns where the line of p begins.
func lineStart(text string, p int) int {
	for p > 0 && !isLineStart(text, p) {
		p--
	}
	return p
}

// isLineStart reports whether a line begins at p. A byte order mark at the start of the message is no part of its first line (C5).
func isLineStart(text string, p int) bool {
	if p == 0 || p == len("\ufeff") && strings.HasPrefix(text, "\ufeff") {
		return true
	}
	return text[p-1] == '\n' && p > 0 || text[p-1] == '\r' && (p == len(text) || text[p] != '\n')
}

// skipLineBreak returns the place behind the one line break at p, if there is one.
func skipLineBreak(text string, p int) int {
	if strings.HasPrefix(text[p:], "\r\n") {
		return p + 2
	}
	if p < len(text) && (text[p] == '\n' || text[p] == '\r') {
		return p + 1
	}
	return p
}

func isBlankText(s string) bool { return strings.Trim(s, " \t") == "" }

func isSpaceText(s string) bool { return strings.TrimFunc(s, unicode.IsSpace) == "" }

// quoteLine, C10: reports whether the first non-blank character of the line is '>', or whether it begins with 96 blanks or more.
// A '>' behind the marks of list items counts too.
func quoteLine(line string) bool {
	rest := strings.TrimLeft(line, " \t")
	at := strings.IndexByte(line, '>')
	return at >= 0 && isListLead(line[:at]) || len(line)-len(rest) >= 96
}

// fence is fenced code (C5).
type fence struct {
	mark       byte
	run        int
	info       string
	quotes     int // how many blockquotes it stands in
	containers []container
	start      int // of its opening line
	body       int // where the line after it begins
}

// container is a blockquote or a list item that is open.
type container struct {
	quote  bool
	column int  // of a list item's content
	empty  bool // nothing stands in the list item yet
}

// lines is the state of Markdown at a line's start.
type lines struct {
	fence      *fence
	containers []container
	paragraph  bool // the last line may go on
	closed     bool // the line has closed the fence
}

// next, C5: reads the line that stands in text[start:end].
func (l lines) next(text string, start, end int) lines {
	l.closed = false
	line := text[start:end]
	if l.fence != nil {
		content, open := l.fence.content(line)
		if open && l.fence.closes(content) {
			l.fence, l.paragraph, l.closed = nil, false, true
			return l
		}
		if open {
			return l
		}
		l.containers, l.fence = nil, nil // the blockquote has ended, and the line is read without it
	}
	return l.open(text, line, start)
}

// content takes the signs of the fence's blockquotes from a line. In a blockquote a fence ends with the quote.
func (f *fence) content(line string) (string, bool) {
	for range f.quotes {
		rest := strings.TrimLeft(line, " \t")
		if !strings.HasPrefix(rest, ">") {
			return line, false
		}
		line = strings.TrimPrefix(rest[1:], " ")
	}
	return line, true
}

// closes reports whether a line closes the fence. The line may be indented by up to 3 blanks, from the line's start or from the
// content of any list item that the fence stands in.
func (f *fence) closes(line string) bool {
	blanks, rest := indent(line, 0)
	n := len(rest) - len(strings.TrimLeft(rest, string(f.mark)))
	if n < f.run || !isBlankText(rest[n:]) {
		return false
	}
	column := 0
	for _, c := range f.containers {
		column = c.column // 0 for a blockquote
	}
	return blanks <= column+3
}

// indent returns how wide the blanks are that the line begins with, counted from a column, and what stands behind them.
func indent(line string, column int) (int, string) {
	for line != "" && (line[0] == ' ' || line[0] == '\t') {
		if line[0] == '\t' {
			column += 4 - column%4
		} else {
			column++
		}
		line = line[1:]
	}
	return column, line
}

// open reads a line outside of fenced code: which containers it stands in, as CommonMark has it, and whether it opens a fence.
func (l lines) open(text, line string, start int) lines {
	column, rest := 0, line
	base := 0 // the column that the indent counts from
	var now []container
	for _, c := range l.containers {
		at, tail := indent(rest, column)
		if c.quote {
			if !strings.HasPrefix(tail, ">") || at-base > 3 {
				break
			}
			column, rest = at+1, tail[1:]
			if strings.HasPrefix(rest, " ") {
				column, rest = column+1, rest[1:]
			}
			base = column
		} else {
			if tail != "" && at < c.column {
				break
			}
			base = c.column
		}
		now = append(now, c)
	}
	lazy := len(now) < len(l.containers)
	fresh := false // the innermost container begins on this line
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
			break
		}
		if strings.HasPrefix(tail, ">") {
			column, rest = at+1, tail[1:]
			if strings.HasPrefix(rest, " ") {
				column, rest = column+1, rest[1:]
			}
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
		n := listMarker(tail, l.paragraph && !lazyBroken(now, l.containers))
		if n == 0 || isHeading(tail) {
			break
		}
		markEnd := at + n
		behind := tail[n:]
		at, tail = indent(behind, markEnd)
		column, rest = at, tail
		if tail == "" || at-markEnd > 4 {
			at, column, rest = markEnd+1, markEnd, behind
		}
		base = at
		now, lazy, l.paragraph, fresh = append(now, container{column: at, empty: tail == ""}), false, false, true
	}
	if lazy && l.paragraph && !isHeading(rest) {
		now = l.containers // the paragraph goes on, with all that it stands in
	}
	l.paragraph = !isHeading(rest)
	l.containers = now
	return l
}

// lazyBroken reports whether the line stands in fewer containers than the paragraph before it.
func lazyBroken(now, before []container) bool { return len(now) < len(before) }

// isHeading reports whether a line is a heading, its underline, or a thematic break, none of which goes on.
func isHeading(s string) bool {
	s = strings.Trim(s, " \t")
	if n := len(s) - len(strings.TrimLeft(s, "#")); 1 <= n && n <= 6 && (n == len(s) || s[n] == ' ' || s[n] == '\t') {
		return true
	}
	bare := strings.NewReplacer(" ", "", "\t", "").Replace(s)
	for _, c := range "-*_=" {
		if strings.Trim(bare, string(c)) == "" && (len(bare) >= 3 || c == '=' && bare != "") {
			return true
		}
	}
	return false
}

// fenceOpener reads three or more backticks or tildes and the info string behind them. Backticks have none in theirs.
func fenceOpener(s string) (fence, bool) {
	if s == "" || s[0] != '`' && s[0] != '~' {
		return fence{}, false
	}
	n := len(s) - len(strings.TrimLeft(s, s[:1]))
	if n < 3 || s[0] == '`' && strings.Contains(s[n:], "`") {
		return fence{}, false
	}
	return fence{mark: s[0], run: n, info: strings.Trim(s[n:], " \t")}, true
}

// listMarker returns the length of a bullet or a number that begins a list item. In a paragraph only 1 does.
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

// tag is a reasoning tag.
type tag struct {
	name   string
	closes bool
	end    int
}

// tagAt, C1 and C3: reads a reasoning tag, in any case, with attributes if it opens, up to 63 bytes in all.
func tagAt(text string, i int) (tag, bool) {
	rest, ok := strings.CutPrefix(text[i:], "<")
	if !ok {
		return tag{}, false
	}
	rest, closes := strings.CutPrefix(rest, "/")
	for _, name := range []string{"think", "thinking", "reasoning", "reason", "thought"} {
		if len(rest) <= len(name) || !strings.EqualFold(rest[:len(name)], name) {
			continue
		}
		tail := rest[len(name):]
		n := strings.IndexAny(tail, "<>\r\n")
		if n < 0 || tail[n] != '>' || n > 0 && tail[0] != ' ' && tail[0] != '\t' || closes && !isBlankText(tail[:n]) {
			continue
		}
		end := len(text) - len(tail) + n + 1
		if end-i <= 63 {
			return tag{name, closes, end}, true
		}
	}
	return tag{}, false
}
