package parser

import "github.com/vcpgo/vcp/protocol/scan"

// block is a request that is being read. Positions are offsets in the stream.
type block struct {
	w *window
	d *draft
	t *textContext

	placement
	start      int
	body       int // end of its start mark
	lastCloser int // end of its last closer, or of its start mark
	wholeEnd   int // end of its last whole field, or start of the block
	filler     int // offset up to which filler was searched for the end of the place
	line       fillerLine

	unsure bool // only its end shows whether it is a request
	// strayBefore is draft.strayAt as it was before the block. If the block turns out to be text,
	// that value is restored.
	strayBefore int
	quiet       bool // its events are sent only after its end
	started     bool // EventRequestStarted was sent
	resumed     bool // the reply was truncated in it, and continued
	streamedTo  int  // values that begin at or before it were reported before the reply was continued
	// affectsOthers is set if a mark after the last whole field affects other requests. Such a mark
	// is stray, or ends a definition.
	affectsOthers bool
	inSpan        bool // it is in a code span of one line
	// onStartLine is set up to the first line break of the block, if open backticks or a reasoning
	// tag precede the block on its line.
	onStartLine bool
	// Some reasoning tags count as text. These fields say whether such a tag is open: tagged in the
	// block's filler, lineTagged before the block on its line.
	tagged, lineTagged bool
	otherForm          bool  // its body cannot be read as fields
	ticks              ticks // the open backticks before it on its line

	fields   []field
	hasField bool // a field began
	// unmarked is set if a value has no marks around it.
	unmarked bool
	open     bool // the last field's value is open
	trims    bool // white space around that value is not part of it
	delta    delta
	repairs  []repairAt
	code     scan.ErrorCode
	// ambiguous is set if it is not known which parts of the block are text of a value.
	ambiguous bool
	oversize  bool // over a limit: the rest is read and not stored

	holdsEnd bool // a closed value contains an end mark
	// The marks in the open value: the number of end marks, the first of them, and whether there is
	// an opener after a key, or a closer of another kind.
	ends      int
	possible  possibleEnd
	otherMark bool
	// placeEnded is set if the place in which the block began ended inside the open value, before a
	// mark of a request. In a block over a limit any such mark sets placeEnded, because the end of
	// the place is not searched for. becameText is set if the block therefore counts as one in
	// plain text.
	placeEnded, becameText bool
	// pastDefinition is set if the open value contains the end of a definition that began before
	// the block. endAfterDefinition is set if the end mark of a request follows in the value.
	pastDefinition, endAfterDefinition bool
	definitionOver                     bool          // no definition is open after the block
	around                             *surroundings // used if the block is not in plain text

	truncation *Truncation // set if the reply ended in the block
	unclosed   []Field     // the field whose value was open when the reply ended; empty for none
}

// fillerLine is the beginning of the line of block.filler, in plain text.
type fillerLine struct {
	begun  bool // it began after the block's last closer, at the offset at
	at     int
	read   int  // how many bytes were examined for quoted
	blank  bool // it contains only white space before block.filler
	quoted bool // it begins as a line of a blockquote
}

// possibleEnd is the first end mark in an open value.
type possibleEnd struct {
	start, end int
	closes     bool // it may end the value and the request
	repairs    []repairAt
}

// repairAt is a repair, and the offsets of what it repaired.
type repairAt struct {
	repair     int // index in the protocol's list of repairs
	start, end int
}

// appendRepairs appends the repairs of a token. start is the offset of the token.
func appendRepairs(list []repairAt, start int, from []scan.TokenRepair) []repairAt {
	for _, r := range from {
		list = append(list, repairAt{r.Repair, start + r.Start, start + r.End})
	}
	return list
}

// reset makes b the block that a start mark opens, and reuses b's buffers.
func (b *block) reset(start, end int, tok *scan.Token) {
	clear(b.fields)
	*b = block{
		w: b.w, d: b.d, t: b.t, around: b.around,
		fields: b.fields[:0], repairs: b.repairs[:0], possible: possibleEnd{repairs: b.possible.repairs[:0]},
		start: start, body: end, lastCloser: end, wholeEnd: start, filler: end, unsure: tok.Tentative,
	}
	b.placement, b.lineTagged, b.otherForm = b.t.placement(), b.t.line.tagged, tok.Code != ""
	b.number, b.strayBefore = b.d.blocks, b.d.strayAt
	b.quiet = b.unsure || b.place != placeText || b.d.dropping || b.defined
	if b.place != placeText {
		if b.around == nil {
			b.around = &surroundings{}
		}
		b.around.now = b.t.line
		b.around.now.prefix = false
		b.around.atLastCloser = b.around.now
	} else if !b.d.dropping {
		b.ticks = b.t.line.ticks
	}
	b.onStartLine = (b.ticks.any() || b.lineTagged) && lineEnd(b.w.bytes(start, end)) < 0
	b.repair(start, tok)
	b.fail(tok.Code)
	if b.number > b.d.o.Limits.Blocks {
		b.exceed()
	}
}

// fail records an error of the request, unless it has a more serious one. The code "" is no error.
func (b *block) fail(code scan.ErrorCode) {
	b.ambiguous = b.ambiguous || code == scan.CodeAmbiguousValue
	if code != "" && code.Before(b.code) {
		b.code = code
	}
}

// repair records the repairs of a token, unless the block is over a limit.
func (b *block) repair(start int, tok *scan.Token) {
	if !b.oversize {
		b.repairs = appendRepairs(b.repairs, start, tok.Repairs)
	}
}

// setLastCloser records where a closer ends. What follows the last one is read again if the block
// has no end.
func (b *block) setLastCloser(end int) {
	b.line = fillerLine{}
	if b.lastCloser = end; end > b.start+b.d.o.Limits.BlockBytes {
		b.ticks = ticks{} // otherwise a block after open backticks is held until its end
	}
	if b.place != placeText && !b.inSpan {
		b.around.now.prefix = false
		b.around.atLastCloser = b.around.now
	}
}

// exceed records that the block is over a limit. The block is read to its end, but no longer
// stored. The fields that are closed are kept.
func (b *block) exceed() {
	b.fail(scan.CodeLimitExceeded)
	if b.oversize {
		return
	}
	for i := range b.fields {
		f := &b.fields[i]
		if f.end == 0 { // its value is open
			b.fields = b.fields[:i]
			break
		}
		f.name = string(b.nameOf(f))
		f.value = b.valueOf(f)
	}
	b.oversize = true
}

func (b *block) lastField() *field { return &b.fields[len(b.fields)-1] }

// mayCloseAtEnd reports whether the end mark in the open value ends the value and the request, if
// no closer follows.
func (b *block) mayCloseAtEnd() bool {
	return b.possible.closes && b.ends == 1 && !b.otherMark && !b.oversize && b.place == placeText
}

// nameOf returns the key of a field. Its bytes must be kept, unless f.name is set.
func (b *block) nameOf(f *field) []byte {
	if f.name != "" {
		return []byte(f.name)
	}
	return b.w.bytes(f.nameStart, f.nameEnd)
}

// valueOf returns a copy of the text of a field whose bytes are kept.
func (b *block) valueOf(f *field) string {
	value := b.w.bytes(f.start, f.end)
	if len(f.replaced) > 0 {
		written := value
		value = make([]byte, 0, len(written))
		at := f.start
		for _, r := range f.replaced {
			value = append(value, b.w.bytes(at, r.start)...)
			value = append(value, r.instead...)
			at = r.end
		}
		value = append(value, b.w.bytes(at, f.end)...)
	}
	s, e := f.rule.Cut(value)
	return string(value[s:e])
}

// listFields returns Request.Fields for fields whose bytes are kept.
func (b *block) listFields(list []field) []Field {
	fields := make([]Field, len(list))
	for i := range list {
		f := &list[i]
		fields[i] = Field{
			Name: string(b.nameOf(f)), Start: f.nameStart, Value: b.valueOf(f), JSON: f.json, Role: f.role,
		}
	}
	return fields
}

// appendFields appends the fields that the scanner reads as a request. They may alias raw, the
// block's text. raw is not used for an oversize block.
func (b *block) appendFields(list []scan.Field, raw string) []scan.Field {
	for i := range b.fields {
		f := &b.fields[i]
		if f.role == scan.FieldComment {
			continue
		}
		out := scan.Field{Name: f.name, Value: f.value, JSON: f.json, Role: f.role}
		if !b.oversize {
			if out.Name == "" {
				out.Name = raw[f.nameStart-b.start : f.nameEnd-b.start]
			}
			if len(f.replaced) > 0 {
				out.Value = b.valueOf(f)
			} else {
				b.w.examined += f.end - f.start
				s, e := f.rule.Cut(b.w.bytes(f.start, f.end))
				out.Value = raw[f.start-b.start:][s:e]
			}
		}
		list = append(list, out)
	}
	return list
}
