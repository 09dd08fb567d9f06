package hermes

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol/scan"
)

// scanBroken skips what cannot be read, up to the next end tag or the start of another request.
func (s *scanner) scanBroken(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	i := from
	for {
		n := bytes.IndexByte(src[i:], '<')
		if n < 0 {
			s.examined += len(src) - i
			switch {
			case len(src) > from:
				return s.emitAs(len(src)-from, scan.TokenFiller, "")
			case atEOF:
				return s.endOfInput()
			}
			return s.short(0)
		}
		s.examined += n + 1
		i += n
		t, m := tagAt(src[i:], atEOF)
		if m == matchNo || m == matchYes && t.end && t.kind == tagResponse {
			i++
			continue
		}
		if i > from {
			return s.emitAs(i-from, scan.TokenFiller, "")
		}
		if m == matchYes && !t.end {
			m = s.breaksOff(src, from, t, atEOF)
		}
		switch {
		case m == matchShort:
			return 0, nil, scan.ErrShort
		case m == matchNo:
			return s.emitAs(t.n, scan.TokenFiller, "")
		case !t.end:
			return s.unclosed(src, from)
		case t.kind == tagTools:
			switch s.standsAlone(src, from, from+t.n, false, atEOF) {
			case matchShort:
				return 0, nil, scan.ErrShort
			case matchYes:
				return s.emitEvidence(t.n, scan.EvidenceDefinitionEnd)
			}
			return s.emitAs(t.n, scan.TokenFiller, "")
		}
		s.repairTag(&t, 0)
		return s.endRequest(t.n)
	}
}
