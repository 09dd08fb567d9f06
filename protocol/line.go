package protocol

import "bytes"

// maxTagAttributes bounds what may stand between a tag's name and its closing bracket (DIALECT C1).
const maxTagAttributes = 63

var reasoningNames = [...]string{"think", "thinking", "reasoning", "reason", "thought"}

// ReasoningTag reads a reasoning tag at the start of src, which begins with '<': its name in lower case, whether it closes, and
// its length. n is 0 where there is none; short tells that more input could change that (DIALECT C1, C3).
func ReasoningTag(src []byte) (name string, closes bool, n int, short bool) {
	if len(src) > 1 && src[1] != '/' && src[1]|0x20 != 't' && src[1]|0x20 != 'r' {
		return "", false, 0, false
	}
	i := 1
	if i < len(src) && src[i] == '/' {
		closes = true
		i++
	}
	start := i
	for i < len(src) && isASCIILetter(src[i]) && i-start < 10 {
		i++
	}
	if i == len(src) {
		return "", closes, 0, isReasoningPrefix(src[start:i])
	}
	for _, r := range reasoningNames {
		if len(r) == i-start && equalFoldASCII(src[start:i], r) {
			name = r
		}
	}
	if name == "" {
		return "", closes, 0, false
	}
	attributes := i
	if src[i] != '>' && !isBlankByte(src[i]) && src[i] != '\n' && src[i] != '\r' {
		return "", closes, 0, false
	}
	for ; i < len(src) && i-attributes <= maxTagAttributes; i++ {
		switch src[i] {
		case '>':
			return name, closes, i + 1, false
		case '<':
			return "", closes, 0, false
		case ' ', '\t':
		default:
			if closes {
				return "", closes, 0, false
			}
		}
	}
	return "", closes, 0, i == len(src) && i-attributes <= maxTagAttributes
}

func isReasoningPrefix(b []byte) bool {
	for _, r := range reasoningNames {
		if len(b) <= len(r) && equalFoldASCII(b, r[:len(b)]) {
			return true
		}
	}
	return false
}

func isASCIILetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isBlankByte(c byte) bool { return c == ' ' || c == '\t' }

func equalFoldASCII(b []byte, lower string) bool {
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// FenceOpener reports whether the line opens fenced code: its mark, the length of the run and the info string. The line has no
// line break and no container's prefix (CommonMark 4.5).
func FenceOpener(line []byte) (mark byte, run int, info []byte, ok bool) {
	mark, run, rest := fenceRun(line)
	if run < 3 || mark == '`' && bytes.IndexByte(rest, '`') >= 0 {
		return 0, 0, nil, false
	}
	return mark, run, bytes.Trim(rest, " \t"), true
}

// FenceCloser reports whether the line closes fenced code opened with that mark and run.
func FenceCloser(line []byte, mark byte, run int) bool {
	m, r, rest := fenceRun(line)
	return m == mark && r >= run && len(rest) == blanks(rest)
}

// blanks returns how many blanks b begins with.
func blanks(b []byte) int {
	for i, c := range b {
		if !isBlankByte(c) {
			return i
		}
	}
	return len(b)
}

func fenceRun(line []byte) (mark byte, run int, rest []byte) {
	i := 0
	for i < len(line) && i < 3 && line[i] == ' ' {
		i++
	}
	if i == len(line) || line[i] != '`' && line[i] != '~' {
		return 0, 0, nil
	}
	mark = line[i]
	start := i
	for i < len(line) && line[i] == mark {
		i++
	}
	return mark, i - start, line[i:]
}
