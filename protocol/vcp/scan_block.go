package vcp

import "github.com/vcpgo/vcp/protocol/scan"

// scanBlock reads between the values of a block.
func (s *scanner) scanBlock(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	if s.block.since == 0 && s.looked == 0 && !s.other.on {
		if key, end := findCleanField(src, from, s.o.MaxKey); end > 0 {
			return s.emitCleanField(src, from, key, end)
		}
	}
	floor := max(historyFloor(from), from-s.block.since)
	i := from + s.looked
	for {
		at, kind := s.find(src, i, s.base-from)
		if at < 0 {
			return s.moreFiller(src, from, atEOF)
		}
		i = at + 1
		if kind == anchorEscaped {
			m, st, alone, found := escapedAt(src, historyFloor(from), at, atEOF)
			if found == scan.MatchShort {
				return s.short(at - from)
			}
			if found == scan.MatchYes && alone && m.end && st == s.style {
				return s.closeBlock(src, from, at, m)
			}
			continue
		}
		if kind == anchorOpen || kind == anchorClose {
			e, start, m := edgeAround(src, floor, at, atEOF)
			switch {
			case m == scan.MatchShort:
				return s.short(max(0, start-from))
			case m == scan.MatchNo:
				continue
			case kind == anchorClose:
				tok := s.newMark(scan.TokenDefect)
				if tok.Code = scan.CodeStrayCloser; s.early.any() {
					tok.Code = scan.CodeAmbiguousValue
				}
				s.closer = e
				code := s.fillerCode(src, from, start, false)
				return s.emitBefore(src, from, start, e.n, code)
			}
			return s.field(src, floor, from, start, e)
		}
		m, found := markerAt(src, at, atEOF)
		switch {
		case found == scan.MatchShort:
			return s.short(at - from)
		case found == scan.MatchNo || m.suffixed:
			continue
		}
		if s.style != styleNone && (m.kind == markerRequest || m.kind == markerResult && !m.end) {
			// The start marker and the end marker are both escaped, or neither is (B5).
			s.newEnd(scan.OutcomeNone)
			return s.emitBefore(src, from, at, 0, s.fillerCode(src, from, at, false))
		}
		switch {
		case m.kind == s.kind && m.end:
			return s.closeBlock(src, from, at, m)
		case s.kind == markerRequest && m.kind == markerDefinition && m.end:
			return s.blockEvidence(src, from, at, m.n, scan.EvidenceDefinitionEnd)
		case s.kind != markerRequest || m.end:
			continue
		case m.kind == markerResult:
			lineFloor := max(floor, at-maxResultLine)
			begin := lineStart(src, lineFloor, at)
			// Without a line break in the filler, the line of the start marker continues (B14).
			clean := isEmphasis(src[begin:at]) && (begin > lineFloor || lineFloor > from-s.block.since || s.text.clean)
			switch s.resultBegins(src, at+m.n, clean, atEOF) {
			case scan.MatchShort:
				return s.short(at - from)
			case scan.MatchNo:
				continue
			}
			return s.blockEvidence(src, from, at, m.n, scan.EvidenceResult)
		case m.kind == markerRequest:
			code := s.fillerCode(src, from, at, false)
			s.newEnd(scan.OutcomeUnclosed).Code = s.doubt()
			return s.emitBefore(src, from, at, 0, code)
		}
	}
}

// closeBlock emits the filler before the end marker m, and then the marker.
func (s *scanner) closeBlock(src []byte, from, at int, m marker) (int, *scan.Token, error) {
	code := s.fillerCode(src, from, at, false)
	tok := s.newEnd(scan.OutcomeClosed)
	tok.Repairs, tok.Code = s.tokenRepairs(s.repaired[:0], m.repairs, 0, m.n), s.doubt()
	return s.emitBefore(src, from, at, m.n, code)
}

// blockEvidence emits the filler before a marker that is evidence, and then the marker.
func (s *scanner) blockEvidence(src []byte, from, at, n int, e scan.Evidence) (int, *scan.Token, error) {
	code := s.fillerCode(src, from, at, true)
	s.keepLastLine(src, from, at+n)
	if s.other.on {
		s.other.follow(src[at : at+n])
	}
	s.newEvidence(e)
	return s.emitBefore(src, from, at, n, code)
}

// doubt returns what is wrong with a block that ends here, apart from the errors of its tokens.
func (s *scanner) doubt() scan.ErrorCode {
	if s.early.any() {
		return scan.CodeAmbiguousValue
	}
	return s.other.doubt()
}
