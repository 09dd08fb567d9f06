package hermes

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol/scan"
)

// callFollows returns whether the start tag at src[from:body] begins a request. Either JSON follows
// the tag (T3), or a call in another form (T4). The other form cannot be read, and code says so.
func (s *scanner) callFollows(src []byte, from, body int, atEOF bool) (code scan.ErrorCode, m scan.Match) {
	i := max(body, from+s.Looked)
	lead := src[i:min(len(src), max(i, body+maxLead))]
	n := spaces(lead)
	if n < len(lead) && lead[n] == '>' { // maybe the mark of a blockquote
		n = gap(lead, s.quoted(src, from))
	}
	s.Work += n + 1
	s.leadBreak = s.leadBreak || bytes.ContainsAny(lead[:n], "\r\n")
	if i += n; i == len(src) || i-body >= maxLead {
		if atEOF || i-body >= maxLead {
			return "", scan.MatchNo
		}
		s.Looked = i - from
		return "", scan.MatchShort
	}
	s.Looked = i - from
	rest := src[i:]
	switch rest[0] {
	case '{':
		return "", scan.MatchYes
	case '[':
		return "", opensWith(rest[1:], "{", s.quoted(src, from), atEOF)
	case '`', '~':
		n, m := fenceLine(rest, atEOF)
		if m == scan.MatchYes {
			m = opensWith(rest[n:], "{[", s.quoted(src, from), atEOF)
		}
		if m != scan.MatchNo {
			return "", m
		}
	}
	switch m := s.otherForm(rest, i == body || s.leadBreak, atEOF); m {
	case scan.MatchYes:
		return scan.CodeAmbiguousValue, m
	case scan.MatchNo:
		s.Looked += s.nameLen
		return "", m
	}
	return "", scan.MatchShort
}
