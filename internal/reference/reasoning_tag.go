package reference

import "strings"

// tag is a reasoning tag.
type tag struct {
	name   string
	closes bool
	end    int
}

// tagAt reads a reasoning tag, in any case, with attributes if it opens, up to 63 bytes in all (C1,
// C3).
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

// openedBefore reports whether the line contains an opener as text before a closer (C3).
func openedBefore(line string) bool {
	open := false
	for i := range line {
		if t, ok := tagAt(line, i); ok {
			open = !t.closes
		}
	}
	return open
}
