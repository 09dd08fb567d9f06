package reference

import "strings"

// openRuns, C9: returns the lengths of the runs of backticks in s that nothing in s closes. A
// backtick after a backslash opens nothing.
func openRuns(s string) map[int]bool {
	open := map[int]bool{}
	for i := 0; i < len(s); {
		if s[i] == '\\' && i+1 < len(s) && (s[i+1] == '`' || s[i+1] == '\\') {
			i += 2
			continue
		}
		if s[i] != '`' {
			i++
			continue
		}
		n := runAt(s, i)
		i += n
		if at := closingRun(s[i:], map[int]bool{n: true}); at >= 0 {
			i += at + n
			continue
		}
		open[n] = true
	}
	return open
}

// closingRun returns the offset in s of the first run of backticks of one of the lengths, -1 if
// there is none.
func closingRun(s string, lengths map[int]bool) int {
	for i := 0; i < len(s); {
		if s[i] != '`' {
			i++
			continue
		}
		n := runAt(s, i)
		if lengths[n] {
			return i
		}
		i += n
	}
	return -1
}

func runAt(s string, i int) int { return len(s[i:]) - len(strings.TrimLeft(s[i:], "`")) }

// inSpan, C9: reports whether the mark here, which ends at end, is in a code span that ends on its
// line, within 96 bytes.
func (r *reader) inSpan(end int) bool {
	runs := openRuns(r.lineText)
	return len(runs) > 0 && closingRun(r.restOfLine(end), runs) >= 0
}

// spanBehind, C9: a code span that is open before START quotes the request if it is closed after
// it, on the line. What cannot be decided within 96 bytes is quoted too.
func (r *reader) spanBehind(b *block, end int, runs map[int]bool) {
	if len(runs) == 0 || r.tooLong(b) {
		return
	}
	b.around.span = closingRun(r.restOfLine(end), runs) >= 0 || lineEnd(r.text, end)-end >= 96
	for n := range runs {
		b.around.span = b.around.span || n >= 64
	}
}

// restOfLine, C9: returns the rest of the line from p on, at most 96 bytes. Backticks count in it
// wherever they are.
func (r *reader) restOfLine(p int) string {
	return r.text[p:min(p+96, lineEnd(r.text, p))]
}

// peeked is a START that was examined, and the text before it on its line.
type peeked struct {
	at     int
	before string
}

// peek reads the block that START opens without moving the reader.
func (r *reader) peek(m marker, before string) *block {
	key := peeked{m.start, before}
	if b, ok := r.peeks[key]; ok {
		return b
	}
	c := *r
	c.pos, c.lineText = m.start, before
	b := c.block(m)
	r.peeks[key] = b
	return b
}
