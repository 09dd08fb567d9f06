package qwencoder

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol/scan"
)

// scanValue reads in a value.
func (s *scanner) scanValue(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	b := src[from:]
	at := bytes.IndexAny(b, "<&")
	if at < 0 {
		return s.restOfValue(b, atEOF)
	}
	s.examined += at
	gap := 0 // the line break before the tag, which may belong to the form
	if b[at] == '<' {
		gap = s.breakBefore(b[:at])
	}
	if at > gap {
		return s.emitValue(at - gap)
	}
	if b[at] == '&' {
		return s.escape(b, atEOF)
	}
	t, m := s.tag(b[gap:], maxTag)
	switch {
	case m == matchShort && !atEOF:
		return s.short()
	case m != matchYes:
		return s.emitValue(gap + 1)
	case t.kind == tagParameter && t.end:
		s.newToken(scan.TokenFieldEnd)
		s.repairTag(&t, gap)
		s.mode = modeBody
		return s.emit(gap + t.n)
	case t.kind == tagParameter && s.mayClose(gap):
		s.newToken(scan.TokenFieldEnd)
		s.repair(repairMissingValueEnd, 0, 0)
		s.mode = modeBody
		return s.emit(gap)
	case t.end && (t.kind == tagFunction || t.kind == tagCall):
		return s.endInValue(src, from, gap, &t, atEOF)
	case gap > 0:
		return s.emitValue(gap)
	}
	s.value.marks = true
	s.value.size += t.n
	if t.kind == tagParameter {
		return s.emitEvidence(t.n, scan.EvidenceOpener)
	}
	return s.emitEvidence(t.n, scan.EvidenceCloser)
}

// emitValue returns the next n bytes of the value.
func (s *scanner) emitValue(n int) (int, *scan.Token, error) {
	s.value.size += n
	return s.emitAs(n, scan.TokenValue, "")
}

// restOfValue returns a value's bytes among which none has a meaning. A line break at the end may
// belong to the tag that follows.
func (s *scanner) restOfValue(b []byte, atEOF bool) (int, *scan.Token, error) {
	s.examined += len(b)
	n := len(b)
	if !atEOF {
		n = len(bytes.TrimSuffix(b, []byte("\r")))
		if n == len(b) {
			n -= s.breakBefore(b)
		}
	}
	switch {
	case n > 0:
		return s.emitValue(n)
	case atEOF:
		return s.emitAs(0, scan.TokenNone, "")
	}
	return s.short()
}

// breakBefore returns the length of the line break at the end of b, as far as it belongs to a tag
// that follows (P1, P3).
func (s *scanner) breakBefore(b []byte) int {
	switch {
	case bytes.HasSuffix(b, []byte("\r\n")) && !s.value.lone:
		return 2
	case bytes.HasSuffix(b, []byte("\n")):
		return 1
	}
	return 0
}

// mayClose reports whether the tag of a parameter closes the value (P8). gap is the line break
// before it.
func (s *scanner) mayClose(gap int) bool {
	first := s.value.size == 0 && s.value.breaks
	return s.greedy && !s.value.marks && (gap > 0 || first)
}

// escape returns the first byte of an escaped mark, with one level of escaping removed (P5).
func (s *scanner) escape(b []byte, atEOF bool) (int, *scan.Token, error) {
	levels, n, m := escapeAt(b, true)
	s.examined += n
	if m == matchShort && !atEOF {
		return s.short()
	}
	if m != matchYes {
		return s.emitValue(1)
	}
	tok := s.newToken(scan.TokenValue)
	tok.Replaced, tok.Instead, n = true, []byte("<"), len(less)
	if levels > 0 {
		tok.Instead, n = []byte("&"), len(amp)
	}
	s.value.size += n
	return s.emit(n)
}

// endInValue returns </function>, END or both, with the line break of gap bytes before them. t is
// the first tag. They may end the value and the request (P9).
func (s *scanner) endInValue(src []byte, from, gap int, t *tag, atEOF bool) (int, *scan.Token, error) {
	b := src[from:]
	function, call, n, last := tag{}, *t, gap+t.n, false
	if t.kind == tagFunction {
		function, call = *t, tag{}
		space := leading(b[n:min(len(b), n+maxGap)], white)
		rest := b[n+space:]
		next, m := tagAt(rest[:min(len(rest), maxTextTag)], maxTag)
		last = len(rest) == 0
		switch {
		case space == maxGap:
			last = false
		case last || rest[0] == '<' && m == matchShort:
			if !atEOF {
				return s.short()
			}
		case rest[0] == '<' && m == matchYes && next.kind == tagCall && next.end:
			call = next
			n += space + next.n
		}
	}
	after := b[n:]
	blank := leading(after[:min(len(after), maxGap)], blanks)
	s.examined += n + blank
	if blank < maxGap && blank == len(after) && !atEOF {
		return s.short()
	}
	before := bytes.TrimRight(src[from-min(from, s.value.size, maxBesides):from], white)
	tok := s.newToken(scan.TokenEvidence)
	tok.Evidence = scan.EvidenceEnd
	if (call.n > 0 || last && !s.body.bare) && !s.value.marks && len(before) > 0 && before[len(before)-1] != '>' &&
		blank < maxGap && (blank == len(after) || after[blank] == '\n' || after[blank] == '\r') {
		tok.Evidence = scan.EvidencePossibleEnd
	}
	if function.n > 0 {
		s.repairTag(&function, gap)
	} else {
		s.repair(repairMissingFunctionEnd, gap, gap)
	}
	if call.n > 0 {
		s.repairTag(&call, n-call.n)
	} else {
		s.repair(repairMissingBlockEnd, n, n)
	}
	s.value.marks = true
	s.value.size += n
	return s.emit(n)
}
