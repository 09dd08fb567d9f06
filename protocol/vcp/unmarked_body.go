package vcp

import (
	"bytes"
	"unicode"

	"github.com/vcpgo/vcp/internal/markdown"
	"github.com/vcpgo/vcp/protocol/scan"
)

// findUnmarked returns whether the request of the start marker at src[at:] has an unmarked body: a
// JSON object, or lines of a name and a value (B18, B19). It records where the object or the lines
// are. src, from and atEOF are those of Scan. The body begins at src[body:]. In the first call for
// a marker, head is the beginning of the body, which contains no field.
func (s *scanner) findUnmarked(src []byte, from, at, body int, head []byte, atEOF bool) scan.Match {
	u := &s.unmarked
	if marker := s.base + at - from + 1; u.startMarker != marker {
		*u = unmarkedBody{startMarker: marker, looked: body - at, repair: repairLineFields, json: otherBody{on: true}}
		if otherForm(head) {
			u.repair = repairJSONBody
		} else if !s.allows(repairLineFields) {
			return scan.MatchNo
		}
	}
	limit := s.o.BlockBytes
	if limit <= 0 {
		limit = scan.MaxBlockBytes
	}
	end, found := s.endOfUnmarked(src, at, limit, atEOF)
	if found != scan.MatchYes {
		return found
	}
	start, stop := s.unmarkedText(src[body:end], s.alone(src, from, at, body))
	alike := u.repair != repairLineFields || indentedAlike(src[body:body+stop])
	if stop == 0 || !alike || s.unmarkedFields(src[body+start:body+stop]) == nil {
		return scan.MatchNo
	}
	u.start, u.end = s.base+body+start-from, s.base+body+stop-from
	return scan.MatchYes
}

// endOfUnmarked searches for the end marker of an unmarked body, which contains no other mark.
// limit is the maximum size of the request, in bytes.
func (s *scanner) endOfUnmarked(src []byte, at, limit int, atEOF bool) (end int, found scan.Match) {
	u := &s.unmarked
	window := src[:min(len(src), at+limit)]
	for {
		p, kind := s.search(window, at+u.looked)
		next := p
		if p < 0 {
			if atEOF || len(window) == at+limit {
				return 0, scan.MatchNo
			}
			next = max(at+u.looked, hold(src, at))
		}
		if u.json.follow(src[at+u.looked : next]); u.json.broken {
			return 0, scan.MatchNo
		}
		if u.looked = next - at; p < 0 {
			return 0, scan.MatchShort
		}
		m, found := marker{}, scan.MatchNo
		switch kind {
		case anchorAngle:
			m, found = markerAt(src, p, atEOF)
		case anchorOpen, anchorClose:
			_, _, found = edgeAround(src, at, p, atEOF)
		case anchorEscaped:
		}
		switch {
		case found == scan.MatchShort:
			return 0, scan.MatchShort
		// m.n is 0 for an edge.
		case found == scan.MatchYes && (m.n == 0 || m.suffixed || m.kind != markerRequest || !m.end || p+m.n > at+limit):
			return 0, scan.MatchNo
		case found == scan.MatchYes:
			return p, scan.MatchYes
		}
		u.json.follow(src[p : p+1]) // the byte is text of the body
		u.looked++
	}
}

// unmarkedText returns where in a body its object or its lines are; stop is 0 if there are none. A
// fence around an object is allowed if the start marker is alone on its line.
func (s *scanner) unmarkedText(body []byte, alone bool) (start, stop int) {
	start, stop = trimSpace(body, 0, len(body))
	line := bytes.IndexAny(body[start:stop], "\r\n")
	if s.unmarked.repair != repairJSONBody || line < 0 {
		return start, stop
	}
	fence, info, ok := markdown.OpenFence(body[start : start+line])
	if !ok {
		return start, stop
	}
	last := bytes.LastIndexAny(body[:stop], "\r\n") + 1
	isWord := len(bytes.TrimFunc(info, unicode.IsLetter)) == 0
	if !alone || !isWord || last <= start+line || !fence.ClosedBy(body[last:stop]) {
		return 0, 0
	}
	return trimSpace(body, start+line, last)
}

// trimSpace returns the range of b[start:end] without the white space around it.
func trimSpace(b []byte, start, end int) (trimmedStart, trimmedEnd int) {
	end = start + len(bytes.TrimRightFunc(b[start:end], unicode.IsSpace))
	return end - len(bytes.TrimLeftFunc(b[start:end], unicode.IsSpace)), end
}

// scanUnmarked emits the filler before an unmarked body, and then the body as the value of one
// field without a name. The method Requests reads the fields from that value.
func (s *scanner) scanUnmarked() (int, *scan.Token, error) {
	u := &s.unmarked
	size := u.end - u.start
	switch {
	case s.base < u.start:
		return s.emitLead(u.start-s.base, "")
	case u.step == stepField:
		u.step = stepValue
		tok := s.newMark(scan.TokenField)
		tok.Role, tok.Rule, tok.Unmarked = scan.FieldReserved, scan.TextExact, true
		tok.Repairs = append(s.repaired[:0], scan.TokenRepair{Repair: u.repair, Start: 0, End: size})
		if s.text.fieldAt == 0 {
			s.text.fieldAt = s.base
		}
		return s.emit(0, tok)
	case u.step == stepValue:
		u.step = stepEnd
		return s.emit(size, s.newMark(scan.TokenValue))
	}
	*u = unmarkedBody{}
	s.closer = edge{family: familyTagged} // followEarly ignores a closer of this family
	return s.emit(0, s.newMark(scan.TokenFieldEnd))
}

// unmarkedFields returns the fields of an unmarked body, or nil if the body is not of that form.
func (s *scanner) unmarkedFields(text []byte) []scan.Field {
	if len(text) > 0 && text[0] == '{' {
		return jsonFields(text, s.o.MaxKey)
	}
	return lineFields(text)
}
