package parser

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol"
)

// block is a request that is being read. Positions are offsets in the stream.
type block struct {
	w *window
	d *draft
	t *textContext

	standing
	start  int
	body   int // where its start mark ends
	last   int // where its last closer, or its start mark, ends
	whole  int // where its last whole field ends, or the block begins
	filler int // how far the place has been followed through filler

	unsure  bool // only its end shows whether it is a request
	quiet   bool // nothing is told of it before it has ended
	started bool // EventRequestStarted has been sent
	resumed bool // the reply was truncated in it, and continued
	toldTo  int  // fields that begin before this offset have been told of
	// spread is set if a mark after the last whole field has changed what is known of other
	// requests.
	spread bool
	inSpan bool // it stands in a code span of one line
	// line is set until a line break has been read in it, if open backticks or a reasoning tag stand
	// before it on its line.
	line bool
	// A reasoning tag is open as text: tagged in its filler, lineTagged before it on its line.
	tagged, lineTagged bool
	otherForm          bool // its body cannot be read as fields
	ticks              ticks

	fields  []field
	keyed   bool // a field has begun
	open    bool // the last field's value is open
	trims   bool // white space around that value is no part of it
	delta   delta
	repairs []repairAt
	code    protocol.ErrorCode
	// doubted is set if it is not known what of the block is text of a value, whatever else is
	// wrong.
	doubted  bool
	oversize bool // past a limit: it is read on without being stored

	holdsEnd bool // a closed value contains an end mark
	// Of the open value: how many end marks it contains, the first of them, and whether it contains
	// an opener after a key, or a closer that is not its own.
	ends     int
	possible possibleEnd
	suspect  bool
	// outlived is set if the place that the block began in has ended inside the open value before a
	// mark of a request. passed is set if that has made the block a part of the text.
	outlived, passed bool
	ranOver          bool // the open value contains the end of the definition before it
	swallowed        bool // and after that the end of a request
	around           *surroundings

	cut      *Cut // set if the message has ended in the block
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
	name               string // set if it is not what was written, or if what was written is not kept
	value              string // set if what was written is not kept
	nameStart, nameEnd int
	start, end         int // the value as written
	rule               protocol.TextRule
	form               protocol.Form
	role               protocol.FieldRole
	quiet              bool // it is not told of while it is read
	replaced           []replacement
}

// replacement is a part of a value that other text stands for.
type replacement struct {
	start, end int
	instead    string
}

// reset makes b the block that a start mark opens. It keeps memory.
func (b *block) reset(start, end int, tok *protocol.Token) {
	clear(b.fields)
	*b = block{
		w: b.w, d: b.d, t: b.t, around: b.around,
		fields: b.fields[:0], repairs: b.repairs[:0], possible: possibleEnd{repairs: b.possible.repairs[:0]},
		start: start, body: end, last: end, whole: start, filler: end, unsure: tok.Tentative,
	}
	b.standing, b.lineTagged, b.otherForm = b.t.standing(), b.t.line.tagged, tok.Code != ""
	b.number = b.d.blocks
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
	b.line = b.ticks.any() || b.lineTagged
	b.repair(start, tok)
	b.fail(tok.Code)
	if b.number > b.d.o.Limits.Blocks {
		b.exceed()
	}
}

// fail makes the request invalid, unless something weightier has.
func (b *block) fail(code protocol.ErrorCode) {
	b.doubted = b.doubted || code == protocol.CodeAmbiguousValue
	if code != "" && code.Before(b.code) {
		b.code = code
	}
}

// repair takes note of what was repaired to read a token. Past a limit nothing is stored.
func (b *block) repair(start int, tok *protocol.Token) {
	if !b.oversize {
		b.repairs = appendRepairs(b.repairs, start, tok.Repairs)
	}
}

func appendRepairs(list []repairAt, start int, from []protocol.TokenRepair) []repairAt {
	for _, r := range from {
		list = append(list, repairAt{r.Repair, start + r.Start, start + r.End})
	}
	return list
}

// take takes over what was repaired to read a token, and what is wrong with it.
func (b *block) take(start int, tok *protocol.Token) {
	b.repair(start, tok)
	b.fail(tok.Code)
	if tok.Code == protocol.CodeLimitExceeded {
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
		b.ticks = ticks{} // it would have to be held until its end
	}
	if b.place != placeText {
		b.around.after.prefix = false
		b.around.atLast = b.around.after
	}
}

// beginField opens a value.
func (b *block) beginField(start, end int, tok *protocol.Token) {
	b.keyed, b.open, b.trims = true, true, tok.Rule == protocol.TextTrim
	b.suspect, b.ends, b.outlived, b.ranOver, b.swallowed = false, 0, false, false, false
	if b.place != placeText {
		b.around.shadow, b.around.shadowAt = b.around.after, end
	}
	if len(b.fields) >= b.d.o.Limits.Fields || tok.Code == protocol.CodeLimitExceeded {
		b.exceed()
	}
	b.fail(tok.Code)
	if b.oversize {
		return
	}
	b.fields = append(b.fields, field{})
	f := b.lastField()
	f.nameStart, f.nameEnd, f.start = start+tok.NameStart, start+tok.NameEnd, end
	f.rule, f.form, f.role, f.quiet = tok.Rule, tok.Form, tok.Role, tok.Quiet
	if !bytes.Equal(tok.Name, b.w.bytes(f.nameStart, f.nameEnd)) {
		f.name = string(tok.Name)
	}
	b.repair(start, tok)
	b.delta = delta{at: end}
}

// replace takes note of bytes of the open value in whose place other text stands.
func (b *block) replace(start, end int, tok *protocol.Token) {
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
func (b *block) endField(start, end int, tok *protocol.Token) {
	b.open = false
	b.holdsEnd = b.holdsEnd || b.ends > 0
	b.repair(start, tok)
	b.fail(tok.Code)
	b.mark(end - tok.Back)
	if tok.Back == 0 && len(tok.Repairs) == 0 { // else more of the value may follow if the reply is continued
		b.whole, b.spread = end, false
	}
	if b.oversize {
		return
	}
	f := b.lastField()
	f.end = start - tok.Back
	b.line = b.line && lineEnd(b.w.bytes(f.start, f.end)) < 0
	b.endDelta(f)
	if f.role == protocol.FieldToolName && !f.quiet && !b.started && !b.quiet && !b.d.mute {
		b.started = true
		name := b.w.bytes(f.start, f.end)
		if len(f.replaced) > 0 {
			name = []byte(b.valueOf(f))
		}
		s, e := f.rule.Cut(name)
		b.d.emit(Event{Kind: EventRequestStarted, RequestID: b.d.nextID(), Name: bytes.TrimSpace(name[s:e])})
	}
	if tok.Code == protocol.CodeLimitExceeded {
		b.exceed()
	}
}

// evidence takes note of a mark that is part of the open value.
func (b *block) evidence(start, end int, tok *protocol.Token) {
	switch tok.Evidence {
	case protocol.EvidenceDefinitionEnd:
		b.ranOver = b.ranOver || b.defined && b.place == placeText
		b.endDefinition()
	case protocol.EvidenceOpener:
		b.suspect = true
		b.ambiguousValue(start)
	case protocol.EvidenceCloser:
		b.suspect = true
	case protocol.EvidenceEnd, protocol.EvidencePossibleEnd:
		b.sendDelta(start)
		b.ends++
		b.swallowed = b.swallowed || b.ranOver
		b.followPlace(start)
		if b.ends == 1 {
			b.possible.start, b.possible.end, b.possible.closes = start, end, tok.Evidence == protocol.EvidencePossibleEnd
			b.possible.repairs = appendRepairs(b.possible.repairs[:0], start, tok.Repairs)
		}
	}
}

// endDefinition takes note of a definition's end inside the block.
func (b *block) endDefinition() {
	if b.defined {
		b.defined, b.barred = false, true
	}
	b.spread = true
	b.d.barDefined()
}

// ambiguousValue makes the open value ambiguous. If the block's place has ended inside the value,
// that counts for more than the place.
func (b *block) ambiguousValue(at int) {
	b.sendDelta(at)
	b.fail(protocol.CodeAmbiguousValue)
	b.show(at) // what follows may be no part of its place
	b.followPlace(at)
	if b.outlived && b.place != placeText {
		b.passed = true
		b.place, b.live = placeText, true
	}
	if b.ranOver {
		b.live, b.defined, b.barred = true, false, false
		b.t.line.definition = false
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

// listFields returns what Request.Fields says of fields whose bytes are kept.
func (b *block) listFields(list []field) []Field {
	fields := make([]Field, len(list))
	for i := range list {
		f := &list[i]
		fields[i] = Field{Name: string(b.nameOf(f)), Start: f.nameStart, Value: b.valueOf(f), Form: f.form, Role: f.role}
	}
	return fields
}

// appendFields appends the fields that the scanner reads as a request. raw is the block's text,
// which they alias; it is not used for an oversize block.
func (b *block) appendFields(list []protocol.Field, raw string) []protocol.Field {
	for i := range b.fields {
		f := &b.fields[i]
		if f.role == protocol.FieldComment {
			continue
		}
		out := protocol.Field{Name: f.name, Value: f.value, Form: f.form, Role: f.role}
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
