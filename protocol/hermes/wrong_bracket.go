package hermes

import "github.com/vcpgo/vcp/protocol/scan"

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
