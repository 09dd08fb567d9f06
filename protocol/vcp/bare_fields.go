package vcp

import (
	"bytes"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol/scan"
)

// bareStart reports whether a bare request, which is fields outside of a block (B12), begins with
// the key k of the opener at src[opener:]. The key must be one that holdBare holds back.
func (s *scanner) bareStart(src []byte, from, opener int, k fieldKey) bool {
	// s.bare.refused is an offset plus one.
	if s.bare.marked() || !s.allows(repairBareFields) || k.start < from || s.bare.refused == s.base+k.start-from+1 {
		return false
	}
	begin := lineStart(src, min(k.start, historyFloor(opener)), k.start)
	if k.tooLong || opener-begin > maxBareKey {
		return false
	}
	line := src[begin:k.start]
	if s.base-from+begin == 0 {
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	return len(bytes.Trim(line, wideBlanks)) == 0
}

// scanBare returns the next token between the fields of a bare request.
func (s *scanner) scanBare(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	begin := max(0, from-s.block.since) // the next key may begin in what was read as the value before
	rest := src[begin:]
	gap := len(rest) - len(bytes.TrimLeft(rest, wideBlanks+zeroWidth+"\r\n"+commas))
	if gap > keyWindow { // the next field is too far away
		return s.endBare()
	}
	body := rest[gap:]
	if !atEOF && len(body) > 0 && !utf8.FullRune(body) { // the character may be a blank or a comma
		return s.short(0)
	}
	if !s.bare.fresh && !bytes.ContainsAny(rest[:gap], "\r\n") && len(body) > 0 {
		return s.endBare() // a field begins a line (B12)
	}
	window := body[:min(len(body), keyWindow)]
	e, start, m := firstOpener(src, begin+gap, begin+gap+len(window), atEOF)
	switch m {
	case scan.MatchShort:
		return s.short(0)
	case scan.MatchYes:
		if k, ok := s.keyBefore(src, begin+gap, start, s.o.MaxKey); ok && k.start == begin+gap {
			if s.bare.fields++; s.bare.fields == 2 && string(k.name) == keyStatus {
				// These are the first fields of a result that the model quotes (section 7).
				s.newEnd(scan.OutcomeNone)
				return s.emitBefore(src, from, from, 0, "")
			}
			s.bare.fresh = false
			return s.field(src, begin+gap, from, start, e)
		}
		return s.endBare()
	}
	if !atEOF && len(window) == len(body) && s.mayBeKey(body) {
		return s.short(0)
	}
	return s.endBare()
}

// endBare ends a bare request at its last closer.
func (s *scanner) endBare() (int, *scan.Token, error) {
	s.bare.open = false
	s.mode = modeText
	end := s.newEnd(scan.OutcomeClosed)
	end.Back = s.block.since // bytes after the last closer
	return s.emit(0, end)
}

// mayBeKey reports whether b can be the beginning of a key, its separator and its opener.
func (s *scanner) mayBeKey(b []byte) bool {
	b = bytes.TrimLeft(b, openDecoration)
	// U+FFFD stands for the first bytes of a character.
	key := bytes.TrimLeftFunc(b, func(r rune) bool { return isKeyRune(r) || r == '\\' || r == '\ufffd' })
	return len(b)-len(key) <= keyWindow && len(bytes.TrimLeft(key, afterKey)) == 0
}

const (
	openDecoration = "*`\"'“" // what may come before a key
	// afterKey is what may come between a key and the word of its opener, and the first bytes of
	// such characters.
	afterKey = "*`\"'” \t\u3000:：=＝\r\n「『【｢{\xe3\x80\xef\xbd\xbc"
)

// mayBeginBare reports whether the key of a bare request may begin in src[from:].
func (s *scanner) mayBeginBare(src []byte, from int) bool {
	return !s.bare.marked() && (beginsLineAt(src, 0, from) || bytes.ContainsAny(src[from:], "\r\n"))
}

// holdBare returns the start of the tail of src[from:end] that may become the first key of a bare
// request. It returns end if no tail may.
func (s *scanner) holdBare(src []byte, from, end int) int {
	if s.bare.marked() || !s.allows(repairBareFields) {
		return end
	}
	line := lineStart(src, from, end)
	begins := func(at int) bool {
		return at > from || s.base == 0 || from > 0 && beginsLineAt(src, 0, from)
	}
	// The opener may follow on the line after the key.
	if above := bytes.TrimRight(src[from:line], "\r\n"); line > from && line-from-len(above) <= len("\r\n") {
		if keyLine := lineStart(src, from, from+len(above)); begins(keyLine) && s.mayName(src[keyLine:end]) {
			return keyLine
		}
	}
	if begins(line) && s.mayName(src[line:end]) {
		return line
	}
	return end
}

// maxBareKey limits the first key of a bare request, with the blanks before it, its decoration and
// its separator, in bytes (B12).
const maxBareKey = 64

// mayName reports whether b, which begins a line, can be the beginning of a field that names a
// tool.
func (s *scanner) mayName(b []byte) bool {
	if len(b) > maxBareKey {
		return false
	}
	if b = bytes.TrimLeft(b, " \t\u3000\ufeff"); !s.mayBeKey(b) {
		return false
	}
	key := bytes.ReplaceAll(bytes.Trim(b, openDecoration+"”"), []byte(`\`), nil)
	folded := text.FoldName(string(bytes.TrimRight(key, afterKey)))
	return len(folded) <= len(foldedToolName) && foldedToolName[:len(folded)] == folded
}
