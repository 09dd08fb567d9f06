package parser

import (
	"sync"
	"unsafe"

	"github.com/vcpgo/vcp/protocol"
)

// memory holds parsers of whole texts that are done, for what they have allocated.
var memory = sync.Pool{New: func() any { return &Parser{} }}

// release gives the memory of p back, without anything of the reply.
func (p *Parser) release() {
	p.clear()
	memory.Put(p)
}

// clear empties p but for its memory.
func (p *Parser) clear() {
	buf := p.buf[:0]
	if p.whole { // it is the caller's
		buf = nil
	}
	clear(p.requests)
	clear(p.fields)
	clear(p.spare.fields)
	requests, fields, parts, around := p.requests[:0], p.fields[:0], p.acc.parts[:0], p.around
	spare := &p.spare
	blockFields, repairs, possible := spare.fields[:0], spare.repairs[:0], spare.possible.repairs[:0]
	clear(unsafe.Slice(p, 1)) // as *p = Parser{}, but by the vector unit
	p.buf, p.requests, p.fields, p.acc.parts, p.around = buf, requests, fields, parts, around
	spare.fields, spare.repairs, spare.possible.repairs = blockFields, repairs, possible
}

// What a parser may hold on to when it is done: more than most replies need, and no more.
const (
	keepRequests = 64
	keepParts    = 1024
)

// holdsLittle reports whether the memory of p is worth keeping.
func (p *Parser) holdsLittle() bool {
	return cap(p.requests) <= keepRequests && cap(p.acc.parts) <= keepParts && cap(p.spare.fields) <= protocol.MaxFields && cap(p.spare.repairs) <= keepParts
}

// compact forgets what is no longer needed of the stream.
func (p *Parser) compact() {
	keep := p.pos - keepHistory
	if keep < compactAt || p.whole {
		return
	}
	if b := p.block; b == nil && p.failed == nil {
		p.follow(p.acc.end, p.acc.end, nextUnknown)
		p.countTicks(p.line.at)
		keep = min(keep, p.line.at-p.base, p.line.ticksAt-p.base)
	} else if b != nil && !b.oversize {
		keep = min(keep, b.start-p.base)
	}
	if keep = min(keep, p.acc.end-p.base); keep < compactAt {
		return
	}
	p.acc.keep(p.buf[:keep], p.base)
	if rest := len(p.buf) - keep; cap(p.buf) > keptBuffer && rest < cap(p.buf)/8 {
		p.buf = append(make([]byte, 0, 2*rest+firstBuffer), p.buf[keep:]...)
	} else {
		p.buf = p.buf[:copy(p.buf, p.buf[keep:])]
	}
	p.base += keep
	p.pos -= keep
}
