package qwencoder

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol/scan"
)

// pass records text.
func (t *textState) pass(b []byte) {
	t.since += len(b)
	t.blank = t.blank && leading(b, white) == len(b)
}

// scanText reads outside of requests.
func (s *scanner) scanText(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	for i := from; ; i++ {
		n := bytes.IndexByte(src[i:], '<')
		if n < 0 {
			s.examined += len(src) - i
			switch {
			case len(src) > from:
				return s.emitText(src, from, len(src))
			case atEOF:
				return s.emitAs(0, scan.TokenNone, "")
			}
			return s.short()
		}
		i += n
		s.examined += n
		t, m := s.tag(src[i:], maxTextTag)
		switch {
		case m == matchNo, m == matchShort && atEOF, m == matchYes && t.kind == tagDamaged:
			continue
		case i > from:
			return s.emitText(src, from, i)
		case m == matchShort:
			return s.short()
		}
		return s.textTag(src, from, &t, atEOF)
	}
}

func (s *scanner) emitText(src []byte, from, to int) (int, *scan.Token, error) {
	s.text.pass(src[from:to])
	return s.emitAs(to-from, scan.TokenText, "")
}

// textTag decides what a tag at src[from:] means in text.
func (s *scanner) textTag(src []byte, from int, t *tag, atEOF bool) (int, *scan.Token, error) {
	rest := src[from+t.n:]
	evidence, m := scan.Evidence(0), matchYes
	switch {
	case t.kind == tagCall && !t.end:
		s.body.white = white
		if line, _ := s.lineBefore(src, from, s.text.since, ""); bytes.HasPrefix(bytes.TrimLeft(line, blanks+"-*+"), []byte(">")) {
			s.body.white = whiteQuoted
		}
		var code scan.ErrorCode
		if code, m = s.callFollows(rest, atEOF); m == matchYes {
			return s.beginRequest(t, code)
		}
	case t.kind == tagCall && s.text.after && s.text.blank:
		s.text.since += t.n // a superfluous END (Q13)
		return s.emitAs(t.n, scan.TokenText, "")
	case t.kind == tagFunction && !t.end:
		if m = partFollows(rest, atEOF); m == matchYes {
			if _, begins := s.lineBefore(src, from, s.text.since, blanks); begins {
				return s.beginBare()
			}
			evidence = scan.EvidenceField
		}
	case t.kind == tagResponse && !t.end, t.kind == tagTools:
		evidence, m = s.standsAlone(src, from, t, s.text.since, atEOF)
	case t.end && t.kind != tagResponse:
		evidence = scan.EvidenceCloser
	}
	if m == matchShort {
		return s.short()
	}
	if evidence == 0 {
		return s.emitText(src, from, from+t.n)
	}
	s.text.pass(src[from : from+t.n])
	return s.emitEvidence(t.n, evidence)
}

// beginRequest begins a request at START.
func (s *scanner) beginRequest(t *tag, code scan.ErrorCode) (int, *scan.Token, error) {
	s.newToken(scan.TokenRequestStart).Code = code
	s.repairTag(t, 0)
	s.mode, s.body = modeBody, bodyState{white: s.body.white}
	if code != "" {
		s.mode = modeBroken
	}
	return s.emit(t.n)
}

// beginBare begins a request at the tag of a function, without START (Q7). The token is only the
// tag's first byte: the rest begins the field of the name.
func (s *scanner) beginBare() (int, *scan.Token, error) {
	s.newToken(scan.TokenRequestStart)
	s.repair(repairMissingBlockStart, 0, 0)
	s.mode, s.body = modeBody, bodyState{bare: true, white: white}
	return s.emit(1)
}

// partFollows returns whether the tag of a parameter, or that of the function's end, follows
// directly (Q7).
func partFollows(b []byte, atEOF bool) match {
	rest := b[leading(b[:min(len(b), maxGap)], white):]
	for _, part := range [...]string{"<parameter", "</function"} {
		switch n := min(len(rest), len(part)); {
		case !bytes.EqualFold(rest[:n], []byte(part[:n])):
		case n < len(part):
			return shortUnless(atEOF)
		default:
			return matchYes
		}
	}
	return matchNo
}

// maxBesides limits how much of a line before and after a tag is examined, in bytes.
const maxBesides = 96

// emphasis lists the characters that are ignored next to a tag on its line.
const emphasis = " \t*_~\u3000\ufeff"

// lineBefore returns what comes before src[at] on its line, without the characters in cut next to
// it. begins reports that nothing else comes before it. since is how far the line may reach back.
func (s *scanner) lineBefore(src []byte, at, since int, cut string) (line []byte, begins bool) {
	since = min(since, at)
	line = src[max(at-since, at-maxBesides):at]
	s.examined += len(line)
	i := bytes.LastIndexAny(line, "\r\n") + 1
	known := i > 0 || len(line) == since
	line = bytes.TrimRight(line[i:], cut)
	return line, known && len(line) == 0
}

// standsAlone returns what the tag at src[at:] of a result or of definitions shows (Q14, Q15): it
// is alone on its line, or the body of a result follows directly.
func (s *scanner) standsAlone(src []byte, at int, t *tag, since int, atEOF bool) (scan.Evidence, match) {
	if _, begins := s.lineBefore(src, at, since, emphasis); !begins {
		return 0, matchYes
	}
	rest := src[at+t.n : min(len(src), at+t.n+maxBesides)]
	s.examined += len(rest)
	left := bytes.TrimLeft(rest, emphasis)
	switch {
	case len(rest) < maxBesides && !utf8.FullRune(left):
		if !atEOF {
			return 0, matchShort
		}
	case len(left) == 0, strings.IndexByte("\r\n", left[0]) < 0 && (t.kind == tagTools || strings.IndexByte("{<", left[0]) < 0):
		return 0, matchYes
	}
	switch {
	case t.kind == tagResponse:
		return scan.EvidenceResult, matchYes
	case t.end:
		return scan.EvidenceDefinitionEnd, matchYes
	}
	return scan.EvidenceDefinition, matchYes
}
