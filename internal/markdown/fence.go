// Package markdown holds the line rules of Markdown that decide where a request stands: fenced
// code, blockquotes, list items, and the tags of reasoning sections. Its functions look at the
// beginning of one line each. They never change their input, and keep none of it.
package markdown

import "bytes"

// MaxIndent is how many columns of blanks may stand before a mark that opens or closes a block.
const MaxIndent = 3

// Fence is what opens fenced code: a run of backticks or tildes. The zero Fence opens none.
type Fence struct {
	Mark byte // '`' or '~'
	Run  int  // how many of them, at least 3
}

// OpenFence reads a line that may open fenced code and returns its fence and its info string. The
// line has no line break and no container's marks (CommonMark 4.5).
func OpenFence(line []byte) (f Fence, info []byte, ok bool) {
	f, rest := fenceRun(bytes.TrimLeft(line, " "))
	indent := len(line) - len(bytes.TrimLeft(line, " "))
	if indent > MaxIndent || f.Run < 3 || f.Mark == '`' && bytes.IndexByte(rest, '`') >= 0 {
		return Fence{}, nil, false
	}
	return f, bytes.Trim(rest, " \t"), true
}

// ClosedBy reports whether a line closes the fenced code that f has opened. The line has no line
// break and no container's marks.
func (f Fence) ClosedBy(line []byte) bool {
	bare := bytes.TrimLeft(line, " ")
	closer, rest := fenceRun(bare)
	return len(line)-len(bare) <= MaxIndent && closer.Run > 0 && closer.Mark == f.Mark && closer.Run >= f.Run && OnlyBlanks(rest)
}

// fenceRun reads the run of backticks or tildes that b begins with.
func fenceRun(b []byte) (f Fence, rest []byte) {
	if len(b) == 0 || b[0] != '`' && b[0] != '~' {
		return Fence{}, b
	}
	n := 1
	for n < len(b) && b[n] == b[0] {
		n++
	}
	return Fence{b[0], n}, b[n:]
}

// IsBlank reports whether c is a space or a tab.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' }

// OnlyBlanks reports whether b holds nothing but spaces and tabs.
func OnlyBlanks(b []byte) bool {
	for _, c := range b {
		if !IsBlank(c) {
			return false
		}
	}
	return true
}
