package vcp

// earlyEnds are the spellings of values that a greedy repair ended without their closers (V7, V11).
// A spelling is removed when a closer in that spelling follows. At the other levels the value
// continues up to that closer. So the closer must not cast doubt on an earlier request.
type earlyEnds uint32

// spelling returns the bit for the edges of a plain value. Each pair of brackets has four bits.
func spelling(pair int, family family, spaced bool) earlyEnds {
	bit := 4 * pair
	if family == familyExp {
		bit += 2
	}
	if spaced {
		bit++
	}
	return 1 << bit
}

// any reports whether a closer may still belong to a value that ended early.
func (e earlyEnds) any() bool { return e != 0 }

// add records a value that ended early.
func (e *earlyEnds) add(opener *edge) { *e |= spelling(opener.pair, opener.family, opener.spaced) }

// close records a closer. A closer with a blank inside closes only values whose opener has a blank
// inside.
func (e *earlyEnds) close(closer *edge) {
	if !closer.plain() {
		return
	}
	*e &^= spelling(closer.pair, closer.family, true)
	if !closer.spaced {
		*e &^= spelling(closer.pair, closer.family, false)
	}
}
