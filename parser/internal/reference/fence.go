package reference

import "strings"

// fence is fenced code (C5).
type fence struct {
	mark       byte
	run        int // how many marks open it
	info       string
	quotes     int // the number of blockquotes around it
	containers []container
	start      int  // where its opening line begins
	body       int  // where the line after the opening line begins
	hasLines   bool // the opening line has ended
}

// container is a blockquote or a list item that is open.
type container struct {
	quote  bool
	column int  // the column of a list item's content
	empty  bool // the list item has no content yet
}

// fenceOpener reads three or more backticks or tildes and the info string after them. An info
// string after backticks contains no backtick.
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

// content removes the signs of the fence's blockquotes from a line. It returns false if a sign is
// missing: the fence ends with the blockquote.
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

// closedBy reports whether a whole line closes the fence.
func (f *fence) closedBy(line string) bool {
	content, open := f.content(line)
	return open && len(line) < 96 && f.closes(content)
}

// closes reports whether a line closes the fence. The line may be indented by up to 3 blanks. If a
// list item directly contains the fence, they count from the content of that item.
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

// indent returns the width of the blanks at the start of the line, counted from a column, and the
// rest of the line.
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
