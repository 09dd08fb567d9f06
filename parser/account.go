package parser

import (
	"slices"
	"unsafe"
)

// An account says of every byte of the stream what became of it, in order and exactly once.
type account struct {
	parts []part
	end   int      // how far the account goes
	whole string   // the whole text, where it is at hand; then kept is unused
	kept  [][]byte // the bytes of the parts that are kept, in order; in pieces, so that none is moved
	// next is the first part that is not in kept, or not wholly; keptTo is up to where the bytes are.
	next, keptTo int
}

type partKind uint8

const (
	partText partKind = iota
	partReasoning
	partTag     // a reasoning tag
	partRequest // a request taken out
	partQuoted  // a request left in the text
	partInner   // a request left in the reasoning
	partDropped
)

// part goes up to where the next one begins. There may be many, so they are small.
type part struct {
	start   int   // offset in the stream
	request int32 // index of the first request, for those kinds; noRequest for one that is not reported
	kind    partKind
	kept    bool // its bytes are in account.kept, at least those before account.keptTo
}

// noRequest stands for the index of a request that is not reported.
const noRequest = -1

// endOf returns where a part ends.
func (a *account) endOf(i int) int {
	if i+1 < len(a.parts) {
		return a.parts[i+1].start
	}
	return a.end
}

// stays reports whether the bytes of a part have to be kept: a request keeps its own, and all others are text again where a protocol fails.
func (k partKind) stays() bool { return k != partRequest }

// add accounts for n bytes, which follow what is accounted for.
func (a *account) add(kind partKind, n, request int) {
	if n == 0 {
		return
	}
	start := a.end
	a.end += n
	if n := len(a.parts); n > 0 {
		last := &a.parts[n-1]
		if last.kind == kind && (int(last.request) == request || kind == partText || kind == partReasoning || kind == partDropped) {
			return
		}
	}
	a.parts = append(a.parts, part{kind: kind, start: start, request: int32(request)})
}

// keep copies what is to stay of b, which begins at the offset base of the stream and is about to be forgotten.
func (a *account) keep(b []byte, base int) {
	end := min(base+len(b), a.end)
	for ; a.next < len(a.parts); a.next++ {
		p := &a.parts[a.next]
		if p.start >= end {
			break
		}
		from := max(p.start, a.keptTo)
		p.kept = p.kept || p.kind.stays() && from == p.start
		if p.kept && from < end {
			a.store(b[from-base : min(a.endOf(a.next), end)-base])
		}
		if a.endOf(a.next) > end || a.next == len(a.parts)-1 {
			break // it goes on, or may go on
		}
	}
	a.keptTo = max(a.keptTo, end)
}

// keptPiece is how much is allocated at once for what is kept.
const keptPiece = 4 << 10

// store copies b behind what is kept.
func (a *account) store(b []byte) {
	if n := len(a.kept); n > 0 {
		last := &a.kept[n-1]
		fits := min(len(b), cap(*last)-len(*last))
		*last = append(*last, b[:fits]...)
		b = b[fits:]
	}
	if len(b) > 0 {
		a.kept = append(a.kept, append(make([]byte, 0, max(keptPiece, len(b))), b...))
	}
}

// keptReader reads what is kept from the beginning.
type keptReader struct {
	rest [][]byte
	at   int // in rest[0]
}

// next passes n bytes and appends them to pieces, which share their memory, unless that is nil.
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

// takeOut takes the request that begins at the offset start out of what it has been left in so far.
func (a *account) takeOut(start int) {
	for i := len(a.parts) - 1; i >= 0 && a.parts[i].start >= start; i-- {
		a.parts[i].kind = partRequest
	}
}

// drop drops the text from the offset from on. It may have been shown.
func (a *account) drop(from int) {
	for i := len(a.parts) - 1; i >= 0 && a.endOf(i) > from; i-- {
		p := &a.parts[i]
		if p.kind != partText {
			continue
		}
		if p.start >= from {
			p.kind = partDropped
			continue
		}
		rest := *p
		rest.start, rest.kind = from, partDropped
		a.parts = slices.Insert(a.parts, i+1, rest)
		if a.next > i || a.next == i && a.keptTo >= from {
			a.next++
		}
	}
}

// kinds is a set of kinds of parts.
type kinds uint8

func kindsOf(list ...partKind) (k kinds) {
	for _, kind := range list {
		k |= 1 << kind
	}
	return k
}

func (k kinds) has(kind partKind) bool { return k&(1<<kind) != 0 }

// pieces returns what the parts of the kinds of keep hold, with gap where a tag stands between them. raw gives the text of a part that was not
// kept. It is called when nothing more is kept, whose memory the pieces share.
func (a *account) pieces(keep kinds, gap string, raw func(*part) string) (pieces Text) {
	if n := a.count(keep, gap); n > 0 && a.whole != "" {
		pieces = make(Text, 0, n)
	}
	kept := keptReader{rest: a.kept}
	broken := false // a tag stands since the last part
	for i := 0; i < len(a.parts); i++ {
		p := &a.parts[i]
		if !keep.has(p.kind) {
			broken = broken || p.kind == partTag
			if p.kept && a.whole == "" {
				kept.next(a.endOf(i)-p.start, nil)
			}
			continue
		}
		if broken && gap != "" && len(pieces) > 0 {
			pieces = append(pieces, gap)
		}
		broken = false
		switch {
		case a.whole != "":
			for i+1 < len(a.parts) && keep.has(a.parts[i+1].kind) {
				i++
			}
			pieces = append(pieces, a.whole[p.start:a.endOf(i)])
		case p.kept:
			kept.next(a.endOf(i)-p.start, &pieces)
		default:
			if text := raw(p); text != "" {
				pieces = append(pieces, text)
			}
		}
	}
	return pieces
}

// count returns how many pieces the whole text has at most.
func (a *account) count(keep kinds, gap string) (n int) {
	in := false
	for i := range a.parts {
		was := in
		if in = keep.has(a.parts[i].kind); in && !was {
			n++
		}
	}
	if gap != "" {
		n *= 2
	}
	return n
}
