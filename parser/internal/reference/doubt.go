package reference

import "slices"

// doubt gives blocks an error if marks that belong to no block follow them (V15).
func (r *reader) doubt() {
	if r.hermes {
		for _, e := range r.ends { // T7
			if !e.harmless && (!e.code || r.neverCloses(e.fence)) {
				r.strayBefore(e.at)
			}
		}
	}
	r.waitForClosers()
	withoutMarks := map[*block]bool{} // the blocks that have values without marks
	for _, b := range r.blocks {
		withoutMarks[b] = b.code() == "bare_value" || b.code() == "no_fields" || b.unmarked != nil && len(b.fields) > 0
	}
	for _, e := range r.closers {
		if e.matched || e.code && !r.codeCounts(e) {
			continue
		}
		if e.isEnd {
			r.strayBefore(e.at)
		} else {
			r.doubtBefore(e.at)
		}
	}
	for _, e := range r.ends {
		if !e.code && e.between && r.valueWithoutMarksBefore(withoutMarks, e.at) {
			r.strayBefore(e.at)
		}
	}
	for _, b := range r.blocks {
		for _, c := range b.strays {
			if r.doubtBefore(c.start) {
				b.defect("ambiguous_value", b.start)
			}
		}
	}
}

// waitForClosers follows the values that a repair of level Greedy has ended early. A block is
// ambiguous if it ends before the first closer that could belong to such a value (V15).
func (r *reader) waitForClosers() {
	var early []field // the fields that greedy ended early, of this block and of the blocks before it
	for _, b := range r.blocks {
		if !b.bare { // B12: bare fields count as text
			early = append(early, b.early...)
		}
		for _, f := range early {
			if first := r.firstCloser(f); b.beforeMark && (first < 0 || first >= b.end) {
				b.defect("ambiguous_value", b.start)
				b.repairs = slices.DeleteFunc(b.repairs, func(x Repair) bool { return x.Name == "missing_block_end" })
			}
		}
	}
}

// codeCounts reports whether a closer in code casts doubt: an END without a block follows, or the
// code is a fence that a complete message never closes (V15).
func (r *reader) codeCounts(e evidence) bool {
	return slices.ContainsFunc(r.ends, func(end evidence) bool { return end.at > e.at }) || r.neverCloses(e.fence)
}

// neverCloses reports whether a fence has lines and a complete message never closes it (V15).
func (r *reader) neverCloses(f *fence) bool {
	if f == nil || !f.hasLines {
		return false
	}
	open, _ := r.fenceEnd(f)
	return open && r.o.FinishStop
}

// valueWithoutMarksBefore reports whether a block before p has a value without marks (V15).
func (r *reader) valueWithoutMarksBefore(withoutMarks map[*block]bool, p int) bool {
	return slices.ContainsFunc(r.blocks, func(b *block) bool { return b.end <= p && withoutMarks[b] })
}

// doubtBefore gives every block before the closer at p the error stray_closer (V15). If a repair of
// level Greedy has ended a value early, the closer may belong to that value. Then no block gets the
// error, and own is true.
func (r *reader) doubtBefore(p int) (own bool) {
	if r.ownCloser(p) {
		return true
	}
	r.strayBefore(p)
	return false
}

// ownCloser reports whether the closer at p may belong to a value that a repair of level Greedy has
// ended early.
func (r *reader) ownCloser(p int) bool {
	for _, b := range r.blocks {
		for _, f := range b.early {
			if b.bare { // B12: bare fields count as text
				continue
			}
			if first := r.firstCloser(f); b.start < p && f.value.after <= p && (first < 0 || first >= p) {
				return true
			}
		}
	}
	return false
}

// strayBefore gives every block before p the error stray_closer.
func (r *reader) strayBefore(p int) {
	for _, b := range r.blocks {
		if b.end <= p {
			b.defect("stray_closer", p)
		}
	}
}

// firstCloser returns the offset of the first closer that could belong to the value of f, or -1 if
// no closer could. A repair has ended that value early. Closers in other values do not count.
func (r *reader) firstCloser(f field) int {
	first := -1
	consider := func(at int) {
		if c, ok := f.op.closesAt(r.text, at); ok && at >= f.value.end && (first < 0 || c.start < first) {
			first = at
		}
	}
	for _, b := range r.blocks {
		for _, c := range b.strays {
			consider(c.start)
		}
		for _, g := range b.fields {
			if g.value.closed && g.value.endedBy == nil {
				consider(g.value.end)
			}
		}
	}
	for _, e := range r.closers {
		consider(e.at)
	}
	return first
}
