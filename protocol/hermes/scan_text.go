package hermes

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/markdown"
	"github.com/vcpgo/vcp/internal/needles"
	"github.com/vcpgo/vcp/protocol"
)

// textState is what is known of the text since the last request.
type textState struct {
	since int  // bytes of text since its end
	after bool // there was a request
	blank bool // nothing but white space stands behind it
	quote bool // its first line has begun as a quotation does
}

// pass takes note of text.
func (t *textState) pass(b []byte) {
	t.since += len(b)
	t.blank = t.blank && spaces(b) == len(b)
}

// textNeedles are where something else than text may begin: a tag, or the value of a key of a call
// that stands in no tag.
var textNeedles = needles.New("<t", "<T", "</", "< ", "<\t", `":`)

// maxBare bounds how many calls that stand in no tag a reply is told of: a reply that is nothing
// else would bring thousands of remarks back.
const maxBare = 64

// scanText reads outside of requests.
func (s *scanner) scanText(src []byte, from int, atEOF bool) (int, *protocol.Token, error) {
	i := from
	for {
		n := textNeedles.Index(src[i:])
		if last := len(src) - 1; n < 0 && last >= i && src[last] == '<' { // half a pair
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
				tok := s.newToken(protocol.TokenEvidence)
				tok.Evidence, tok.NameStart = protocol.EvidenceField, start-i
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
		case i > from: // what a tag means is settled when it is next
			return s.emitText(src, from, i)
		case m == matchShort:
			return s.short(0)
		}
		return s.textTag(src, from, t, atEOF)
	}
}

func (s *scanner) emitText(src []byte, from, to int) (int, *protocol.Token, error) {
	s.text.pass(src[from:to])
	return s.emitAs(to-from, protocol.TokenText, "")
}

// restOfText hands out what is left where nothing else was found: all but a quotation mark at its
// end.
func (s *scanner) restOfText(src []byte, from int, atEOF bool) (int, *protocol.Token, error) {
	end := len(src)
	if !atEOF && end > from && src[end-1] == '"' {
		end--
	}
	switch {
	case end > from:
		return s.emitText(src, from, end)
	case atEOF:
		return s.emitAs(0, protocol.TokenNone, "")
	}
	return s.short(0)
}

// textTag settles what a tag at src[from:] means in text.
func (s *scanner) textTag(src []byte, from int, t tag, atEOF bool) (int, *protocol.Token, error) {
	kind, m := protocol.TokenEvidence, matchYes
	evidence, doubled := protocol.Evidence(0), false
	code := protocol.ErrorCode("")
	switch {
	case t.kind == tagCall && !t.end:
		if code, m = s.callFollows(src, from, from+t.n, atEOF); m == matchYes {
			kind = protocol.TokenRequestStart
		}
	case t.kind == tagCall && s.text.after && s.text.blank:
		doubled = true // an end once too often is text (T7)
	case t.kind == tagCall:
		evidence = protocol.EvidenceCloser
	case t.kind == tagResponse && !t.end:
		if m = s.standsAlone(src, from, from+t.n, true, atEOF); m == matchYes {
			evidence = protocol.EvidenceResult
		}
	case t.kind == tagTools:
		if m = s.standsAlone(src, from, from+t.n, false, atEOF); m == matchYes {
			evidence = protocol.EvidenceDefinition
			if t.end {
				evidence = protocol.EvidenceDefinitionEnd
			}
		}
	}
	if m == matchShort {
		return 0, nil, protocol.ErrShort
	}
	if kind == protocol.TokenEvidence && evidence == 0 {
		kind = protocol.TokenText
	}
	tok := s.newToken(kind)
	tok.Code, tok.Evidence = code, evidence
	if kind == protocol.TokenRequestStart {
		s.repairTag(&t, 0)
		s.beginBody(code, s.quoted(src, from))
	} else {
		t.n = max(t.n, s.looked) // in the blanks and the name behind a tag that opens nothing there is nothing to be found
		s.text.pass(src[from : from+t.n])
		s.text.blank = doubled
	}
	return s.emit(t.n)
}

const (
	// maxLead bounds the white space behind a start tag, in bytes: past it the tag is text.
	maxLead = 1024
	// maxInfo bounds the info string of a fence around a body, in bytes.
	maxInfo = 24
)

// callFollows tells whether a request begins at the start tag at src[from:body]: a body of JSON
// follows (T3). With code a request was meant and is written in another form (T4).
func (s *scanner) callFollows(src []byte, from, body int, atEOF bool) (code protocol.ErrorCode, m match) {
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
		return protocol.CodeAmbiguousValue, m
	case matchNo:
		s.looked += s.named
		return "", m
	}
	return "", matchShort
}

// quoted reports whether the line that src[at:] stands in begins as a quotation does.
func (s *scanner) quoted(src []byte, at int) bool {
	since := s.text.since
	if s.mode != modeText {
		since = s.base - s.body.start
	}
	line := src[max(0, at-since, at-maxBesides):at]
	s.examined += len(line)
	begin := bytes.LastIndexAny(line, "\r\n") + 1
	if begin == 0 && len(line) < since {
		return false // it is not known how the line begins
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

// opensWith tells whether one of the bytes of set follows at most maxInfo bytes of white space. In a
// quotation its marks are white space.
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

// maxBesides bounds how much of a line beside a tag is looked at, in bytes.
const maxBesides = 96

// emphasis is what may stand beside a tag on its line.
const emphasis = " \t*_~\u3000\ufeff"

// standsAlone tells whether the tag at src[at:end] has its line to itself, emphasis set aside; with
// body, also where an object follows it directly.
func (s *scanner) standsAlone(src []byte, at, end int, body, atEOF bool) match {
	since := s.text.since
	if s.mode != modeText {
		since = s.base - s.body.start
	}
	floor := max(0, at-protocol.History, at-since, at-maxBesides)
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

// textFloor is where looking back from the next token ends: at the last request's end, or where no
// more is kept.
func (s *scanner) textFloor(from int) int { return max(0, from-protocol.History, from-s.text.since) }

// bareCall reports whether the quotation mark at src[at:], which a colon follows, ends the key that
// makes an object a call: then the object began at start, and it stands in no tag (T9).
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
