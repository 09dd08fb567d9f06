package hermes

import (
	"bytes"
	"slices"

	"github.com/vcpgo/vcp/protocol/scan"
)

// bracketState says whether a bracket in the open call could be a wrong one, so that a missing or
// surplus bracket at its end has more than one repair (J20, J21).
type bracketState struct {
	doubt     bool
	arguments bool // the arguments are an object
	object    bool // the last argument is an object
	callKey   bool // it is named as a member of a call
}

// value takes note of the value of an argument.
func (b *bracketState) value(v *valueState) {
	b.doubt = b.doubt || v.members
	b.object = v.object
}

// isCallKey reports whether a call, or the object around it, may have a member of that name.
func isCallKey(name []byte) bool {
	return slices.ContainsFunc([]string{keyName, keyArguments, keyParameters, keyID, keyType, keyFunction}, func(key string) bool {
		return bytes.EqualFold(name, []byte(key))
	})
}

// alone reports whether the open call is the only one of its request, without anything around it.
func (b *bodyState) alone() bool {
	return b.bracket.arguments && !b.list && len(b.starts) == 1 && b.fence == 0 && !b.sealed && b.wrapper == wrapperNone && !b.bracket.doubt
}

// mayLackBrace reports whether the end tag may take the place of the call's last bracket (J20).
func (b *bodyState) mayLackBrace() bool {
	return b.next == expectComma && b.alone() && !b.bracket.callKey
}

// mayHaveBrace reports whether one more bracket may come after the call (J21).
func (b *bodyState) mayHaveBrace() bool {
	return b.next == expectEnd && b.alone() && !b.surplus
}

// wrongBrace repairs a missing or a surplus bracket at src[from:], if the end tag follows.
func (s *scanner) wrongBrace(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	repair, n := repairMissingBracket, 0
	if src[from] == '}' {
		repair, n = repairSurplusBracket, 1
	}
	if !s.allows(repair) {
		return s.fail()
	}
	rest := src[from+n : min(len(src), from+n+maxGap)]
	gap := spaces(rest)
	s.examined += gap + 1
	m := matchNo
	switch {
	case gap == len(rest) && gap < maxGap:
		m = shortUnless(atEOF)
	case gap < len(rest) && rest[gap] == '<':
		var t tag
		if t, m = tagAt(src[from+n+gap:], atEOF); m == matchYes && (t.kind != tagCall || !t.end) {
			m = matchNo
		}
	}
	switch m {
	case matchShort:
		return s.short(0)
	case matchNo:
		return s.fail()
	}
	s.repair(repair, 0, n)
	s.body.next, s.body.complete, s.body.surplus = expectEnd, true, true
	return s.emitBodyEnd(n)
}
