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
	case gap > 0:
		return s.emitValue(gap)
	}
	return s.markInValue(src, from, &t, atEOF)
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

// markInValue returns a mark that is part of the value (P7 to P9).
func (s *scanner) markInValue(src []byte, from int, t *tag, atEOF bool) (int, *scan.Token, error) {
	evidence, n := scan.EvidenceCloser, t.n
	switch {
	case t.kind == tagParameter:
		evidence = scan.EvidenceOpener
	case t.kind == tagFunction && t.end, t.kind == tagCall && t.end:
		end, m := s.endInValue(src, from, t, atEOF)
		if m == matchShort {
			return s.short()
		}
		return end.emit(s)
	}
	s.value.marks = true
	s.value.size += n
	return s.emitEvidence(n, evidence)
}

// valueEnd is </function>, END or both, in a value.
type valueEnd struct {
	n        int
	function tag // n is 0 if there is none
	call     tag // n is 0 if there is none
	callAt   int
	possible bool // it may end the value and the request
}

// endInValue reads the end at src[from:], whose first tag is t.
func (s *scanner) endInValue(src []byte, from int, t *tag, atEOF bool) (valueEnd, match) {
	e := valueEnd{n: t.n}
	b := src[from:]
	last := false // nothing but white space follows
	if t.kind == tagCall {
		e.call = *t
	} else {
		e.function = *t
		gap := spaces(b[t.n:min(len(b), t.n+maxGap)], false)
		rest := b[t.n+gap:]
		next, m := tagAt(rest[:min(len(rest), maxTextTag)], maxTag)
		switch {
		case gap == maxGap:
		case len(rest) == 0, rest[0] == '<' && m == matchShort:
			if !atEOF {
				return e, matchShort
			}
			last = len(rest) == 0
		case rest[0] == '<' && m == matchYes && next.kind == tagCall && next.end:
			e.call, e.callAt, e.n = next, t.n+gap, t.n+gap+next.n
		}
	}
	after := b[e.n:]
	gap := blanks(after[:min(len(after), maxGap)])
	s.examined += e.n + gap
	switch {
	case gap == maxGap:
	case gap == len(after) && !atEOF:
		return e, matchShort
	case gap == len(after), after[gap] == '\n', after[gap] == '\r':
		e.possible = e.call.n > 0 || last && !s.body.bare
	}
	before := bytes.TrimRight(src[from-min(from, s.value.size, maxBesides):from], " \t\r\n")
	e.possible = e.possible && len(before) > 0 && before[len(before)-1] != '>' && !s.value.marks
	return e, matchYes
}

// emit returns the end as evidence, with the repairs that it needs to end the request.
func (e *valueEnd) emit(s *scanner) (int, *scan.Token, error) {
	tok := s.newToken(scan.TokenEvidence)
	tok.Evidence = scan.EvidenceEnd
	if e.possible {
		tok.Evidence = scan.EvidencePossibleEnd
	}
	if e.function.n > 0 {
		s.repairTag(&e.function, 0)
	} else {
		s.repair(repairMissingFunctionEnd, 0, 0)
	}
	if e.call.n > 0 {
		s.repairTag(&e.call, e.callAt)
	} else {
		s.repair(repairMissingBlockEnd, e.n, e.n)
	}
	s.value.marks = true
	s.value.size += e.n
	return s.emit(e.n)
}
