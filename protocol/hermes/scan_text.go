package hermes

import (
	"bytes"

	"github.com/vcpgo/vcp/internal/needles"
	"github.com/vcpgo/vcp/protocol/internal/tags"
	"github.com/vcpgo/vcp/protocol/scan"
)

// textNeedles find the places at which something other than text may begin: a tag, or the colon
// after a key of a call outside of tags (T9).
var textNeedles = needles.New("<t", "<T", "</", "< ", "<\t", `":`)

// scanText reads outside of requests.
func (s *scanner) scanText(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	i := from
	for {
		n := textNeedles.Index(src[i:])
		if last := len(src) - 1; n < 0 && last >= i && src[last] == '<' { // half of a pair
			n = last - i
		}
		if n < 0 {
			s.Work += len(src) - i
			return s.restOfText(src, from, atEOF)
		}
		s.Work += n + 1
		if i += n; src[i] == '"' {
			if start, ok := bareCall(src, s.textFloor(from), i); ok {
				if i > from {
					return s.emitText(src, from, i)
				}
				s.text.pass(src[i : i+2])
				tok := s.NewToken(scan.TokenEvidence)
				tok.Evidence, tok.NameStart = scan.EvidenceField, start-i
				return s.Emit(2)
			}
			i++
			continue
		}
		t, m := tagAt(src[i:], atEOF)
		switch {
		case m == scan.MatchNo:
			i++
			continue
		case i > from: // the next call of Scan decides what the tag means
			return s.emitText(src, from, i)
		case m == scan.MatchShort:
			return s.Short(0)
		}
		return s.textTag(src, from, t, atEOF)
	}
}

func (s *scanner) emitText(src []byte, from, to int) (int, *scan.Token, error) {
	s.text.pass(src[from:to])
	return s.EmitAs(to-from, scan.TokenText, "")
}

// restOfText emits the remaining text, except a quotation mark at its end.
func (s *scanner) restOfText(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	end := len(src)
	if !atEOF && end > from && src[end-1] == '"' {
		end--
	}
	switch {
	case end > from:
		return s.emitText(src, from, end)
	case atEOF:
		return s.EmitAs(0, scan.TokenNone, "")
	}
	return s.Short(0)
}

// textTag decides what a tag at src[from:] means in text.
func (s *scanner) textTag(src []byte, from int, t tags.Tag, atEOF bool) (int, *scan.Token, error) {
	kind, m := scan.TokenEvidence, scan.MatchYes
	evidence, superfluous := scan.Evidence(0), false
	code := scan.ErrorCode("")
	switch {
	case t.Kind == tags.Call && !t.End:
		if code, m = s.callFollows(src, from, from+t.N, atEOF); m == scan.MatchYes {
			kind = scan.TokenRequestStart
		}
	case t.Kind == tags.Call && s.text.blank:
		superfluous = true // such an end tag is text (T7)
	case t.Kind == tags.Call:
		evidence = scan.EvidenceCloser
	case t.Kind == tags.Response && !t.End:
		if m = s.standsAlone(src, from, from+t.N, true, atEOF); m == scan.MatchYes {
			evidence = scan.EvidenceResult
		}
	case t.Kind == tags.Tools:
		if m = s.standsAlone(src, from, from+t.N, false, atEOF); m == scan.MatchYes {
			evidence = scan.EvidenceDefinition
			if t.End {
				evidence = scan.EvidenceDefinitionEnd
			}
		}
	}
	if m == scan.MatchShort {
		return s.Wait()
	}
	if kind == scan.TokenEvidence && evidence == 0 {
		kind = scan.TokenText
	}
	tok := s.NewToken(kind)
	tok.Code, tok.Evidence = code, evidence
	if kind == scan.TokenRequestStart {
		s.RepairTag(&t, 0)
		s.beginBody(code, s.quoted(src, from))
	} else {
		t.N = max(t.N, s.Looked) // the blanks and the name after a tag that opens nothing contain no tag
		s.text.pass(src[from : from+t.N])
		s.text.blank = superfluous
	}
	return s.Emit(t.N)
}

// textFloor returns the offset to which the scanner looks back from the next token: the end of the
// last request, but at most scan.History bytes before the token.
func (s *scanner) textFloor(from int) int { return max(0, from-scan.History, from-s.text.since) }

// bareCall reports whether an object outside of tags is a call (T9). A colon follows the quotation
// mark at src[at], which ends a key. The object begins at start.
func bareCall(src []byte, floor, at int) (start int, ok bool) {
	const window = 256 // bytes before the key
	rest, ok := bytes.CutSuffix(src[floor:at], []byte(`"`+keyArguments))
	if !ok {
		if rest, ok = bytes.CutSuffix(src[floor:at], []byte(`"`+keyParameters)); !ok {
			return 0, false
		}
	}
	windowStart := max(0, len(rest)-window)
	brace := bytes.LastIndexByte(rest[windowStart:], '{')
	if brace < 0 {
		return 0, false
	}
	brace += windowStart
	members := bytes.Trim(rest[brace+1:], " \t\r\n") // those before the key
	return floor + brace, len(members) == 0 || bytes.Contains(members, []byte(`"`+keyName+`"`))
}
