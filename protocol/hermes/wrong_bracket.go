package hermes

import (
	"github.com/vcpgo/vcp/protocol/internal/tags"
	"github.com/vcpgo/vcp/protocol/scan"
)

// wrongBracket repairs a missing or a surplus bracket at src[from:], if the end tag follows.
func (s *scanner) wrongBracket(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	repair, n := repairMissingBracket, 0
	if src[from] == '}' {
		repair, n = repairSurplusBracket, 1
	}
	if !s.allows(repair) {
		return s.fail()
	}
	rest := src[from+n : min(len(src), from+n+maxGap)]
	blanks := spaces(rest)
	s.Work += blanks + 1
	m := scan.MatchNo
	switch {
	case blanks == len(rest) && blanks < maxGap:
		m = scan.ShortUnless(atEOF)
	case blanks < len(rest) && rest[blanks] == '<':
		var t tags.Tag
		if t, m = tagAt(src[from+n+blanks:], atEOF); m == scan.MatchYes && (t.Kind != tags.Call || !t.End) {
			m = scan.MatchNo
		}
	}
	switch m {
	case scan.MatchShort:
		return s.Short(0)
	case scan.MatchNo:
		return s.fail()
	}
	s.Repair(repair, 0, n)
	s.body.next, s.body.complete, s.body.bracketRepaired = expectEnd, true, true
	return s.emitBodyEnd(src, from, n)
}
