package hermes

import (
	"bytes"

	"github.com/vcpgo/vcp/internal/needles"
	"github.com/vcpgo/vcp/protocol/scan"
)

// textNeedles find the places at which something other than text may begin: a tag, or a value of a
// call outside of tags.
var textNeedles = needles.New("<t", "<T", "</", "< ", "<\t", `":`)

// maxBare limits the notices about calls outside of tags, since a reply may contain thousands of
// them.
const maxBare = 64

// scanText reads outside of requests.
func (s *scanner) scanText(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	i := from
	for {
		n := textNeedles.Index(src[i:])
		if last := len(src) - 1; n < 0 && last >= i && src[last] == '<' { // half of a pair
			n = last - i
		}
		if n < 0 {
			s.examined += len(src) - i
			return s.restOfText(src, from, atEOF)
		}
		s.examined += n + 1
		if i += n; src[i] == '"' {
			if start, ok := bareCall(src, s.textFloor(from), i); ok && s.bare < maxBare {
				if i > from {
					return s.emitText(src, from, i)
				}
				s.bare++
				s.text.pass(src[i : i+2])
				tok := s.newToken(scan.TokenEvidence)
				tok.Evidence, tok.NameStart = scan.EvidenceField, start-i
				return s.emit(2)
			}
			i++
			continue
		}
		t, m := tagAt(src[i:], atEOF)
		switch {
		case m == matchNo:
			i++
			continue
		case i > from: // the next call of Scan decides what the tag means
			return s.emitText(src, from, i)
		case m == matchShort:
			return s.short(0)
		}
		return s.textTag(src, from, t, atEOF)
	}
}

func (s *scanner) emitText(src []byte, from, to int) (int, *scan.Token, error) {
	s.text.pass(src[from:to])
	return s.emitAs(to-from, scan.TokenText, "")
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
		return s.emitAs(0, scan.TokenNone, "")
	}
	return s.short(0)
}

// textTag decides what a tag at src[from:] means in text.
func (s *scanner) textTag(src []byte, from int, t tag, atEOF bool) (int, *scan.Token, error) {
	kind, m := scan.TokenEvidence, matchYes
	evidence, doubled := scan.Evidence(0), false
	code := scan.ErrorCode("")
	switch {
	case t.kind == tagCall && !t.end:
		if code, m = s.callFollows(src, from, from+t.n, atEOF); m == matchYes {
			kind = scan.TokenRequestStart
		}
	case t.kind == tagCall && s.text.after && s.text.blank:
		doubled = true // a superfluous end tag is text (T7)
	case t.kind == tagCall:
		evidence = scan.EvidenceCloser
	case t.kind == tagResponse && !t.end:
		if m = s.standsAlone(src, from, from+t.n, true, atEOF); m == matchYes {
			evidence = scan.EvidenceResult
		}
	case t.kind == tagTools:
		if m = s.standsAlone(src, from, from+t.n, false, atEOF); m == matchYes {
			evidence = scan.EvidenceDefinition
			if t.end {
				evidence = scan.EvidenceDefinitionEnd
			}
		}
	}
	if m == matchShort {
		return 0, nil, scan.ErrShort
	}
	if kind == scan.TokenEvidence && evidence == 0 {
		kind = scan.TokenText
	}
	tok := s.newToken(kind)
	tok.Code, tok.Evidence = code, evidence
	if kind == scan.TokenRequestStart {
		s.repairTag(&t, 0)
		s.beginBody(code, s.quoted(src, from))
	} else {
		t.n = max(t.n, s.looked) // the blanks and the name after a tag that opens nothing contain no tag
		s.text.pass(src[from : from+t.n])
		s.text.blank = doubled
	}
	return s.emit(t.n)
}

// textFloor limits how far the scanner looks back from the next token: to the last request's end,
// or to the start of the kept input.
func (s *scanner) textFloor(from int) int { return max(0, from-scan.History, from-s.text.since) }

// bareCall reports whether an object outside of tags is a call (T9). A colon follows the quotation
// mark at src[at], which ends a key. The object begins at start.
func bareCall(src []byte, floor, at int) (start int, ok bool) {
	const window = 256
	b := src[max(floor, at-window):at]
	rest, ok := bytes.CutSuffix(b, []byte(`"`+keyArguments))
	if !ok {
		if rest, ok = bytes.CutSuffix(b, []byte(`"`+keyParameters)); !ok {
			return 0, false
		}
	}
	brace := bytes.LastIndexByte(rest, '{')
	if brace < 0 {
		return 0, false
	}
	before := bytes.Trim(rest[brace+1:], " \t\r\n")
	return at - len(b) + brace, len(before) == 0 || bytes.Contains(before, []byte(`"`+keyName+`"`))
}
