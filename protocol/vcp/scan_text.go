package vcp

import "github.com/vcpgo/vcp/protocol/scan"

// scanText reads outside of requests. It records the first marker or edge in the text in s.bare,
// because no request of bare fields begins after that mark (B12).
func (s *scanner) scanText(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	i := from + s.looked
	for {
		at, kind := s.find(src, i, s.base-from)
		if at < 0 {
			if !atEOF {
				if end := s.holdBare(src, from, hold(src, from)); end < len(src) {
					return s.until(from, end)
				}
			}
			return s.rest(src, from, atEOF)
		}
		i = at + 1
		if kind == anchorEscaped {
			m, st, alone, found := escapedAt(src, s.textFloor(from), at, atEOF)
			if found == scan.MatchNo {
				continue
			}
			n := 0
			if alone && !m.end && !s.endMissing[st] && s.allows(repairMarkerEscaped) {
				n, found = s.requestStart(src, from, at, m, atEOF)
			}
			switch {
			case found == scan.MatchShort:
				return s.until(from, at)
			case n > 0 && s.mark.Code == "":
				s.style = st
				s.mark.Tentative = true
				return s.emitBefore(src, from, at, n, "")
			}
			s.bare.mark(s.base + at - from)
			continue
		}
		if kind == anchorOpen || kind == anchorClose {
			e, start, m := edgeAround(src, from, at, atEOF)
			switch {
			case m == scan.MatchShort:
				return s.until(from, s.holdBare(src, from, start))
			case m == scan.MatchNo:
				continue
			case kind == anchorClose:
				s.bare.mark(s.base + start - from)
				closer := scan.EvidenceCloser
				if s.text.match(&e) || s.early.any() {
					closer = scan.EvidenceMatchedCloser
				}
				s.newEvidence(closer)
				s.closer = e
				return s.emitBefore(src, from, start, e.n, "")
			}
			k, namesTool := s.textOpener(src, from, start)
			if namesTool && s.bareStart(src, from, start, k) {
				return s.startBare(src, from, k.start)
			}
			s.bare.mark(s.base + start - from)
			s.text.addOpener(&e)
			if !namesTool {
				continue
			}
			tok := s.newEvidence(scan.EvidenceField)
			tok.NameStart, tok.NameEnd = k.nameStart-start, k.nameEnd-start
			n := e.n
			if e.family == familyBadTag { // marks in its tail count (V16)
				n = at + len(wordOpen) - start
			}
			return s.emitBefore(src, from, start, n, "")
		}
		m, found := markerAt(src, at, atEOF)
		if found == scan.MatchNo {
			continue
		}
		n := 0
		if found == scan.MatchYes {
			n, found = s.textMarker(src, from, at, m, atEOF)
		}
		if found == scan.MatchShort {
			return s.until(from, at)
		}
		if n == 0 || s.mark.Kind != scan.TokenRequestStart {
			s.bare.mark(s.base + at - from)
		}
		if n > 0 {
			return s.emitBefore(src, from, at, n, "")
		}
	}
}

// textOpener reads the key of an opener in text. namesTool reports that the key names a tool.
func (s *scanner) textOpener(src []byte, from, start int) (k fieldKey, namesTool bool) {
	k, ok := s.keyBefore(src, historyFloor(from), start, s.o.MaxKey)
	return k, ok && !k.hidden && foldsTo(string(k.name), foldedToolName)
}

// startBare opens a request at the key at src[at:] (B12).
func (s *scanner) startBare(src []byte, from, at int) (int, *scan.Token, error) {
	s.bare.open, s.bare.fresh, s.bare.fields = true, true, 0
	s.text.clean = true
	tok := s.newMark(scan.TokenRequestStart)
	tok.Tentative, tok.Repairs = true, s.tokenRepairs(s.repaired[:0], bitBareFields, 0, 0)
	return s.emitBefore(src, from, at, 0, "")
}

// textMarker decides what a marker in text means, and makes its token. scan.MatchNo means that the
// marker is text.
func (s *scanner) textMarker(src []byte, from, at int, m marker, atEOF bool) (n int, verdict scan.Match) {
	if m.kind == markerRequest && !m.end && !m.suffixed {
		return s.requestStart(src, from, at, m, atEOF)
	}
	tok := s.newMark(scan.TokenEvidence)
	tok.Repairs = s.tokenRepairs(s.repaired[:0], m.repairs, 0, m.n)
	switch {
	case m.suffixed:
		return 0, scan.MatchNo
	case m.kind == markerRequest:
		tok.Evidence = scan.EvidenceEnd
	case m.kind == markerResult && !m.end:
		if v := s.resultBegins(src, at+m.n, s.lineIsClean(src, from, at), atEOF); v != scan.MatchYes {
			return 0, v
		}
		tok.Evidence = scan.EvidenceResult
	case m.kind == markerDefinition && m.end:
		tok.Evidence = scan.EvidenceDefinitionEnd
	case m.kind == markerDefinition:
		tok.Evidence = scan.EvidenceDefinition
	default:
		return 0, scan.MatchNo
	}
	return m.n, scan.MatchYes
}
