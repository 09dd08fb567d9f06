package parser

import (
	"slices"
	"strings"
)

// An account says of every byte of the stream what became of it, in order and exactly once.
type account struct {
	parts []part
	end   int    // how far the account goes
	whole string // the whole text, where it is at hand; then kept is unused
	kept  []byte // the bytes of the parts that stay, in order
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

type part struct {
	kind       partKind
	start, end int // offsets in the stream
	at         int // offset in account.kept, -1 for what is not kept, or not yet
	request    int // index of the first request, for those kinds
}

func (k partKind) stays() bool { return k != partRequest && k != partDropped && k != partTag }

// add accounts for n bytes, which follow what is accounted for.
func (a *account) add(kind partKind, n, request int) {
	if n == 0 {
		return
	}
	start := a.end
	a.end += n
	if n := len(a.parts); n > 0 {
		if last := &a.parts[n-1]; last.kind == kind && (last.request == request || kind == partText || kind == partReasoning || kind == partDropped) {
			last.end = a.end
			return
		}
	}
	a.parts = append(a.parts, part{kind: kind, start: start, end: a.end, at: -1, request: request})
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
		if p.kind.stays() && p.at < 0 && from == p.start {
			p.at = len(a.kept)
		}
		if p.at >= 0 && from < end {
			a.kept = append(a.kept, b[from-base:min(p.end, end)-base]...)
		}
		if p.end > end || a.next == len(a.parts)-1 {
			break // it goes on, or may go on
		}
	}
	a.keptTo = max(a.keptTo, end)
}

// takeOut takes the request that begins at the offset start out of what it has been left in so far.
func (a *account) takeOut(start int) {
	for i := len(a.parts) - 1; i >= 0 && a.parts[i].start >= start; i-- {
		a.parts[i].kind = partRequest
	}
}

// drop drops the text from the offset from on. It may have been shown.
func (a *account) drop(from int) {
	for i := len(a.parts) - 1; i >= 0 && a.parts[i].end > from; i-- {
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
		if rest.at >= 0 {
			rest.at += from - p.start
		}
		p.end = from
		a.parts = slices.Insert(a.parts, i+1, rest)
		if a.next > i {
			a.next++
		}
	}
}

// join returns what the parts for which keep returns true hold, one after the other. raw gives the text of a part that was not
// kept.
func (a *account) join(keep func(*part) bool, gap string, raw func(*part) string) string {
	var b strings.Builder
	only, count, size := -1, 0, 0
	for i := range a.parts {
		if p := &a.parts[i]; keep(p) {
			only = i
			count++
			size += p.end - p.start + len(gap)
		}
	}
	if count == 0 {
		return ""
	}
	text := func(p *part) string {
		switch {
		case a.whole != "":
			return a.whole[p.start:p.end]
		case p.at >= 0:
			return string(a.kept[p.at : p.at+p.end-p.start])
		}
		return raw(p)
	}
	if count == 1 {
		return text(&a.parts[only])
	}
	b.Grow(size)
	broken := false // a tag stands since the last part that was kept
	for i := range a.parts {
		p := &a.parts[i]
		if !keep(p) {
			broken = broken || p.kind == partTag
			continue
		}
		if broken && b.Len() > 0 {
			b.WriteString(gap)
		}
		broken = false
		b.WriteString(text(p))
	}
	return b.String()
}
