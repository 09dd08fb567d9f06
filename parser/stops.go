package parser

import "github.com/vcpgo/vcp/internal/needles"

// stopNeedles are what ends plain text of a line: a line break, or what may be a reasoning tag.
var stopNeedles = needles.New("\n\r<")

// stopWindow is up to how many bytes are looked at in advance.
const stopWindow = 4 << 10

// stops are the places in a stretch of the stream where plain text of a line may end. Lines are short: one look at a stretch finds the ends
// of many.
type stops struct {
	from, to int // the stretch, offsets in the stream
	next     int // the first in list that is not passed
	count    int
	list     [128]uint16 // where they stand behind from
}

// look lists the stops in b, which begins at the offset at.
func (s *stops) look(b []byte, at int) {
	var read int
	s.count, read = stopNeedles.List(s.list[:], b[:min(len(b), stopWindow)])
	s.from, s.to, s.next = at, at+read, 0
}

// pass passes the stops before the offset at, which is done with.
func (s *stops) pass(at int) {
	for s.next < s.count && s.from+int(s.list[s.next&(len(s.list)-1)]) < at {
		s.next++
	}
}

// listed returns the first offset from at on where a stop is listed for which is holds, given its byte; where none is, the first offset that is
// not known of. k is where the search in the list begins, and how far it has come.
func (p *Parser) listed(at int, k *int, is func(byte) bool) int {
	s := &p.stops
	if at < s.from || at >= s.to {
		return at
	}
	for ; *k < s.count; *k++ {
		if stop := s.from + int(s.list[*k]); stop >= at && is(p.buf[stop-p.base]) {
			return stop
		}
	}
	return s.to
}

func isBreak(c byte) bool { return c == '\n' }
func isMark(c byte) bool  { return c != '\n' }

// plainLines returns where the last whole line of b begins and ends that is nothing but text, as long as all before it are; 0 where the first
// is none. b begins at the offset start, with what is text in its line as far as the beginning of that tells. It is asked in the order of the
// stream: what stands before the end that it returns is done with.
func (p *Parser) plainLines(b []byte, start int) (last, end int) {
	s := &p.stops
	s.pass(start)
	for {
		for _, place := range s.list[s.next:s.count] {
			at := s.from - start + int(place)
			if at >= len(b) {
				p.noStop(start + len(b))
				return last, end
			}
			if b[at] != '\n' {
				if b[at] == '<' && !mayBeTag(b[at:]) {
					s.next++
					continue
				}
				p.breaks.none(start + at)
				p.marks = seeker{at: start + at, found: true}
				return last, end
			}
			s.next++
			last, end = end, at+1
			if end == len(b) || lineBytes[b[end]] && b[end] != '\n' && !p.flow.plainIndented(b[end:]) {
				return last, end
			}
		}
		at := max(start, s.to)
		if at >= start+len(b) {
			p.noStop(start + len(b))
			return last, end
		}
		s.look(b[at-start:], at)
		p.examined += s.to - s.from
	}
}

// noStop remembers that there is no stop up to the offset at behind the last one.
func (p *Parser) noStop(at int) {
	p.breaks.none(at)
	p.marks.none(at)
}
