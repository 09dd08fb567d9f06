package vcp

// bareState describes a bare request: fields that are not in a block (B12). Offsets are in the
// stream, plus one; 0 stands for none.
type bareState struct {
	open    bool
	fresh   bool // no field has been read yet
	fields  int  // number of fields read
	first   int  // offset of the first marker or edge in the text: no bare request begins after it
	refused int  // offset at which the caller refused to read a bare request
}

// mark records a marker or an edge in the text at an offset in the stream.
func (b *bareState) mark(at int) {
	if b.first == 0 {
		b.first = at + 1
	}
}

// marked reports whether the text contained a marker or an edge.
func (b *bareState) marked() bool { return b.first > 0 }

// abort records that the text is read again from an offset in the stream. The open request's start
// marker ends at startEnd.
func (b *bareState) abort(at, startEnd int) {
	if b.first > at {
		b.first = 0
	}
	switch {
	case b.open:
		b.refused = at + 1
	case at >= startEnd: // the start marker may now be text
		b.mark(startEnd - 1)
	}
	b.open = false
}
