package vcp

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol/scan"
)

// historyFloor returns the offset before which the scanner never looks back.
func historyFloor(from int) int { return max(0, from-scan.History) }

// backFloor returns the offset to which the scanner looks back from src[at:] in a text or a value.
// since is how many bytes before src[from:] the text or value began. far reports that the scanner
// does not look back to that beginning: it looks back scan.History bytes at most.
func backFloor(from, since, at int) (floor int, far bool) {
	floor = max(0, from-since, at-scan.History)
	return floor, floor > from-since
}

// lineStart returns the start of the line of src[at], but at least floor.
func lineStart(src []byte, floor, at int) int {
	return floor + bytes.LastIndexAny(src[floor:at], "\n\r") + 1
}

// firstLine returns b up to its first line break.
func firstLine(b []byte) []byte {
	if stop := bytes.IndexAny(b, "\r\n"); stop >= 0 {
		return b[:stop]
	}
	return b
}

// beginsLineAt reports whether a line begins at src[at:], or at is at most floor.
func beginsLineAt(src []byte, floor, at int) bool {
	return at <= floor || src[at-1] == '\n' || src[at-1] == '\r'
}

// leadBefore returns the start of the run of characters of set before src[at:], but at least floor.
func leadBefore(src []byte, floor, at int, set string) int {
	return floor + len(bytes.TrimRight(src[floor:at], set))
}

// emphasis lists the characters that are ignored next to a result's mark on its line.
const emphasis = " \t*_~\u3000\ufeff"

// isEmphasis reports whether b contains only blanks and the marks of emphasis.
func isEmphasis(b []byte) bool {
	return len(bytes.Trim(b, emphasis)) == 0
}

// wideBlanks are the blanks in requests, the same as those of leadingBlank.
const wideBlanks = " \t\u3000"

// zeroWidth are the characters that mean nothing before a key (F10).
const zeroWidth = "\u200b\u200c\u200d\u2060\ufeff"

// blankBefore returns the length of the blank at the end of b, which may be 0.
func blankBefore(b []byte) int {
	switch {
	case len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t'):
		return 1
	case bytes.HasSuffix(b, []byte("\u3000")):
		return len("\u3000")
	}
	return 0
}

// leadingBlank returns the length of the blank at the start of b, which may be 0.
func leadingBlank(b []byte) int {
	switch {
	case len(b) > 0 && (b[0] == ' ' || b[0] == '\t'):
		return 1
	case bytes.HasPrefix(b, []byte("\u3000")):
		return len("\u3000")
	}
	return 0
}
