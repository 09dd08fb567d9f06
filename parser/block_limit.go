package parser

import "github.com/vcpgo/vcp/protocol/scan"

// checkSize marks the block as over a limit if a token takes it over the limit of its size. Filler
// counts only if more of the block follows it.
func (b *block) checkSize(start, end int, tok *scan.Token) {
	limit := b.start + b.d.o.Limits.BlockBytes
	if end <= limit {
		return
	}
	if b.open && !b.oversize {
		isText := tok.Kind == scan.TokenValue && !tok.Replaced || tok.Evidence == scan.EvidenceDefinitionEnd
		if !isText { // the token's bytes are not reported as text of the value
			limit = min(limit, start-tok.Back)
		}
		b.sendDelta(limit)
		b.void()
	}
	b.exceed()
}

// forget reports the part that surely belongs to an open block over a limit, so that its bytes need
// not be kept. The bytes of a block that may be text, or may be in a code span, are kept.
func (b *block) forget() {
	to := b.sure(b.w.at())
	// A block over the limit of its size is in no code span: setLastCloser resets ticks, at the
	// latest after the open value.
	tooLong := to > b.start+b.d.o.Limits.BlockBytes
	if b.unsure || !b.hasField || b.place == placeText && b.ticks.any() && !tooLong {
		return
	}
	switch {
	case b.d.dropping:
		b.d.add(partDropped, to-b.d.at())
	case b.place != placeReasoning && b.live: // other blocks are shown
		b.d.segments.takeOut(b.start)
		b.d.add(partRequest, to-b.d.at())
	}
}

// show reports the text of an open block that stays in the text, as far as it surely belongs to the
// block. limit is the offset up to which it may be reported.
func (b *block) show(limit int) {
	// A request in reasoning that is over a limit stays in the reasoning, even if it is live.
	takenOut := b.live && !(b.oversize && b.place == placeReasoning)
	if takenOut || b.place == placeText && b.ticks.any() || b.unsure || b.d.dropping {
		return
	}
	b.d.add(b.shownKind(), b.sure(limit)-b.d.at())
}

// shownKind returns the kind of part for a block that is not taken out.
func (b *block) shownKind() partKind {
	if b.place == placeReasoning {
		return partInner
	}
	return partQuoted
}

// sure returns the offset up to which everything surely belongs to the open block. at is the offset
// up to which the block was read.
func (b *block) sure(at int) int {
	switch {
	case !b.open:
		return b.lastCloser // what follows may be read again
	case b.trims && b.d.o.Tolerance == scan.Greedy:
		return max(b.lastCloser, at-scan.History) // the value may have ended, at most scan.History bytes earlier
	case b.mayCloseAtEnd():
		return min(at, b.possible.start)
	}
	return at
}
