package vcp

import (
	"bytes"

	"github.com/vcpgo/vcp/internal/markdown"
	"github.com/vcpgo/vcp/protocol/scan"
)

// openerWindow is how far after a start marker the first opener may be, in bytes (B7).
const openerWindow = 1024

// requestStart decides whether a start marker opens a request (B7, B8), and makes its token.
func (s *scanner) requestStart(src []byte, from, at int, m marker, atEOF bool) (n int, verdict scan.Match) {
	a := &s.ahead
	if at > from || a.body == 0 { // the first call for this marker
		*a = aheadState{body: m.n, looked: m.n}
		a.repairs = len(s.tokenRepairs(s.repaired[:0], m.repairs, 0, m.n))
		body := at + m.n
		if _, end := findCleanField(src[:min(len(src), body+openerWindow)], body, s.o.MaxKey); end > 0 {
			return s.startRequest(src, from, at, "") // most requests begin like this: no search is needed
		}
	}
	if s.unmarked.startMarker == s.base+at-from+1 { // its unmarked body was examined before, without finding the end
		return s.unmarkedStart(src, from, at, nil, atEOF)
	}
	stop, found := s.searchAhead(src, at, atEOF)
	body := src[at+a.body : max(stop, at+a.body)]
	s.examined += len(body)
	switch {
	case found == scan.MatchShort:
		return 0, scan.MatchShort
	case found == scan.MatchNo && wantsTool(body):
		return s.unmarkedStart(src, from, at, body, atEOF)
	case found == scan.MatchNo, interrupted(body) && !s.alone(src, from, at, at+a.body):
		return 0, scan.MatchNo
	case s.beginsFields(src, at+a.body, stop):
		return s.startRequest(src, from, at, "")
	}
	return s.startRequest(src, from, at, scan.CodeNoFields)
}

// unmarkedStart decides whether the start marker at src[at:] opens a request with an unmarked body
// or without fields. head is the beginning of the body in the first call for the marker, and nil in
// later calls.
func (s *scanner) unmarkedStart(src []byte, from, at int, head []byte, atEOF bool) (n int, verdict scan.Match) {
	found := scan.MatchNo
	if src[at] != '&' && src[at] != '\\' { // an escaped start marker opens no unmarked body
		found = s.findUnmarked(src, from, at, at+s.ahead.body, head, atEOF)
	}
	switch found {
	case scan.MatchShort:
		return 0, scan.MatchShort
	case scan.MatchNo:
		return s.startRequest(src, from, at, scan.CodeNoFields)
	}
	return s.startRequest(src, from, at, "")
}

// startRequest makes the token of the start marker at src[at:], which opens a request.
func (s *scanner) startRequest(src []byte, from, at int, code scan.ErrorCode) (n int, verdict scan.Match) {
	tok := s.newMark(scan.TokenRequestStart)
	tok.Code, tok.Repairs = code, s.repaired[:s.ahead.repairs]
	s.text.clean = s.lineIsClean(src, from, at)
	return s.ahead.body, scan.MatchYes
}

// searchAhead searches for the first opener after the start marker at src[at:]. stop is the offset
// of the opener, or the end of the search.
func (s *scanner) searchAhead(src []byte, at int, atEOF bool) (stop int, found scan.Match) {
	a := &s.ahead
	for {
		windowEnd := min(len(src), at+a.body+openerWindow)
		p, kind := s.search(src[:windowEnd], at+a.looked)
		if p < 0 {
			if atEOF || windowEnd == at+a.body+openerWindow {
				return windowEnd, scan.MatchNo
			}
			a.looked = max(a.looked, hold(src, at)-at)
			return 0, scan.MatchShort
		}
		a.looked = p - at
		switch kind {
		case anchorClose:
		case anchorEscaped:
			if src[at] != src[p] {
				break // not escaped in the same style
			}
			m, _, alone, found := escapedAt(src, at, p, atEOF)
			if found == scan.MatchShort {
				return 0, scan.MatchShort
			}
			if found == scan.MatchYes && alone && m.end {
				return p, scan.MatchNo
			}
		case anchorOpen:
			_, start, m := edgeAround(src, at+a.body, p, atEOF)
			if m == scan.MatchShort {
				return 0, scan.MatchShort
			}
			if m == scan.MatchYes {
				return start, scan.MatchYes
			}
		default:
			next, m := markerAt(src, p, atEOF)
			if m == scan.MatchShort {
				return 0, scan.MatchShort
			}
			if m == scan.MatchNo || next.suffixed || next.kind != markerRequest {
				break
			}
			// An escaped start marker and a plain one are not a doubled start.
			escaped := src[at] == '&' || src[at] == '\\'
			doubled := a.repairs > 0 && s.repaired[a.repairs-1].Repair == repairDoubledStart
			if next.end || escaped || doubled || len(bytes.TrimSpace(src[at+a.body:p])) > 0 {
				return p, scan.MatchNo
			}
			list := s.tokenRepairs(s.repaired[:a.repairs], next.repairs, p-at, p-at+next.n)
			list = s.tokenRepairs(list, bitDoubledStart, p-at, p-at+next.n)
			a.repairs = copy(s.repaired[:], list)
			a.body = p - at + next.n
			a.looked = a.body
			continue
		}
		a.looked++
	}
}

// beginsFields reports whether the first opener of a body, at src[opener:], can belong to a field.
// In a body of JSON or tags, a brace, a comma or a line break must be before its key: a field
// inside a string does not belong to the request (B7).
func (s *scanner) beginsFields(src []byte, body, opener int) bool {
	if !otherForm(src[body:opener]) {
		return true
	}
	k, ok := s.keyBefore(src, body, opener, s.o.MaxKey)
	if !ok {
		return false
	}
	beforeKey := bytes.TrimRight(src[body:k.start], wideBlanks)
	c := beforeKey[len(beforeKey)-1]
	return c == '{' || c == ',' || c == '\n' || c == '\r'
}

// wantsTool reports whether a body without fields was meant as a request (B7).
func wantsTool(body []byte) bool {
	return bytes.Contains(body, []byte(keyToolName)) || otherForm(body)
}

// interrupted reports whether a line of body after the first begins fenced code or a reasoning
// section.
func interrupted(body []byte) bool {
	if !bytes.ContainsAny(body, "`~<") {
		return false
	}
	paragraph := true
	for {
		stop := bytes.IndexAny(body, "\r\n")
		if stop < 0 {
			return false
		}
		if body[stop] == '\r' && stop+1 < len(body) && body[stop+1] == '\n' {
			stop++
		}
		body = body[stop+1:]
		line := firstLine(body)
		if markdown.OpensFence(line, paragraph) {
			return true
		}
		line = bytes.TrimLeft(line, " \t")
		paragraph = len(line) > 0
		if paragraph && line[0] == '<' {
			if tag, _ := markdown.ReadReasoningTag(line); tag.Len > 0 && !tag.Closes {
				return true
			}
		}
	}
}
