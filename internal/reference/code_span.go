package reference

import "strings"

// openRuns, C9: returns the lengths of the runs of backticks in s that nothing in s closes. A
// backtick behind a backslash opens nothing.
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

// closingRun returns where in s the first run of backticks of one of the lengths begins, -1 if
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

// inSpan, C9: reports whether the place is in a code span that ends on its line.
func (r *reader) inSpan() bool {
	runs := openRuns(r.lineText)
	return len(runs) > 0 && closingRun(r.textBehind(r.pos, r.lineText), runs) >= 0
}

// spanBehind, C9: a code span that is open before START quotes the request if it is closed behind
// it, on the line. What cannot be told within 96 bytes is quoted too.
func (r *reader) spanBehind(b *block, end int, runs map[int]bool) {
	if len(runs) == 0 || r.tooLong(b) {
		return
	}
	b.around.span = closingRun(r.textBehind(end, r.lineText+"\x00"), runs) >= 0 || lineEnd(r.text, end)-end >= 96
	for n := range runs {
		b.around.span = b.around.span || n >= 64
	}
}

// textBehind returns the text from p to the end of its line, less the requests in it: backticks in
// values never pair. before is what stands before p on the line.
func (r *reader) textBehind(p int, before string) string {
	end := lineEnd(r.text, p)
	var b strings.Builder
	for p < end {
		if m, ok := r.markerAt(p); ok && m.kind == requestStart {
			if block := r.peek(m, before+b.String()); block != nil {
				b.WriteByte(0)
				p = block.end
				continue
			}
		}
		b.WriteByte(r.text[p])
		p++
	}
	return b.String()
}

// peeked is a START that was looked at, and what stands before it on its line.
type peeked struct {
	at     int
	before string
}

// peek reads the block that START opens without going there.
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
