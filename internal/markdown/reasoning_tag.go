package markdown

import "bytes"

// maxAttributes limits the text between the name of a reasoning tag and its closing bracket, in
// bytes.
const maxAttributes = 63

// MaxReasoningTag is more than the length of any reasoning tag, in bytes.
const MaxReasoningTag = 80

var reasoningNames = [...]string{"think", "thinking", "reasoning", "reason", "thought"}

// ReasoningTag is the tag that opens or closes a reasoning section.
type ReasoningTag struct {
	Name   string // in lower case
	Closes bool
	Len    int // in bytes; 0 if there is no tag
}

// ReadReasoningTag reads a reasoning tag at the start of src, which begins with '<'. short reports
// that there is no tag yet, but more input could make one.
func ReadReasoningTag(src []byte) (tag ReasoningTag, short bool) {
	// Most brackets begin something else. A letter with bit 0x20 is in lower case.
	if len(src) > 1 && src[1] != '/' && src[1]|0x20 != 't' && src[1]|0x20 != 'r' {
		return ReasoningTag{}, false
	}
	closes := len(src) > 1 && src[1] == '/'
	start := 1
	if closes {
		start = 2
	}
	i := start
	for i < len(src) && isLetter(src[i]) && i-start <= len("reasoning") { // the longest name
		i++
	}
	if i == len(src) {
		return ReasoningTag{}, beginsName(src[start:i])
	}
	name := ""
	for _, r := range reasoningNames {
		if bytes.EqualFold(src[start:i], []byte(r)) {
			name = r
		}
	}
	if name == "" || src[i] != '>' && !IsBlank(src[i]) && src[i] != '\n' && src[i] != '\r' {
		return ReasoningTag{}, false
	}
	for nameEnd := i; i < len(src); i++ {
		switch c := src[i]; {
		case c == '>':
			return ReasoningTag{name, closes, i + 1}, false
		case c == '<', closes && !IsBlank(c):
			return ReasoningTag{}, false
		}
		if i-nameEnd == maxAttributes {
			return ReasoningTag{}, false
		}
	}
	return ReasoningTag{}, true
}

// beginsName reports whether b may be the beginning of the name of a reasoning tag.
func beginsName(b []byte) bool {
	for _, r := range reasoningNames {
		if len(b) <= len(r) && bytes.EqualFold(b, []byte(r[:len(b)])) {
			return true
		}
	}
	return false
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
