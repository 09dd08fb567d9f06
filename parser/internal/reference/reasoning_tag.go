package reference

import "strings"

// tag is a reasoning tag.
type tag struct {
	name   string
	closes bool
	end    int
}

// tagAt reads a reasoning tag, in any letter case. It has up to 63 bytes between its name and '>':
// attributes in an opener, blanks in a closer (C1).
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
		if n <= 63 {
			return tag{name, closes, len(text) - len(tail) + n + 1}, true
		}
	}
	return tag{}, false
}

// opensLine reports whether the tag at p is at the start of its line, which begins at line (C1).
func opensLine(text string, line int, t tag, p int) bool {
	return isListLead(text[line:p]) && t.end-line <= 96
}

// openedBefore reports whether the last reasoning tag in line is an opener. line is the text before
// a closer, which then belongs to that opener (C3).
func openedBefore(line string) bool {
	open := false
	for i := range line {
		if t, ok := tagAt(line, i); ok {
			open = !t.closes
		}
	}
	return open
}
