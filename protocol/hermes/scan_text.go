package hermes

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/markdown"
	"github.com/vcpgo/vcp/internal/needles"
	"github.com/vcpgo/vcp/protocol/scan"
)

// textState describes the text since the last request.
type textState struct {
	since int  // bytes of text since its end
	after bool // there was a request
	blank bool // only white space follows it
	quote bool // its first line begins with the mark of a blockquote
}

// pass records text.
func (t *textState) pass(b []byte) {
	t.since += len(b)
	t.blank = t.blank && spaces(b) == len(b)
}

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

const (
	// maxLead limits the white space after a start tag, in bytes. After more, the tag is text.
	maxLead = 1024
	// maxInfo limits the info string of a fence around a body, in bytes.
	maxInfo = 24
)

// callFollows returns whether a request begins at the start tag at src[from:body]: JSON follows
// (T3). If code is set, the request is written in another form (T4).
func (s *scanner) callFollows(src []byte, from, body int, atEOF bool) (code scan.ErrorCode, m match) {
	i := max(body, from+s.looked)
	lead := src[i:min(len(src), max(i, body+maxLead))]
	n := spaces(lead)
	for n < len(lead) && lead[n] == '>' && s.quoted(src, from) {
		n++
		n += spaces(lead[n:])
	}
	s.examined += n + 1
	if i += n; i == len(src) || i-body >= maxLead {
		if atEOF || i-body >= maxLead {
			return "", matchNo
		}
		s.looked = i - from
		return "", matchShort
	}
	s.looked = i - from
	rest := src[i:]
	switch rest[0] {
	case '{':
		return "", matchYes
	case '[':
		return "", opensWith(rest[1:], "{", s.quoted(src, from), atEOF)
	case '`', '~':
		n, m := fenceLine(rest, atEOF)
		if m == matchYes {
			m = opensWith(rest[n:], "{[", s.quoted(src, from), atEOF)
		}
		if m != matchNo {
			return "", m
		}
	}
	fresh := i == body || bytes.ContainsAny(src[max(body, i-maxInfo):i], "\r\n")
	switch m := s.otherForm(rest, fresh, atEOF); m {
	case matchYes:
		return scan.CodeAmbiguousValue, m
	case matchNo:
		s.looked += s.named
		return "", m
	}
	return "", matchShort
}

// quoted reports whether the line of src[at] begins with the mark of a blockquote.
func (s *scanner) quoted(src []byte, at int) bool {
	since := s.text.since
	if s.mode != modeText {
		since = s.base - s.body.start
	}
	line := src[max(0, at-since, at-maxBesides):at]
	s.examined += len(line)
	begin := bytes.LastIndexAny(line, "\r\n") + 1
	if begin == 0 && len(line) < since {
		return false // the beginning of the line is not known
	}
	if begin == 0 && (s.mode == modeText && s.text.quote || s.mode != modeText && s.body.quoted) {
		return true
	}
	line = bytes.TrimLeft(line[begin:], " \t")
	for len(line) > 1 && strings.IndexByte("-*+", line[0]) >= 0 && (line[1] == ' ' || line[1] == '\t') { // list items
		line = bytes.TrimLeft(line[1:], " \t")
	}
	return bytes.HasPrefix(line, []byte(">"))
}

func shortUnless(atEOF bool) match {
	if atEOF {
		return matchNo
	}
	return matchShort
}

// opensWith returns whether b begins with up to maxInfo bytes of white space and then a byte of
// set. In a blockquote its marks are white space.
func opensWith(b []byte, set string, quoted, atEOF bool) match {
	b = b[:min(len(b), maxInfo+1)]
	n := spaces(b)
	for quoted && n < len(b) && b[n] == '>' {
		n++
		n += spaces(b[n:])
	}
	switch {
	case n <= maxInfo && n == len(b):
		return shortUnless(atEOF)
	case n <= maxInfo && strings.IndexByte(set, b[n]) >= 0:
		return matchYes
	}
	return matchNo
}

// fenceLine returns the length of the line at the start of b if it opens fenced code, its line
// break included.
func fenceLine(b []byte, atEOF bool) (n int, m match) {
	line := b[:min(len(b), maxInfo+1)]
	end := bytes.IndexAny(line, "\r\n")
	if end < 0 {
		if len(line) > maxInfo {
			return 0, matchNo
		}
		return 0, shortUnless(atEOF)
	}
	if _, _, ok := markdown.OpenFence(line[:end]); !ok {
		return 0, matchNo
	}
	return end + 1, matchYes
}

// maxBesides limits how much of a line before and after a tag is examined, in bytes.
const maxBesides = 96

// emphasis lists the characters that are ignored next to a tag on its line.
const emphasis = " \t*_~\u3000\ufeff"

// standsAlone returns whether the tag at src[at:end] is alone on its line, apart from emphasis. If
// body is set, an object may follow the tag.
func (s *scanner) standsAlone(src []byte, at, end int, body, atEOF bool) match {
	since := s.text.since
	if s.mode != modeText {
		since = s.base - s.body.start
	}
	floor := max(0, at-scan.History, at-since, at-maxBesides)
	begin := at
	for begin > floor {
		_, n := utf8.DecodeLastRune(src[floor:begin])
		if !strings.Contains(emphasis, string(src[begin-n:begin])) {
			break
		}
		begin -= n
	}
	rest := src[end:min(len(src), end+maxBesides)]
	s.examined += len(rest)
	left := bytes.TrimLeft(rest, emphasis)
	if m := opensWith(left, "{", false, atEOF || len(rest) == maxBesides); body && m == matchYes {
		return m
	} else if begin != at-since && (begin == 0 || src[begin-1] != '\n' && src[begin-1] != '\r') {
		if !body {
			m = matchNo
		}
		return m
	}
	switch {
	case len(left) > 0 && (left[0] == '\n' || left[0] == '\r'):
		return matchYes
	case len(left) == 0 && len(rest) < maxBesides, !utf8.FullRune(left) && len(rest) < maxBesides:
		if atEOF {
			return matchYes
		}
		return matchShort
	}
	return matchNo
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
