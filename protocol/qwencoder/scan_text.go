package qwencoder

import (
	"bytes"
	"strings"

	"github.com/vcpgo/vcp/protocol/internal/tags"
	"github.com/vcpgo/vcp/protocol/scan"
)

// scanText reads outside of requests.
func (s *scanner) scanText(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	for i := from; ; i++ {
		n := bytes.IndexByte(src[i:], '<')
		if n < 0 {
			s.Work += len(src) - i
			if len(src) > from {
				return s.emitText(src, from, len(src))
			}
			return s.End(atEOF)
		}
		i += n
		s.Work += n
		t, m := s.tag(src[i:], maxTextTag)
		switch {
		case m == scan.MatchNo, m == scan.MatchShort && atEOF, m == scan.MatchYes && t.Kind == tagDamaged:
			continue
		case i > from:
			return s.emitText(src, from, i)
		case m == scan.MatchShort:
			return s.Wait()
		}
		return s.textTag(src, from, &t, atEOF)
	}
}

func (s *scanner) emitText(src []byte, from, to int) (int, *scan.Token, error) {
	s.text.pass(src[from:to])
	return s.EmitAs(to-from, scan.TokenText, "")
}

// textTag decides what a tag at src[from:] means in text.
func (s *scanner) textTag(src []byte, from int, t *tag, atEOF bool) (int, *scan.Token, error) {
	rest := src[from+t.N:]
	evidence, m := scan.Evidence(0), scan.MatchYes
	switch {
	case t.Kind == tags.Call && !t.End:
		s.body = bodyState{start: s.Base, white: white}
		if tags.QuotesLine(src, from, s.text.since, s.text.since < s.Base, false) {
			s.body.white = whiteQuoted
		}
		var code scan.ErrorCode
		if code, m = s.callFollows(rest, atEOF); m == scan.MatchYes {
			s.NewToken(scan.TokenRequestStart).Code = code
			s.repairTag(t, 0)
			s.mode = modeBody
			if code != "" {
				s.body.phase = broken
			}
			return s.Emit(t.N)
		}
	case t.Kind == tags.Call && s.text.blank:
		s.text.since += t.N // a superfluous END (Q13)
		return s.EmitAs(t.N, scan.TokenText, "")
	case t.Kind == tags.Function && !t.End:
		if m = partFollows(rest, atEOF); m == scan.MatchYes {
			if !s.endMissing && tags.BeginsLine(src, from, s.text.since, blanks) {
				// The token is only the tag's first byte: the rest begins the field of the name.
				s.NewToken(scan.TokenRequestStart)
				s.Repair(repairMissingBlockStart, 0, 0)
				s.mode, s.body = modeBody, bodyState{start: s.Base, bare: true, white: white}
				return s.Emit(1)
			}
			evidence = scan.EvidenceField
		}
	case t.Kind == tags.Response && !t.End, t.Kind == tags.Tools:
		evidence, m = s.standsAlone(src, from, t, s.text.since, atEOF)
	case t.End && t.Kind != tags.Response:
		evidence = scan.EvidenceCloser
	}
	switch {
	case m == scan.MatchShort:
		return s.Wait()
	case m == scan.MatchNo || evidence == 0:
		return s.emitText(src, from, from+t.N)
	}
	s.text.pass(src[from : from+t.N])
	return s.EmitEvidence(t.N, evidence)
}

// callFollows returns whether a call follows START, which ends before b (Q5). If code is set, it is
// written in another form (Q6).
func (s *scanner) callFollows(b []byte, atEOF bool) (code scan.ErrorCode, m scan.Match) {
	n := s.lead + leading(b[s.lead:max(s.lead, min(len(b), maxLead))], s.body.white)
	s.Work += n - s.lead + 1
	s.lead = 0
	switch rest := b[n:]; {
	case n >= maxLead:
	case len(rest) == 0:
		s.lead = n
		return "", scan.ShortUnless(atEOF)
	case rest[0] == '{' || rest[0] == '[':
		return scan.CodeAmbiguousValue, scan.MatchYes
	case rest[0] == '<':
		return "", opensCall(rest, atEOF)
	}
	return "", scan.MatchNo
}

// opensCall returns whether b begins with a tag that may belong to a call, in this form or another.
func opensCall(b []byte, atEOF bool) scan.Match {
	t, m := tagAt(b, maxTag)
	word := b[1+min(1, leading(b[1:], blanks)):]
	switch {
	case len(word) == 0 && !atEOF:
		return scan.MatchShort
	case len(word) == 0:
		return scan.MatchYes
	case word[0]|0x20 < 'a' || 'z' < word[0]|0x20: // no letter
		return scan.MatchNo
	case m == scan.MatchYes && t.Kind <= tags.Tools: // a tag that is not part of a call
		return scan.MatchNo
	case m == scan.MatchShort && word[0]|0x20 == 't': // those tags begin with a t
		return scan.ShortUnless(atEOF)
	}
	return scan.MatchYes
}

// partFollows returns whether the tag of a parameter, or that of the function's end, follows
// directly (Q7).
func partFollows(b []byte, atEOF bool) scan.Match {
	rest := b[leading(b[:min(len(b), maxGap)], white):]
	for _, part := range [...]string{"<parameter", "</function"} {
		switch n := min(len(rest), len(part)); {
		case !bytes.EqualFold(rest[:n], []byte(part[:n])):
		case n < len(part):
			return scan.ShortUnless(atEOF)
		default:
			return scan.MatchYes
		}
	}
	return scan.MatchNo
}

// standsAlone returns what a tag of a result or of definitions shows (Q14, Q15). The tag is at
// src[at:], and since is how many bytes of the text or the request come before it. The tag must be
// alone on its line, apart from emphasis. But the body of a result may follow its tag.
func (s *scanner) standsAlone(src []byte, at int, t *tag, since int, atEOF bool) (scan.Evidence, scan.Match) {
	afterTag := src[at+t.N:]
	rest, m := tags.EndsLine(afterTag, atEOF)
	s.Work += min(at, since, tags.MaxLine) + min(len(afterTag), tags.MaxLine)
	if t.Kind == tags.Response && len(rest) > 0 && strings.IndexByte("{<", rest[0]) >= 0 {
		m = scan.MatchYes
	}
	if !tags.BeginsLine(src, at, since, tags.Emphasis) {
		m = scan.MatchNo
	}
	switch {
	case t.Kind == tags.Response:
		return scan.EvidenceResult, m
	case t.End:
		return scan.EvidenceDefinitionEnd, m
	}
	return scan.EvidenceDefinition, m
}
