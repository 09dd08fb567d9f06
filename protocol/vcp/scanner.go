package vcp

import (
	"bytes"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"

	"github.com/vcpgo/vcp/protocol"
)

// scanner implements protocol.Scanner. A mode is what is being read; a method named for it returns
// the next token.
type scanner struct {
	o    protocol.ScanOptions
	mode mode
	finder

	base   int // offset in the stream of the byte at which the next token begins
	looked int // how many bytes of it have been looked at without finding anything

	ready    bool           // mark is the next token, found together with the last one
	mark     protocol.Token // the last token found that is more than what lies between
	markN    int
	markTo   mode
	lead     protocol.Token      // memory of what lies between
	readings [1]protocol.Reading // memory of Requests
	names    []string
	head     []byte                  // of the line that filler has ended in, as appendHead makes it
	repaired [8]protocol.TokenRepair // memory of Token.Repairs

	kind  markerKind // what the blocks are; other than requests only for a Reader
	style style
	// endless is set when a block whose markers are escaped has come to the end of the message
	// without its end: no other is begun, since each would be read to the end again.
	endless bool
	bare    bareState
	text    textState
	ahead   aheadState
	block   blockState
	foreign foreignBody
	early   earlyEnds
	// earlyBefore is what early was before an escaped block.
	earlyBefore earlyEnds
	closer      edge // of the mark, if it is one
	value       valueState
}

type mode uint8

const (
	modeText mode = iota
	modeBlock
	modeValue
)

// blockState is what is known of the open block.
type blockState struct {
	// since is how many bytes of filler have been returned since the last mark: no key begins
	// before it.
	since int
	// midLine is set if the filler returned last ended within a line that began in it:
	// scanner.head is its beginning.
	midLine bool
}

// valueState is what is known of the open value.
type valueState struct {
	opener edge
	tail   []byte // memory of opener.tail
	since  int    // bytes of the value that have been returned
	marked bool   // it holds a block marker
}

// NewScanner returns a scanner for one reply.
func (Protocol) NewScanner(o protocol.ScanOptions) protocol.Scanner {
	if o.MaxKey <= 0 {
		o.MaxKey = protocol.MaxKeyBytes
	}
	s := scanners.Get().(*scanner)
	s.o = o
	s.needles = plainNeedles
	if o.Tolerance == protocol.Greedy {
		s.needles = greedyNeedles
	}
	return s
}

// scanners holds those that are closed, for their memory.
var scanners = sync.Pool{New: func() any { return &scanner{} }}

// Release gives the scanner's memory back.
func (s *scanner) Release() {
	clear(s.names)
	clear(s.text.openers[:cap(s.text.openers)])
	tail, openers, names, head := s.value.tail[:0], s.text.openers[:0], s.names[:0], s.head[:0]
	clear(unsafe.Slice(s, 1)) // as *s = scanner{}, but by the vector unit
	s.value.tail, s.text.openers, s.names, s.head = tail, openers, names, head
	scanners.Put(s)
}

// Examined returns how many bytes have been looked at so far, those looked at again counted again.
// It is what tests measure the work by.
func (s *scanner) Examined() int { return s.examined }

// allows reports whether the repairs of bits are applied.
func (s *scanner) allows(bits uint64) bool {
	for i := range repairs {
		if bits&(1<<i) != 0 && (!s.o.Tolerance.Allows(repairs[i].Level) || s.o.Disabled&(1<<i) != 0) {
			return false
		}
	}
	return true
}

// Scan returns the next token.
func (s *scanner) Scan(src []byte, from int, atEOF bool) (int, *protocol.Token, error) {
	if s.ready {
		s.ready = false
		return s.emitMark(src, from)
	}
	switch s.mode {
	case modeBlock:
		return s.scanBlock(src, from, atEOF)
	case modeValue:
		return s.scanValue(src, from, atEOF)
	}
	return s.scanText(src, from, atEOF)
}

// Extend takes bytes in which no anchor stands, and at whose end nothing is to be held back.
func (s *scanner) Extend(src []byte, from int) bool {
	b := src[from:]
	last := b[len(b)-1]
	if s.ready || s.looked != 0 || s.halfPair(last) || s.needles.Index(b) >= 0 {
		return false
	}
	if !endsPlainly[last] && mayHold(b) && hold(src, from) < len(src) {
		return false
	}
	switch s.mode {
	case modeText:
		if s.o.Tolerance == protocol.Greedy && s.mayBegin(src, from) {
			return false
		}
		s.text.since += len(b)
	case modeValue:
		s.value.since += len(b)
	default:
		return false
	}
	s.base += len(b)
	s.examined += len(b)
	return true
}

// Abort returns to text.
func (s *scanner) Abort(back int) {
	s.mode, s.ready, s.looked = modeText, false, 0
	if s.bare.open {
		s.bare.refused = s.base - back + 1
	}
	s.bare.marked = s.bare.marked || !s.bare.open // its start marker may now be text
	if s.style != styleNone {
		s.early = s.earlyBefore // it is no request
	}
	s.bare.open, s.style = false, styleNone
	s.base -= back
	s.text.since, s.text.after = 0, true
}

// newMark begins a token.
func (s *scanner) newMark(kind protocol.TokenKind) *protocol.Token {
	s.mark = protocol.Token{Kind: kind}
	return &s.mark
}

// newEvidence begins a token that is evidence.
func (s *scanner) newEvidence(e protocol.Evidence) *protocol.Token {
	s.mark = protocol.Token{Kind: protocol.TokenEvidence, Evidence: e}
	return &s.mark
}

// newEnd begins a token that ends a request.
func (s *scanner) newEnd(o protocol.Outcome) *protocol.Token {
	s.mark = protocol.Token{Kind: protocol.TokenRequestEnd, Outcome: o}
	return &s.mark
}

// emitLead hands out n bytes that lie between marks.
func (s *scanner) emitLead(n int, kind protocol.TokenKind, code protocol.ErrorCode) (int, *protocol.Token, error) {
	s.lead.Kind, s.lead.Code = kind, code
	return s.emit(n, &s.lead)
}

// emitMark hands the mark out.
func (s *scanner) emitMark(src []byte, from int) (int, *protocol.Token, error) {
	s.mode = s.markTo
	if tok := &s.mark; tok.Kind == protocol.TokenField && tok.Name == nil {
		tok.Name = src[from+tok.NameStart : from+tok.NameEnd]
	}
	return s.emit(s.markN, &s.mark)
}

// emit hands a token out.
func (s *scanner) emit(n int, tok *protocol.Token) (int, *protocol.Token, error) {
	s.base += n
	s.looked = 0
	s.ahead = aheadState{}
	if s.early.any() || tok.Kind == protocol.TokenFieldEnd {
		s.followEarly(tok)
	}
	switch s.mode {
	case modeText:
		s.text.since += n
		if tok.Kind == protocol.TokenRequestEnd {
			s.style = styleNone
			s.text.since, s.text.after, s.text.openers = 0, true, s.text.openers[:0]
		}
	case modeBlock:
		if tok.Kind == protocol.TokenFiller || tok.Kind == protocol.TokenEvidence {
			s.block.since += n
		} else {
			s.block = blockState{since: tok.Back} // the next key may begin in what was taken for the value
			if tok.Kind == protocol.TokenRequestStart {
				s.foreign = foreignBody{on: tok.Code == protocol.CodeNoFields}
			}
		}
	case modeValue:
		if tok.Kind == protocol.TokenField {
			s.value.since, s.value.marked = 0, false
			if !s.bare.open && s.style == styleNone { // openers before what turns out to be no request still count
				s.text.openers = s.text.openers[:0]
			}
		} else {
			s.value.since += n
		}
	}
	return n, tok, nil
}

// emitBefore hands out the n bytes that precede the mark, and the mark, markN bytes long, the next
// time; if nothing precedes it, the mark itself. The mode is to from then on.
func (s *scanner) emitBefore(src []byte, from, n int, lead protocol.TokenKind, code protocol.ErrorCode, markN int, to mode) (int, *protocol.Token, error) {
	s.markN, s.markTo = markN, to
	if n == 0 {
		return s.emitMark(src, from)
	}
	s.ready = true
	return s.emitLead(n, lead, code)
}

// short remembers that nothing was found in the first looked bytes.
func (s *scanner) short(looked int) (int, *protocol.Token, error) {
	s.looked = looked
	return 0, nil, protocol.ErrShort
}

// rest hands out what is left if no mark was found: all but what may still become one.
func (s *scanner) rest(src []byte, from int, atEOF bool, kind protocol.TokenKind) (int, *protocol.Token, error) {
	end := len(src)
	if !atEOF {
		end = hold(src, from)
	}
	switch {
	case end > from:
		return s.emitLead(end-from, kind, "")
	case atEOF:
		return 0, s.newMark(protocol.TokenNone), nil
	}
	return s.short(0)
}

// until hands out what precedes a place that more input must settle.
func (s *scanner) until(from, at int, kind protocol.TokenKind) (int, *protocol.Token, error) {
	if at > from {
		return s.emitLead(at-from, kind, "")
	}
	return s.short(0)
}

// tokenRepairs lists the repairs of bits, all with the same place.
func (s *scanner) tokenRepairs(list []protocol.TokenRepair, bits uint64, start, end int) []protocol.TokenRepair {
	for i := 0; bits != 0; i, bits = i+1, bits>>1 {
		if bits&1 != 0 {
			list = append(list, protocol.TokenRepair{Repair: i, Start: start, End: end})
		}
	}
	return list
}

// historyFloor is where looking back ends when nothing nearer bounds it.
func historyFloor(from int) int { return max(0, from-protocol.History) }

// backFloor is where looking back from src[at:] ends, in something of which since bytes stand
// before src[from:]: at its beginning, or so far back that how the stream was cut does not matter.
// far tells that it is the latter.
func backFloor(from, since, at int) (floor int, far bool) {
	floor = max(0, from-since, at-protocol.History)
	return floor, floor > from-since
}

// leadBefore returns where the run of bytes of set that ends at src[at:] begins, no further back
// than floor. Where that is a line's beginning, or floor, nothing else stands before at on its
// line.
func leadBefore(src []byte, floor, at int, set string) int {
	for at > floor {
		r, n := utf8.DecodeLastRune(src[floor:at])
		if r == utf8.RuneError && n == 1 || !strings.ContainsRune(set, r) {
			break
		}
		at -= n
	}
	return at
}

// beginsLineAt reports whether a line begins at src[at:], or at is floor.
func beginsLineAt(src []byte, floor, at int) bool {
	return at <= floor || src[at-1] == '\n' || src[at-1] == '\r'
}

// lineStart returns where the line that src[at:] stands in begins, no further back than floor.
func lineStart(src []byte, floor, at int) int {
	return floor + bytes.LastIndexAny(src[floor:at], "\n\r") + 1
}
