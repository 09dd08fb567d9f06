// Package markdown implements the line rules of Markdown that decide whether a request is quoted:
// fenced code, blockquotes, list items, and the tags of reasoning sections. The functions neither
// change nor keep their input.
package markdown

import "bytes"

// maxIndent is how many columns of blanks may precede a mark that opens or closes a block.
const maxIndent = 3

// Fence is a run of backticks or tildes that opens fenced code. The zero Fence means none.
type Fence struct {
	Mark byte // '`' or '~'
	Run  int  // how many marks, at least 3
}

// OpenFence reads a line that may open fenced code and returns its fence and its info string. ok is
// false if the line opens none. The line has no line break and no container's marks (CommonMark
// 4.5).
func OpenFence(line []byte) (f Fence, info []byte, ok bool) {
	f, rest := fenceRun(unindented(line))
	if f.Run < 3 || f.Mark == '`' && bytes.IndexByte(rest, '`') >= 0 {
		return Fence{}, nil, false
	}
	return f, bytes.Trim(rest, " \t"), true
}

// ClosedBy reports whether a line closes the fenced code that f opened. The line has no line break
// and no container's marks.
func (f Fence) ClosedBy(line []byte) bool {
	closer, rest := fenceRun(unindented(line))
	return closer.Run > 0 && closer.Mark == f.Mark && closer.Run >= f.Run && OnlyBlanks(rest)
}

// unindented returns the line without the spaces by which it may be indented.
func unindented(line []byte) []byte {
	i := 0
	for i < len(line) && i < maxIndent && line[i] == ' ' {
		i++
	}
	return line[i:]
}

// fenceRun reads the run of backticks or tildes at the start of b.
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

// OnlyBlanks reports whether b contains only spaces and tabs.
func OnlyBlanks(b []byte) bool { return len(bytes.TrimLeft(b, " \t")) == 0 }
