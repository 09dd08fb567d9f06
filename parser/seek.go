package parser

import (
	"bytes"

	"github.com/vcpgo/vcp/internal/needles"
)

// seeker remembers where something stands next in a stream, so that no byte is searched twice for it.
type seeker struct {
	at    int // there is none from where the search began up to here
	found bool
}

// known returns where in b, which begins at the offset start, the next one stands, len(b) where there is none; or, where ok is false, from
// where on it is to be searched for.
func (s *seeker) known(b []byte, start int) (i int, ok bool) {
	i = s.at - start
	if i >= len(b) || s.found && i >= 0 {
		return min(i, len(b)), true
	}
	return max(i, 0), false
}

// none remembers that there is none up to the offset at behind the last one that was asked for.
func (s *seeker) none(at int) {
	if s.at < at {
		*s = seeker{at: at}
	}
}

// nextBreak returns where a line feed stands first in b, which begins at the offset start, or len(b).
func (p *Parser) nextBreak(b []byte, start int) int {
	i, ok := p.breaks.known(b, start)
	if ok {
		return i
	}
	p.stops.pass(start)
	k := p.stops.next
	i = min(p.listed(start+i, &k, isBreak)-start, len(b))
	n := bytes.IndexByte(b[i:], '\n')
	found := n >= 0
	if !found {
		n = len(b) - i
	}
	p.examined += n
	p.breaks = seeker{at: start + i + n, found: found}
	return i + n
}

// markNeedles are what the lines of plain text do not hold.
var markNeedles = needles.New("<\r")

// nextMark returns where a carriage return or what may be a reasoning tag stands first in b, which begins at the offset start, or len(b).
func (p *Parser) nextMark(b []byte, start int) int {
	i, ok := p.marks.known(b, start)
	if ok {
		return i
	}
	p.stops.pass(start)
	k := p.stops.next
	for i < len(b) {
		i = min(p.listed(start+i, &k, isMark)-start, len(b))
		n := markNeedles.Index(b[i:])
		if n < 0 {
			p.examined += len(b) - i
			i = len(b)
			break
		}
		p.examined += n + 1
		if i += n; b[i] == '\r' || mayBeTag(b[i:]) {
			p.marks = seeker{at: start + i, found: true}
			return i
		}
		i++
	}
	p.marks = seeker{at: start + i}
	return i
}

// mayBeTag tells fast of most of what begins with '<' that it is no reasoning tag.
func mayBeTag(b []byte) bool {
	i := 1
	if i < len(b) && b[i] == '/' {
		i++
	}
	return i == len(b) || b[i]|0x20 == 't' || b[i]|0x20 == 'r'
}

// lineEnd returns where the first line break of b begins, which begins at the offset start; -1 where there is none.
func (p *Parser) lineEnd(b []byte, start int) int {
	s := &p.stops
	if s.pass(start); s.next < s.count && start >= s.from {
		if at := s.from - start + int(s.list[s.next&(len(s.list)-1)]); at < len(b) && b[at] == '\n' { // no mark stands before it
			p.marks.none(start + at)
			p.breaks = seeker{at: start + at, found: true}
			return at
		}
	}
	end := p.nextBreak(b, start)
	if mark := p.nextMark(b[:end], start); mark < end {
		r := bytes.IndexByte(b[mark:end], '\r')
		if r >= 0 {
			p.examined += r + 1
			return mark + r
		}
		p.examined += end - mark
	}
	if end == len(b) {
		return -1
	}
	return end
}

// breakNeedles are what ends a line.
var breakNeedles = needles.New("\n\r")

// lineEnd returns where the first line break of b begins, -1 where there is none.
func lineEnd(b []byte) int { return breakNeedles.Index(b) }
