package reference

import "strings"

// openRuns returns the lengths of the runs of backticks in s that nothing in s closes (C9). A
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

// closingRun returns the offset in s of the first run of backticks of one of the lengths, or -1.
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

// runAt returns the length of the run of backticks at the start of s[i:].
func runAt(s string, i int) int { return len(s[i:]) - len(strings.TrimLeft(s[i:], "`")) }

// restOfLine returns the rest of the line from p on, at most 96 bytes. In it, backticks may close a
// code span that is open at p, even backticks in a later request (C9).
func (in *input) restOfLine(p int) string {
	return in.text[p:min(p+96, lineEnd(in.text, p))]
}
