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
	t.blank = t.blank && spaces(b, false) == len(b)
}

// maxBare limits the notices of Q19.
const maxBare = 64

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
		quoted := s.inQuote(src, from)
		code, m := s.callFollows(rest, quoted, atEOF)
		switch m {
		case matchYes:
			return s.beginRequest(t, code, quoted)
		case matchShort:
			return s.short()
		}
	case t.kind == tagCall && s.text.after && s.text.blank:
		s.text.since += t.n // a superfluous END (Q13)
		return s.emitAs(t.n, scan.TokenText, "")
	case t.kind == tagFunction && !t.end:
		m = partFollows(rest, atEOF)
		if m == matchYes && s.firstOnLine(src, from) {
			return s.beginBare()
		}
		if m == matchYes && s.bare < maxBare {
			evidence = scan.EvidenceField
			s.bare++
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
func (s *scanner) beginRequest(t *tag, code scan.ErrorCode, quoted bool) (int, *scan.Token, error) {
	s.newToken(scan.TokenRequestStart).Code = code
	s.repairTag(t, 0)
	s.mode, s.body = modeBody, bodyState{quoted: quoted}
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
	s.mode, s.body = modeBody, bodyState{bare: true}
	return s.emit(1)
}

// partFollows returns whether the tag of a parameter, or that of the function's end, follows
// directly (Q7).
func partFollows(b []byte, atEOF bool) match {
	n := spaces(b[:min(len(b), maxGap)], false)
	rest := b[n:]
	for _, part := range [...]string{"<parameter", "</function"} {
		k := min(len(rest), len(part))
		if bytes.EqualFold(rest[:k], []byte(part[:k])) && n < maxGap {
			if k == len(part) {
				return matchYes
			}
			return shortUnless(atEOF)
		}
	}
	return matchNo
}

// maxBesides limits how much of a line before and after a tag is examined, in bytes.
const maxBesides = 96

// emphasis lists the characters that are ignored next to a tag on its line.
const emphasis = " \t*_~\u3000\ufeff"

// lineBefore returns what comes before src[at] on its line, without the characters in cut next to
// it. begins reports that nothing else comes before it. since is how far the line reaches back.
func (s *scanner) lineBefore(src []byte, at, since int, cut string) (line []byte, begins bool) {
	since = min(since, at)
	line = src[max(at-since, at-maxBesides):at]
	s.examined += len(line)
	if i := bytes.LastIndexAny(line, "\r\n"); i >= 0 {
		line, since = line[i+1:], 0
	}
	known := len(line) < maxBesides || len(line) == since
	for len(line) > 0 {
		r, n := utf8.DecodeLastRune(line)
		if !strings.ContainsRune(cut, r) {
			break
		}
		line = line[:len(line)-n]
	}
	return line, known && len(line) == 0
}

// firstOnLine reports whether only blanks come before src[at] on its line.
func (s *scanner) firstOnLine(src []byte, at int) bool {
	_, begins := s.lineBefore(src, at, s.text.since, " \t")
	return begins
}

// inQuote reports whether the line of src[at] begins with the mark of a blockquote.
func (s *scanner) inQuote(src []byte, at int) bool {
	since := s.text.since
	if s.mode != modeText {
		return s.body.quoted
	}
	line, _ := s.lineBefore(src, at, since, "")
	return bytes.HasPrefix(bytes.TrimLeft(line, " \t-*+"), []byte(">"))
}

// standsAlone returns what the tag at src[at:] of a result or of definitions shows (Q14, Q15): it
// is alone on its line, or the body of a result follows directly.
func (s *scanner) standsAlone(src []byte, at int, t *tag, since int, atEOF bool) (scan.Evidence, match) {
	evidence := scan.EvidenceResult
	switch {
	case t.kind == tagTools && t.end:
		evidence = scan.EvidenceDefinitionEnd
	case t.kind == tagTools:
		evidence = scan.EvidenceDefinition
	}
	_, begins := s.lineBefore(src, at, since, emphasis)
	if !begins {
		return 0, matchYes
	}
	rest := src[at+t.n : min(len(src), at+t.n+maxBesides)]
	s.examined += len(rest)
	left := bytes.TrimLeft(rest, emphasis)
	switch {
	case len(rest) < maxBesides && (len(left) == 0 || !utf8.FullRune(left)):
		return evidence, matchYesIf(atEOF)
	case len(left) > 0 && (left[0] == '\n' || left[0] == '\r'):
		return evidence, matchYes
	case len(left) > 0 && evidence == scan.EvidenceResult && (left[0] == '{' || left[0] == '<'):
		return evidence, matchYes
	}
	return 0, matchYes
}

func matchYesIf(atEOF bool) match {
	if atEOF {
		return matchYes
	}
	return matchShort
}
