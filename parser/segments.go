package parser

import (
	"slices"
	"unsafe"
)

// segments divide the stream into parts, in order and without gaps.
type segments struct {
	parts []part
	end   int      // end of the last part
	whole string   // the whole text if it is available; then kept is not used
	kept  [][]byte // the kept bytes of the parts, in order; in pieces, so that no byte is moved
	// next is the index of the first part that keep has not finished. keptTo is the offset up to
	// which keep has gone.
	next, keptTo int
}

// partKind says what a part is.
type partKind uint8

const (
	partText partKind = iota
	partReasoning
	partTag     // a reasoning tag
	partRequest // a request that is not in the text
	partQuoted  // a request that stays in the text
	partInner   // a request that stays in the reasoning
	partDropped
)

// part ends at the start of the next one. There may be many, so they are small.
type part struct {
	start   int   // offset in the stream
	request int32 // for a request: the index of the block's first request, or noRequest
	kind    partKind
	kept    bool // its bytes, at least those before segments.keptTo, are in segments.kept
}

// noRequest is the index of a request that is not reported.
const noRequest = -1

// endOf returns the end of a part.
func (s *segments) endOf(i int) int {
	if i+1 < len(s.parts) {
		return s.parts[i+1].start
	}
	return s.end
}

// mustKeep reports whether segments must keep the bytes of a part, because all parts become text if
// the protocol fails. Requests keep their bytes themselves.
func (k partKind) mustKeep() bool { return k != partRequest }

// add adds the next n bytes, as a new part or to the last one.
func (s *segments) add(kind partKind, n, request int) {
	if n == 0 {
		return
	}
	start := s.end
	s.end += n
	if n := len(s.parts); n > 0 {
		last := &s.parts[n-1]
		if last.kind == kind &&
			(int(last.request) == request || kind == partText || kind == partReasoning || kind == partDropped) {
			return
		}
	}
	s.parts = append(s.parts, part{kind: kind, start: start, request: int32(request)})
}

// keep copies the bytes of b that must stay, because b will be forgotten. base is the offset of b.
func (s *segments) keep(b []byte, base int) {
	end := min(base+len(b), s.end)
	for ; s.next < len(s.parts); s.next++ {
		p := &s.parts[s.next]
		if p.start >= end {
			break
		}
		from := max(p.start, s.keptTo)
		p.kept = p.kept || p.kind.mustKeep() && from == p.start
		if p.kept && from < end {
			s.store(b[from-base : min(s.endOf(s.next), end)-base])
		}
		if s.endOf(s.next) > end || s.next == len(s.parts)-1 {
			break // the part continues, or may continue
		}
	}
	s.keptTo = max(s.keptTo, end)
}

// keptPiece is the size of one allocation for kept bytes.
const keptPiece = 4 << 10

// store appends b to the kept bytes.
func (s *segments) store(b []byte) {
	if n := len(s.kept); n > 0 {
		last := &s.kept[n-1]
		fits := min(len(b), cap(*last)-len(*last))
		*last = append(*last, b[:fits]...)
		b = b[fits:]
	}
	if len(b) > 0 {
		s.kept = append(s.kept, append(make([]byte, 0, max(keptPiece, len(b))), b...))
	}
}

// keptReader reads the kept bytes from the beginning.
type keptReader struct {
	rest [][]byte
	at   int // in rest[0]
}

// next reads n bytes and appends them to pieces, without a copy. If pieces is nil, it skips them.
func (r *keptReader) next(n int, pieces *Text) {
	for n > 0 {
		piece := r.rest[0][r.at:]
		piece = piece[:min(n, len(piece))]
		if pieces != nil {
			*pieces = append(*pieces, unsafe.String(&piece[0], len(piece)))
		}
		n -= len(piece)
		if r.at += len(piece); r.at == len(r.rest[0]) {
			r.rest, r.at = r.rest[1:], 0
		}
	}
}

// takeOut removes the last block from the text. start is the offset at which it begins.
func (s *segments) takeOut(start int) {
	for i := len(s.parts) - 1; i >= 0 && s.parts[i].start >= start; i-- {
		s.parts[i].kind = partRequest
	}
}

// drop drops the text from an offset on, even if it was shown.
func (s *segments) drop(from int) {
	for i := len(s.parts) - 1; i >= 0 && s.endOf(i) > from; i-- {
		p := &s.parts[i]
		if p.kind != partText {
			continue
		}
		if p.start >= from {
			p.kind = partDropped
			continue
		}
		rest := *p
		rest.start, rest.kind = from, partDropped
		s.parts = slices.Insert(s.parts, i+1, rest)
		if s.next > i || s.next == i && s.keptTo >= from {
			s.next++
		}
	}
}

// kinds is a set of kinds of parts.
type kinds uint8

// kindsOf returns the set of these kinds.
func kindsOf(list ...partKind) (k kinds) {
	for _, kind := range list {
		k |= 1 << kind
	}
	return k
}

func (k kinds) has(kind partKind) bool { return k&(1<<kind) != 0 }

// pieces returns the bytes of the parts of the wanted kinds, with gap between two parts that a tag
// separates. raw returns the text of a part that was not kept. The pieces share memory with the
// kept bytes, so nothing may be kept afterwards.
func (s *segments) pieces(wanted kinds, gap string, raw func(*part) string) (pieces Text) {
	if n := s.count(wanted, gap); n > 0 && s.whole != "" {
		pieces = make(Text, 0, n)
	}
	kept := keptReader{rest: s.kept}
	separated := false // a tag follows the part that was returned last
	for i := 0; i < len(s.parts); i++ {
		p := &s.parts[i]
		if !wanted.has(p.kind) {
			separated = separated || p.kind == partTag
			if p.kept && s.whole == "" {
				kept.next(s.endOf(i)-p.start, nil)
			}
			continue
		}
		if separated && gap != "" && len(pieces) > 0 {
			pieces = append(pieces, gap)
		}
		separated = false
		switch {
		case s.whole != "":
			for i+1 < len(s.parts) && wanted.has(s.parts[i+1].kind) {
				i++
			}
			pieces = append(pieces, s.whole[p.start:s.endOf(i)])
		case p.kept:
			kept.next(s.endOf(i)-p.start, &pieces)
		default:
			if text := raw(p); text != "" {
				pieces = append(pieces, text)
			}
		}
	}
	return pieces
}

// count returns an upper bound for the pieces that the method pieces cuts from s.whole, with the
// gaps between them.
func (s *segments) count(wanted kinds, gap string) (n int) {
	in := false
	for i := range s.parts {
		was := in
		if in = wanted.has(s.parts[i].kind); in && !was {
			n++
		}
	}
	if gap != "" {
		n *= 2
	}
	return n
}
