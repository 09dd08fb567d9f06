package hermes

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol/internal/tags"
	"github.com/vcpgo/vcp/protocol/scan"
)

// scanBroken skips what cannot be read, up to the next end tag or the start of another request.
func (s *scanner) scanBroken(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	i := from
	for {
		n := bytes.IndexByte(src[i:], '<')
		if n < 0 {
			s.Work += len(src) - i
			switch {
			case len(src) > from:
				return s.EmitAs(len(src)-from, scan.TokenFiller, "")
			case atEOF:
				return s.endOfInput()
			}
			return s.Short(0)
		}
		s.Work += n + 1
		i += n
		t, m := tagAt(src[i:], atEOF)
		if m == scan.MatchNo || m == scan.MatchYes && t.End && t.Kind == tags.Response {
			i++
			continue
		}
		if i > from {
			return s.EmitAs(i-from, scan.TokenFiller, "")
		}
		if m == scan.MatchYes && !t.End {
			m = s.breaksOff(src, from, t, atEOF)
		}
		switch {
		case m == scan.MatchShort:
			return s.Wait()
		case m == scan.MatchNo:
			return s.EmitAs(t.N, scan.TokenFiller, "")
		case !t.End:
			return s.endUnclosed(src, from)
		case t.Kind == tags.Tools:
			switch s.standsAlone(src, from, from+t.N, false, atEOF) {
			case scan.MatchShort:
				return s.Wait()
			case scan.MatchYes:
				return s.EmitEvidence(t.N, scan.EvidenceDefinitionEnd)
			}
			return s.EmitAs(t.N, scan.TokenFiller, "")
		}
		s.RepairTag(&t, 0)
		return s.endRequest(src, from, t.N)
	}
}
