package parser

import "github.com/vcpgo/vcp/protocol/scan"

// checkSize finds out whether the block passes the limit of its size with a token of it. Filler is
// no part of the block until more of the block follows.
func (b *block) checkSize(start, end int, tok *scan.Token) {
	limit := b.start + b.d.o.Limits.BlockBytes
	if end <= limit {
		return
	}
	if b.open && !b.oversize {
		if tok.Kind != scan.TokenValue && tok.Evidence != scan.EvidenceDefinitionEnd || tok.Replaced {
			limit = min(limit, start-tok.Back)
		}
		b.sendDelta(limit)
		b.void()
	}
	b.exceed()
}

// exceed makes the block one that is read on by the same grammar without being stored. The fields
// that it has are kept.
func (b *block) exceed() {
	b.fail(scan.CodeLimitExceeded)
	if b.oversize {
		return
	}
	for i := range b.fields {
		f := &b.fields[i]
		if f.end == 0 {
			b.fields = b.fields[:i]
			break
		}
		f.name = string(b.nameOf(f))
		f.value = b.valueOf(f)
	}
	b.oversize = true
}

// forget says what becomes of the part that is sure to belong to an open block past a limit, so
// that it need not be held. A block that may turn out to be text, or to stand in a code span, is
// held.
func (b *block) forget() {
	to := b.sure(b.w.at())
	past := to > b.start+b.d.o.Limits.BlockBytes // then its value ends past the limit, too
	if b.unsure || !b.keyed || b.place == placeText && b.ticks.any() && !past {
		return
	}
	switch {
	case b.d.dropping:
		b.d.add(partDropped, to-b.d.at())
	case b.place != placeReasoning && b.live: // else it is shown
		b.d.segments.takeOut(b.start)
		b.d.add(partRequest, to-b.d.at())
	}
}

// show tells of the text of an open block that stays where it stands, up to the offset limit, as
// far as it is sure to belong to the block.
func (b *block) show(limit int) {
	runs := b.live && !(b.oversize && b.place == placeReasoning)
	if b.place == placeText && (b.live || b.ticks.any()) || runs || b.unsure || b.d.dropping {
		return
	}
	b.d.add(b.stays(), b.sure(limit)-b.d.at())
}

// stays returns what becomes of a block that is not taken out.
func (b *block) stays() partKind {
	if b.place == placeReasoning {
		return partInner
	}
	return partQuoted
}

// sure returns the offset up to which what stands before the offset at belongs to the open block
// for sure.
func (b *block) sure(at int) int {
	switch {
	case !b.open:
		return b.last // what follows may be read again
	case b.trims && b.d.o.Tolerance == scan.Greedy:
		return max(b.last, at-scan.History) // the value may have ended before
	case b.mayCloseAtEnd():
		return min(at, b.possible.start)
	}
	return at
}
