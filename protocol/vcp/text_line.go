package vcp

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol/scan"
)

// maxResultLine limits how much of a line before and after a result's marker is examined, in bytes.
const maxResultLine = 96

// resultStands reports whether a result begins at the mark that ends at src[end:]: its line has
// nothing else but emphasis, or a field follows directly (B14). clean says that the line before the
// mark has nothing else.
func (s *scanner) resultStands(src []byte, end int, clean, atEOF bool) match {
	rest := src[end:min(len(src), end+maxResultLine)]
	whole := atEOF || len(src) >= end+maxResultLine
	switch _, start, m := firstOpener(src, end, end+len(rest), atEOF); m {
	case matchYes:
		if k, ok := s.keyBefore(src, end, start, s.o.MaxKey); ok && len(bytes.TrimSpace(src[end:k.start])) == 0 {
			return matchYes
		}
	case matchShort:
		return matchShort
	}
	if line, ends := restOfLine(rest, atEOF && len(src)-end == len(rest)); clean && ends && isEmphasis(line) {
		return matchYes
	}
	if !whole {
		return matchShort
	}
	return matchNo
}

// restOfLine returns the part of b before a line break or a request; ends is false if b contains
// neither and more may follow.
func restOfLine(b []byte, atEOF bool) (line []byte, ends bool) {
	if stop := bytes.IndexAny(b, "\r\n"); stop >= 0 {
		b, atEOF = b[:stop], true
	}
	for at := range b {
		if c := b[at]; c != '<' && c != "＜"[0] && c != "《"[0] {
			continue
		}
		if m, v := markerAt(b, at, true); v == matchYes && m.kind == markerRequest && !m.end && !m.escaped {
			return b[:at], true
		}
	}
	return b, atEOF
}

// textFloor limits how far the scanner looks back in text.
func (s *scanner) textFloor(from int) int { return max(historyFloor(from), from-s.text.since) }

// lineIsClean reports whether the line of src[at] has only emphasis and requests before it.
func (s *scanner) lineIsClean(src []byte, from, at int) bool {
	if at > 0 && src[at-1] == '\n' {
		return true
	}
	floor := s.textFloor(from)
	begin := leadBefore(src, max(floor, at-maxResultLine), at, emphasis)
	if begin == from-s.text.since && s.text.after && !beginsLineAt(src, 0, begin) {
		return s.text.clean
	}
	return beginsLineAt(src, max(floor, at-maxResultLine), begin)
}

// emphasis lists the characters that are ignored next to a result's mark on its line.
const emphasis = " \t*_~\u3000\ufeff"

// isEmphasis reports whether b contains only blanks and the marks of emphasis.
func isEmphasis(b []byte) bool {
	return len(bytes.Trim(b, emphasis)) == 0
}

// historyFloor limits how far the scanner looks back in any case.
func historyFloor(from int) int { return max(0, from-scan.History) }

// backFloor limits how far the scanner looks back from src[at:] in a part that began since bytes
// before src[from:]. The limit is the beginning of that part, or a fixed distance that does not
// depend on how the stream was cut. far reports that it is the distance.
func backFloor(from, since, at int) (floor int, far bool) {
	floor = max(0, from-since, at-scan.History)
	return floor, floor > from-since
}

// leadBefore returns the start of the run of bytes of set before src[at:], but at least floor. If a
// line begins there, or it is floor, nothing else precedes at on its line.
func leadBefore(src []byte, floor, at int, set string) int {
	for at > floor {
		r, n := utf8.DecodeLastRune(src[floor:at])
		if r == utf8.RuneError && n == 1 || !strings.ContainsRune(set, r) {
			break
		}
		at -= n
	}
	return at
}

// beginsLineAt reports whether a line begins at src[at:] or at is floor.
func beginsLineAt(src []byte, floor, at int) bool {
	return at <= floor || src[at-1] == '\n' || src[at-1] == '\r'
}

// lineStart returns the start of the line of src[at], but at least floor.
func lineStart(src []byte, floor, at int) int {
	return floor + bytes.LastIndexAny(src[floor:at], "\n\r") + 1
}
