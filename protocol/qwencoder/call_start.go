package qwencoder

import (
	"bytes"
	"strings"

	"github.com/vcpgo/vcp/protocol/scan"
)

// callFollows returns whether a call follows START, which ends before b (Q5). If code is set, it is
// written in another form (Q6).
func (s *scanner) callFollows(b []byte, atEOF bool) (code scan.ErrorCode, m match) {
	n := s.lead + leading(b[s.lead:max(s.lead, min(len(b), maxLead))], s.body.white)
	s.examined += n - s.lead + 1
	s.lead = n
	switch rest := b[n:]; {
	case n >= maxLead:
	case len(rest) == 0:
		return "", shortUnless(atEOF)
	case rest[0] == '{' || rest[0] == '[':
		return scan.CodeAmbiguousValue, matchYes
	case rest[0] == '<':
		return "", opensCall(rest, atEOF)
	}
	return "", matchNo
}

// opensCall returns whether b begins with a tag that may belong to a call, in this form or another.
func opensCall(b []byte, atEOF bool) match {
	word := b[1:]
	if len(word) > 0 && strings.IndexByte(blanks, word[0]) >= 0 {
		word = word[1:]
	}
	const tool = "tool"
	n := min(len(word), len(tool))
	switch t, m := tagAt(b, maxTag); {
	case n == 0 && !atEOF:
		return matchShort
	case n == 0:
		return matchYes
	case word[0]|0x20 < 'a' || 'z' < word[0]|0x20, m == matchYes && t.kind <= tagTools:
		return matchNo
	case m == matchShort && bytes.EqualFold(word[:n], []byte(tool[:n])):
		return shortUnless(atEOF)
	}
	return matchYes
}
