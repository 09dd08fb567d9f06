package parser

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol/scan"
)

// block is a request that is being read. Positions are offsets in the stream.
type block struct {
	w *window
	d *draft
	t *textContext

	standing
	start  int
	body   int // end of its start mark
	last   int // end of its last closer, or of its start mark
	whole  int // end of its last whole field, or start of the block
	filler int // offset up to which the place was followed through filler

	unsure bool // only its end shows whether it is a request
	// strayBefore is draft.strayAt before the block. It counts again if the block is text.
	strayBefore int
	quiet       bool // no event before it has ended
	started     bool // EventRequestStarted was sent
	resumed     bool // the reply was truncated in it, and continued
	toldTo      int  // fields that begin before this offset were reported
	// spread is set if a mark after the last whole field affects other requests.
	spread bool
	inSpan bool // it is in a code span of one line
	// line is set until a line break is read in it, if open backticks or a reasoning tag precede it
	// on its line.
	line bool
	// A reasoning tag is open as text: tagged in its filler, lineTagged before it on its line.
	tagged, lineTagged bool
	otherForm          bool // its body cannot be read as fields
	ticks              ticks

	fields []field
	keyed  bool // a field began
	// unmarked is set if a value has no marks around it.
	unmarked bool
	open     bool // the last field's value is open
	trims    bool // white space around that value is not part of it
	delta    delta
	repairs  []repairAt
	code     scan.ErrorCode
	// doubted is set if it is not known which parts of the block are text of a value.
	doubted  bool
	oversize bool // over a limit: the rest is read and not stored

	holdsEnd bool // a closed value contains an end mark
	// The marks in the open value: the number of end marks, the first of them, and whether there is
	// an opener after a key, or a closer of another kind.
	ends     int
	possible possibleEnd
	suspect  bool
	// outlived is set if the place in which the block began ended inside the open value, before a
	// mark of a request. passed is set if that made the block part of the text.
	outlived, passed bool
	ranOver          bool // the open value contains the end of the definition before it
	swallowed        bool // and after that the end of a request
	leftDefinition   bool // no definition is open after the block
	around           *surroundings

	cut      *Cut // set if the message ended in the block
	unclosed []Field
}

// possibleEnd is the first end mark in an open value.
type possibleEnd struct {
	start, end int
	closes     bool // it may end the value and the request
	repairs    []repairAt
}

type repairAt struct {
	repair     int
	start, end int
}

type field struct {
	name               string // set if it differs from what was written, or if what was written is not kept
	value              string // set if what was written is not kept
	nameStart, nameEnd int
	start, end         int // the value as written
	rule               scan.TextRule
	json               bool // the value is one JSON value
	role               scan.FieldRole
	quiet              bool // it is not reported while it is read
	replaced           []replacement
}

// replacement is a part of a value that other text replaces.
type replacement struct {
	start, end int
	instead    string
}

// reset makes b the block that a start mark opens, and keeps b's memory.
func (b *block) reset(start, end int, tok *scan.Token) {
	clear(b.fields)
	*b = block{
		w: b.w, d: b.d, t: b.t, around: b.around,
		fields: b.fields[:0], repairs: b.repairs[:0], possible: possibleEnd{repairs: b.possible.repairs[:0]},
		start: start, body: end, last: end, whole: start, filler: end, unsure: tok.Tentative,
	}
	b.standing, b.lineTagged, b.otherForm = b.t.standing(), b.t.line.tagged, tok.Code != ""
	b.number, b.strayBefore = b.d.blocks, b.d.strayAt
	b.quiet = b.unsure || b.place != placeText || b.d.dropping || b.defined
	if b.place != placeText {
		if b.around == nil {
			b.around = &surroundings{}
		}
		b.around.after = b.t.line
		b.around.after.prefix = false
		b.around.atLast = b.around.after
	} else if !b.d.dropping {
		b.ticks = b.t.line.ticks
	}
	b.line = (b.ticks.any() || b.lineTagged) && lineEnd(b.w.bytes(start, end)) < 0
	b.repair(start, tok)
	b.fail(tok.Code)
	if b.number > b.d.o.Limits.Blocks {
		b.exceed()
	}
}

// fail makes the request invalid, unless it has a more serious error.
func (b *block) fail(code scan.ErrorCode) {
	b.doubted = b.doubted || code == scan.CodeAmbiguousValue
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

func appendRepairs(list []repairAt, start int, from []scan.TokenRepair) []repairAt {
	for _, r := range from {
		list = append(list, repairAt{r.Repair, start + r.Start, start + r.End})
	}
	return list
}

// take records the repairs and the error of a token.
func (b *block) take(start int, tok *scan.Token) {
	b.repair(start, tok)
	b.fail(tok.Code)
	if tok.Code == scan.CodeLimitExceeded {
		if b.open && !b.oversize {
			b.void()
		}
		b.exceed()
	}
}

// mark remembers the end of a closer. What follows the last one is read again if the block has no
// end.
func (b *block) mark(end int) {
	if b.last = end; end > b.start+b.d.o.Limits.BlockBytes {
		b.ticks = ticks{} // otherwise it would be held until its end
	}
	if b.place != placeText && !b.inSpan {
		b.around.after.prefix = false
		b.around.atLast = b.around.after
	}
}

// beginField opens a value.
func (b *block) beginField(start, end int, tok *scan.Token) {
	b.keyed, b.open, b.trims = true, true, tok.Rule == scan.TextTrim
	b.unmarked = b.unmarked || tok.Unmarked
	b.line = b.line && lineEnd(b.w.bytes(start, end)) < 0
	b.suspect, b.ends, b.outlived, b.ranOver, b.swallowed = false, 0, false, false, false
	if b.place != placeText {
		b.around.shadow, b.around.shadowAt = b.around.after, end
	}
	if len(b.fields) >= b.d.o.Limits.Fields || tok.Code == scan.CodeLimitExceeded {
		b.exceed()
	}
	b.fail(tok.Code)
	if b.oversize {
		return
	}
	b.fields = append(b.fields, field{})
	f := b.lastField()
	f.nameStart, f.nameEnd, f.start = start+tok.NameStart, start+tok.NameEnd, end
	f.rule, f.json, f.role, f.quiet = tok.Rule, tok.JSON, tok.Role, tok.Quiet
	if !bytes.Equal(tok.Name, b.w.bytes(f.nameStart, f.nameEnd)) {
		f.name = string(tok.Name)
	}
	b.repair(start, tok)
	b.delta = delta{at: end}
}

// replace records bytes of the open value that other text replaces.
func (b *block) replace(start, end int, tok *scan.Token) {
	b.sendDelta(start)
	if b.take(start, tok); b.oversize {
		return
	}
	f := b.lastField()
	f.replaced = append(f.replaced, replacement{start, end, string(tok.Instead)})
	b.delta.at = end
	if len(tok.Instead) > 0 && b.tellsValue() {
		b.tell(f, bytes.Clone(tok.Instead))
	}
}

// endField closes the open value.
func (b *block) endField(start, end int, tok *scan.Token) {
	b.open = false
	b.holdsEnd = b.holdsEnd || b.ends > 0
	b.repair(start, tok)
	b.fail(tok.Code)
	b.mark(end - tok.Back)
	if tok.Back == 0 && len(tok.Repairs) == 0 { // otherwise more of the value may follow if the reply is continued
		b.whole, b.spread = end, false
	}
	if b.oversize {
		return
	}
	f := b.lastField()
	f.end = start - tok.Back
	b.line = b.line && lineEnd(b.w.bytes(f.start, f.end)) < 0
	b.endDelta(f)
	if f.role == scan.FieldToolName && !f.quiet && !b.started && !b.quiet && !b.d.mute {
		b.started = true
		name := b.w.bytes(f.start, f.end)
		if len(f.replaced) > 0 {
			name = []byte(b.valueOf(f))
		}
		s, e := f.rule.Cut(name)
		b.d.emit(Event{Kind: EventRequestStarted, RequestID: b.d.nextID(), Name: bytes.TrimSpace(name[s:e])})
	}
	if tok.Code == scan.CodeLimitExceeded {
		b.exceed()
	}
}

// evidence records a mark that is part of the open value.
func (b *block) evidence(start, end int, tok *scan.Token) {
	switch tok.Evidence {
	case scan.EvidenceDefinitionEnd:
		b.ranOver = b.ranOver || b.defined && b.place == placeText
		b.endDefinition()
	case scan.EvidenceOpener:
		b.suspect = true
		b.ambiguousValue(start)
	case scan.EvidenceCloser:
		b.suspect = true
	case scan.EvidenceEnd, scan.EvidencePossibleEnd:
		b.sendDelta(start)
		b.ends++
		b.swallowed = b.swallowed || b.ranOver
		b.followPlace(start)
		if b.ends == 1 {
			b.possible.start, b.possible.end, b.possible.closes = start, end, tok.Evidence == scan.EvidencePossibleEnd
			b.possible.repairs = appendRepairs(b.possible.repairs[:0], start, tok.Repairs)
		}
	}
}

// endDefinition records the end of a definition inside the block.
func (b *block) endDefinition() {
	if b.defined {
		b.defined, b.barred = false, true
	}
	b.spread = true
	b.d.barDefined()
}

// ambiguousValue makes the open value ambiguous. That takes precedence if the block's place ended
// inside the value.
func (b *block) ambiguousValue(at int) {
	b.sendDelta(at)
	b.fail(scan.CodeAmbiguousValue)
	b.show(at) // what follows may be outside of its place
	b.followPlace(at)
	if b.outlived && b.place != placeText {
		b.passed = true
		b.place, b.live, b.barred = placeText, true, false
	}
	if b.ranOver {
		b.live, b.defined, b.barred, b.leftDefinition = true, false, false, true
	}
	b.void()
}

func (b *block) lastField() *field { return &b.fields[len(b.fields)-1] }

// nameOf returns the key of a field whose bytes are kept.
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
		fields[i] = Field{Name: string(b.nameOf(f)), Start: f.nameStart, Value: b.valueOf(f), JSON: f.json, Role: f.role}
	}
	return fields
}

// appendFields appends the fields that the scanner reads as a request. They alias raw, the block's
// text. raw is not used for an oversize block.
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
