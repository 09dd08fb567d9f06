package parser

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol/scan"
)

// record records the repairs and the error of a token.
func (b *block) record(start int, tok *scan.Token) {
	b.repair(start, tok)
	b.fail(tok.Code)
	if tok.Code == scan.CodeLimitExceeded {
		if b.open && !b.oversize {
			b.void()
		}
		b.exceed()
	}
}

// beginField opens a value.
func (b *block) beginField(start, end int, tok *scan.Token) {
	b.hasField, b.open, b.trims = true, true, tok.Rule == scan.TextTrim
	b.unmarked = b.unmarked || tok.Unmarked
	b.onStartLine = b.onStartLine && lineEnd(b.w.bytes(start, end)) < 0
	b.otherMark, b.ends, b.placeEnded, b.pastDefinition, b.endAfterDefinition = false, 0, false, false, false
	if b.place != placeText {
		b.around.inValue, b.around.inValueTo = b.around.now, end
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
	if b.record(start, tok); b.oversize {
		return
	}
	f := b.lastField()
	f.replaced = append(f.replaced, replacement{start, end, string(tok.Instead)})
	b.delta.at = end
	if len(tok.Instead) > 0 && b.streamsValue() {
		b.stream(f, bytes.Clone(tok.Instead))
	}
}

// endField closes the open value.
func (b *block) endField(start, end int, tok *scan.Token) {
	b.open = false
	b.holdsEnd = b.holdsEnd || b.ends > 0
	b.repair(start, tok)
	b.fail(tok.Code)
	b.setLastCloser(end - tok.Back)
	if tok.Back == 0 && len(tok.Repairs) == 0 { // otherwise more of the value may follow if the reply is continued
		b.wholeEnd, b.affectsOthers = end, false
	}
	if b.oversize {
		return
	}
	f := b.lastField()
	f.end = start - tok.Back
	b.onStartLine = b.onStartLine && lineEnd(b.w.bytes(f.start, f.end)) < 0
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
		b.pastDefinition = b.pastDefinition || b.defined && b.place == placeText
		b.endDefinition()
	case scan.EvidenceOpener:
		b.otherMark = true
		b.ambiguousValue(start)
	case scan.EvidenceCloser:
		b.otherMark = true
	case scan.EvidenceEnd, scan.EvidencePossibleEnd:
		b.sendDelta(start)
		b.ends++
		b.endAfterDefinition = b.endAfterDefinition || b.pastDefinition
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
	b.affectsOthers = true
	b.d.barDefined()
}

// ambiguousValue records that the open value is ambiguous. at is the offset up to which the value
// was read. If the block's place or a definition ended inside the value, the block then counts as
// one in plain text, so that the error is reported.
func (b *block) ambiguousValue(at int) {
	b.sendDelta(at)
	b.fail(scan.CodeAmbiguousValue)
	b.show(at) // what follows may be outside of the place in which the block began
	b.followPlace(at)
	if b.placeEnded && b.place != placeText {
		b.becameText = true
		b.place, b.live, b.barred = placeText, true, false
	}
	if b.pastDefinition {
		b.live, b.defined, b.barred, b.definitionOver = true, false, false, true
	}
	b.void()
}
