package parser

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol/scan"
)

// streamsValue reports whether the open value is reported while it is read.
func (b *block) streamsValue() bool {
	if b.d.mute || !b.open || b.oversize || b.quiet || b.delta.void || len(b.fields) == 0 {
		return false
	}
	f := b.lastField()
	// After an end mark, and always at greedy, a plain value may turn out to have ended earlier.
	mayHaveEnded := f.rule == scan.TextTrim && (b.ends > 0 || b.d.o.Tolerance == scan.Greedy)
	return f.streams() && f.start > b.streamedTo && !b.mayCloseAtEnd() && !mayHaveEnded
}

// sendDelta reports the part of the open value that has become final. limit is the offset up to
// which the value may be reported.
func (b *block) sendDelta(limit int) {
	if b.delta.at >= limit || !b.streamsValue() {
		return
	}
	f, d := b.lastField(), &b.delta
	if f.rule == scan.TextTrim {
		b.streamTrimmed(f, limit)
		return
	}
	raw := b.w.bytes(d.at, limit)
	b.w.examined += len(raw)
	if f.rule == scan.TextLine && d.at == f.start {
		if len(raw) == 1 && raw[0] == '\r' { // a line feed may follow
			return
		}
		s, _ := f.rule.Cut(raw)
		raw = raw[s:]
	}
	d.at = limit
	b.stream(f, raw)
}

// streamTrimmed is sendDelta for a value that may lose its outer white space. White space before
// limit is held back.
func (b *block) streamTrimmed(f *field, limit int) {
	d := &b.delta
	from := max(d.at, d.spaceTo)
	raw := wholeRunes(b.w.bytes(from, limit))
	b.w.examined += len(raw)
	d.spaceTo = from + len(raw)
	fresh := bytes.TrimRightFunc(raw, unicode.IsSpace)
	if len(fresh) == 0 {
		return
	}
	end := from + len(fresh)
	if d.state == deltaStart {
		d.state = deltaBody
		if r, _ := utf8.DecodeRune(b.w.bytes(d.at, end)); unicode.IsSpace(r) {
			d.state = deltaHeld
		}
	}
	text := b.w.bytes(d.at, end)
	if d.state == deltaHeld {
		inner := b.w.bytes(max(f.start, d.breakTo), end)
		b.w.examined += len(inner)
		if d.breakTo == 0 { // the first search: line breaks before the text do not count
			inner = bytes.TrimLeftFunc(inner, unicode.IsSpace)
		}
		d.breakTo = end
		if !bytes.ContainsAny(inner, "\r\n") {
			return
		}
		d.state = deltaLines
		text = b.w.bytes(f.start, end)
		s, _ := scan.TextLine.Cut(text)
		text = text[s:]
	}
	d.at = end
	b.stream(f, text)
}

// stream reports a piece of a value.
func (b *block) stream(f *field, piece []byte) {
	if len(piece) == 0 {
		return
	}
	b.delta.sent += len(piece)
	b.d.emit(Event{Kind: EventArgumentDelta, RequestID: b.d.nextID(), Name: b.nameOf(f), Data: piece})
}

// endDelta reports the rest of a value that has ended.
func (b *block) endDelta(f *field) {
	d := &b.delta
	if b.d.mute || b.quiet || d.void || !f.streams() || f.start <= b.streamedTo {
		return
	}
	raw := b.w.bytes(f.start, f.end)
	if len(f.replaced) > 0 { // then the rule is TextExact, and everything before d.at was reported
		if at := max(d.at, f.start); at < f.end {
			b.stream(f, b.w.bytes(at, f.end))
		}
		return
	}
	s, e := f.rule.Cut(raw)
	if text := raw[s:e]; d.sent < len(text) {
		b.stream(f, text[d.sent:])
	}
}

// void withdraws what was reported of the open value. No more of the value is reported.
func (b *block) void() {
	if !b.oversize && !b.d.mute && b.delta.sent > 0 && !b.delta.void {
		b.d.emit(Event{Kind: EventArgumentVoided, RequestID: b.d.nextID(), Name: b.nameOf(b.lastField())})
	}
	b.delta.void = true
}
