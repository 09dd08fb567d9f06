package qwencoder

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol/internal/tags"
	"github.com/vcpgo/vcp/protocol/scan"
)

// scanValue returns the next token inside a value.
func (s *scanner) scanValue(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	b := src[from:]
	at := bytes.IndexAny(b, "<&")
	if at < 0 {
		return s.restOfValue(b, atEOF)
	}
	s.Work += at
	gap := 0 // length of the line break before the tag, if the break may belong to the tag
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
	case m == scan.MatchShort && !atEOF:
		return s.Wait()
	case m != scan.MatchYes:
		return s.emitValue(gap + 1)
	case t.Kind == tags.Parameter && t.End:
		s.NewToken(scan.TokenFieldEnd)
		s.repairTag(&t, gap)
		s.mode = modeBody
		return s.Emit(gap + t.N)
	case t.Kind == tags.Parameter && s.greedy && !s.value.marks &&
		(gap > 0 || s.value.size == 0 && s.value.openingBreak > 0): // P8
		s.NewToken(scan.TokenFieldEnd)
		s.Repair(repairMissingValueEnd, 0, 0)
		s.mode = modeBody
		return s.Emit(gap)
	case t.End && (t.Kind == tags.Function || t.Kind == tags.Call):
		return s.endInValue(src, from, gap, &t, atEOF)
	case gap > 0:
		return s.emitValue(gap)
	}
	s.value.marks = true
	s.value.size += t.N
	if t.Kind == tags.Parameter {
		return s.EmitEvidence(t.N, scan.EvidenceOpener)
	}
	return s.EmitEvidence(t.N, scan.EvidenceCloser)
}

// emitValue returns the next n bytes of the value.
func (s *scanner) emitValue(n int) (int, *scan.Token, error) {
	s.value.size += n
	return s.EmitAs(n, scan.TokenValue, "")
}

// restOfValue returns the rest of the input as a part of the value: no tag and no entity can begin
// in it. A line break at the end may belong to the tag that follows.
func (s *scanner) restOfValue(b []byte, atEOF bool) (int, *scan.Token, error) {
	s.Work += len(b)
	n := len(b)
	if !atEOF {
		n = len(bytes.TrimSuffix(b, []byte("\r")))
		if n == len(b) {
			n -= s.breakBefore(b)
		}
	}
	if n > 0 {
		return s.emitValue(n)
	}
	return s.End(atEOF)
}

// breakBefore returns how many bytes of the line break at the end of b belong to a tag that follows
// (P1, P3). If the break after the opening tag is only a line feed, so is the break before the
// closing tag, and a carriage return belongs to the value.
func (s *scanner) breakBefore(b []byte) int {
	switch {
	case bytes.HasSuffix(b, []byte("\r\n")) && s.value.openingBreak != 1:
		return 2
	case bytes.HasSuffix(b, []byte("\n")):
		return 1
	}
	return 0
}

// escape returns the first byte of an escaped mark, with one level of escaping removed (P5).
func (s *scanner) escape(b []byte, atEOF bool) (int, *scan.Token, error) {
	levels, n, m := escapeAt(b)
	s.Work += n
	if m == scan.MatchShort && !atEOF {
		return s.Wait()
	}
	if m != scan.MatchYes {
		return s.emitValue(1)
	}
	tok := s.NewToken(scan.TokenValue)
	tok.Replaced, tok.Instead, n = true, []byte("<"), len(less)
	if levels > 0 {
		tok.Instead, n = []byte("&"), len(amp)
	}
	s.value.size += n
	return s.Emit(n)
}

// endInValue returns </function>, END or both, which may end the value and the request (P9). gap is
// the length of the line break before them, and t is the first tag.
func (s *scanner) endInValue(src []byte, from, gap int, t *tag, atEOF bool) (int, *scan.Token, error) {
	b := src[from:]
	function, call, n, endsInput := tag{}, *t, gap+t.N, false
	if t.Kind == tags.Function {
		function, call = *t, tag{}
		space := leading(b[n:min(len(b), n+maxGap)], white)
		rest := b[n+space:]
		next, m := tagAt(rest[:min(len(rest), maxTextTag)], maxTag)
		switch {
		case space == maxGap, len(rest) > 0 && rest[0] != '<':
		case m == scan.MatchShort && !atEOF:
			return s.Wait()
		case len(rest) == 0:
			endsInput = true
		case m == scan.MatchYes && next.Kind == tags.Call && next.End:
			call = next
			n += space + next.N
		}
	}
	afterTags := b[n:]
	blank := leading(afterTags[:min(len(afterTags), maxGap)], blanks)
	s.Work += n + blank
	if blank < maxGap && blank == len(afterTags) && !atEOF {
		return s.Wait()
	}
	valueTail := bytes.TrimRight(src[from-min(from, s.value.size, tags.MaxLine):from], white)
	tok := s.NewToken(scan.TokenEvidence)
	tok.Evidence = scan.EvidenceEnd
	if (call.N > 0 || endsInput && !s.body.bare) && !s.value.marks &&
		len(valueTail) > 0 && valueTail[len(valueTail)-1] != '>' &&
		blank < maxGap && (blank == len(afterTags) || afterTags[blank] == '\n' || afterTags[blank] == '\r') {
		tok.Evidence = scan.EvidencePossibleEnd
	}
	if function.N > 0 {
		s.repairTag(&function, gap)
	} else {
		s.Repair(repairMissingFunctionEnd, gap, gap)
	}
	if call.N > 0 {
		s.repairTag(&call, n-call.N)
	} else {
		s.Repair(repairMissingBlockEnd, n, n)
	}
	s.value.marks = true
	s.value.size += n
	return s.Emit(n)
}
