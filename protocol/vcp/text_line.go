package vcp

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol/scan"
)

// maxResultLine limits how much of a line before and after a result's marker is examined, in bytes.
const maxResultLine = 96

// resultBegins reports whether a result begins at the marker that ends at src[end:]: a field
// follows directly, or the line is clean and the rest of it is only emphasis (B14). clean says that
// only emphasis and requests come before the marker on its line.
func (s *scanner) resultBegins(src []byte, end int, clean, atEOF bool) scan.Match {
	rest := src[end:min(len(src), end+maxResultLine)]
	enough := atEOF || len(src) >= end+maxResultLine // more input cannot change the decision
	switch _, start, m := firstOpener(src, end, end+len(rest), atEOF); m {
	case scan.MatchYes:
		if k, ok := s.keyBefore(src, end, start, s.o.MaxKey); ok && len(bytes.TrimSpace(src[end:k.start])) == 0 {
			return scan.MatchYes
		}
	case scan.MatchShort:
		return scan.MatchShort
	}
	if line, ends := restOfLine(rest, atEOF && len(src)-end == len(rest)); clean && ends && isEmphasis(line) {
		return scan.MatchYes
	}
	if !enough {
		return scan.MatchShort
	}
	return scan.MatchNo
}

// restOfLine returns the part of b before a line break or a request's start marker. ends is false
// if b contains neither and more may follow.
func restOfLine(b []byte, atEOF bool) (line []byte, ends bool) {
	if stop := bytes.IndexAny(b, "\r\n"); stop >= 0 {
		b, atEOF = b[:stop], true
	}
	for at := range b {
		if c := b[at]; c != '<' && c != "＜"[0] && c != "《"[0] {
			continue
		}
		if m, v := markerAt(b, at, true); v == scan.MatchYes && m.kind == markerRequest && !m.end && !m.suffixed {
			return b[:at], true
		}
	}
	return b, atEOF
}

// textFloor returns the offset to which the scanner looks back in text, if it has scanned the text
// up to from.
func (s *scanner) textFloor(from int) int { return max(historyFloor(from), from-s.text.since) }

// lineIsClean reports whether the line of src[at] has only emphasis and requests before it.
func (s *scanner) lineIsClean(src []byte, from, at int) bool {
	if at > 0 && src[at-1] == '\n' {
		return true
	}
	floor := s.textFloor(from)
	begin := leadBefore(src, max(floor, at-maxResultLine), at, emphasis)
	// The text begins at from-since, directly after a request if afterRequest is set.
	if begin == from-s.text.since && s.text.afterRequest && !beginsLineAt(src, 0, begin) {
		return s.text.clean
	}
	return beginsLineAt(src, max(floor, at-maxResultLine), begin)
}

// alone reports whether src[start:end] is alone on its line, apart from blanks and from requests
// before it. Input that has not come yet counts as blank. If the line begins too far back, alone
// returns false.
func (s *scanner) alone(src []byte, from, start, end int) bool {
	floor, far := backFloor(from, s.text.since, start)
	begin := leadBefore(src, floor, start, " \t\u3000\ufeff")
	if begin == floor && far || !beginsLineAt(src, floor, begin) {
		return false
	}
	after := firstLine(src[end:])
	s.examined += len(after)
	return len(bytes.TrimSpace(after)) == 0
}
