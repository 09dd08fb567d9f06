package parser

import (
	"errors"
	"fmt"

	"github.com/vcpgo/vcp/protocol/scan"
)

// maxIdle is how many tokens without bytes a scanner may return in a row.
const maxIdle = 8

// run reads tokens until more input is needed, and emits events for what is decided. If the
// protocol fails, the rest is text.
func (p *Parser) run() {
	if p.panicked != nil && p.failed == nil {
		p.fail(p.panicked)
	}
	if p.failed == nil {
		p.runTokens()
	}
	if p.failed != nil || p.stopped {
		kind := partText
		if p.failed == nil {
			kind = partDropped
		}
		p.block = nil
		p.w.pos = len(p.w.buf)
		p.draft.add(kind, p.w.at()-p.draft.at())
		return
	}
	if b := p.block; b != nil {
		b.show(p.w.at())
		b.sendDelta(p.w.at())
		if b.oversize && !p.w.fixed {
			b.forget()
		}
		return
	}
	after := nextUnknown
	if p.w.atEOF {
		after = nextEOF
	}
	p.text.read(p.w.at(), after)
}

// runTokens reads tokens until more input is needed or the protocol fails. It recovers from a panic
// of the protocol, and from no other.
func (p *Parser) runTokens() {
	defer func() {
		if !p.guarded {
			return
		}
		if r := recover(); r != nil {
			p.guarded = false
			p.fail(&ProtocolError{Panic: r})
		}
	}()
	for !p.stopped {
		n, tok, err := p.scan()
		if err != nil && !p.w.atEOF && errors.Is(err, scan.ErrShort) {
			return
		}
		if err != nil {
			p.fail(err)
			return
		}
		if tok.Kind == scan.TokenNone {
			if p.block == nil {
				return
			}
			if b := p.block; b.open || !p.leaves(b, p.w.at(), nextEOF) {
				p.endBlock(b.endAtEOF(p.reason), false)
			}
			if p.w.pos == len(p.w.buf) {
				return
			}
			continue
		}
		if !p.token(n, tok) {
			p.held = heldToken{n, tok}
			return
		}
	}
}

// scan returns the next token. A token that breaks the scanner's contract is an error.
func (p *Parser) scan() (n int, tok *scan.Token, err error) {
	if h := p.held; h.tok != nil {
		p.held = heldToken{}
		return h.n, h.tok, nil
	}
	p.guarded = true
	n, tok, err = p.scanner.Scan(p.w.buf, p.w.pos, p.w.atEOF)
	p.guarded = false
	if err != nil {
		return 0, nil, err
	}
	p.scanned = p.w.at() + n
	left := len(p.w.buf) - p.w.pos
	switch {
	case tok == nil:
		return 0, nil, errors.New("the scanner returned neither a token nor an error")
	case n < 0 || n > left:
		return 0, nil, fmt.Errorf("the scanner returned a token of %d bytes where %d are left", n, left)
	case n > 0:
		p.idle = 0
	case p.idle == maxIdle:
		return 0, nil, fmt.Errorf("the scanner returned %d tokens without bytes in a row", p.idle+1)
	case tok.Kind == scan.TokenNone && (!p.w.atEOF || left > 0):
		return 0, nil, errors.New("the scanner returned no token where input is left")
	default:
		p.idle++
	}
	return n, tok, nil
}

// token processes one token of n bytes. It returns false if more input is needed.
func (p *Parser) token(n int, tok *scan.Token) bool {
	start := p.w.at()
	end := start + n
	if b := p.block; b != nil {
		return p.blockToken(b, start, end, tok)
	}
	switch tok.Kind {
	case scan.TokenText:
		p.w.pos += n
		// The text is processed with the next token, or at the end of the input so far.
		return true
	case scan.TokenRequestStart:
		if !p.text.readTo(start, nextRequest) {
			return false
		}
		p.beginBlock(start, end, tok)
		return true
	}
	if !p.text.readMark(start, end, tok) {
		return false
	}
	p.w.pos += n
	if p.draft.dropping && p.o.StopAtResult {
		p.stopped = true
		return true
	}
	p.text.read(end, nextMark)
	return true
}

// blockToken processes a token in a request.
func (p *Parser) blockToken(b *block, start, end int, tok *scan.Token) bool {
	switch tok.Kind {
	case scan.TokenFiller:
		p.filler(b, start, end, tok)
		return true
	case scan.TokenRequestEnd:
		return p.requestEnd(b, start, end, tok)
	case scan.TokenEvidence:
		if !b.open {
			return p.fillerMark(b, start, end, tok)
		}
	case scan.TokenField, scan.TokenDefect:
		before, after := start+min(0, tok.NameStart), nextMark // a key that was read as filler is not filler
		if p.w.atEOF && before == p.w.end() {
			after = nextEOF
		}
		if !b.open && p.leaves(b, before, after) {
			return true
		}
	}
	p.w.pos += end - start
	b.checkSize(start, end, tok)
	switch tok.Kind {
	case scan.TokenDefect:
		b.take(start, tok)
		if tok.Code == scan.CodeStrayCloser { // in a quoted block too: the text that closed a value may have opened the fence
			p.draft.strayAt, b.spread = len(p.draft.requests), true
		}
		b.mark(end)
	case scan.TokenField:
		b.beginField(start, end, tok)
	case scan.TokenValue:
		if tok.Replaced {
			b.replace(start, end, tok)
		}
	case scan.TokenEvidence:
		b.evidence(start, end, tok)
	case scan.TokenFieldEnd:
		b.endField(start, end, tok)
		end -= tok.Back
	}
	b.filler = end
	return true
}

// filler processes what is between fields.
func (p *Parser) filler(b *block, start, end int, tok *scan.Token) {
	p.w.pos += end - start
	if !tok.Complete {
		if !p.leaves(b, end, nextUnknown) {
			b.take(start, tok)
		}
		return
	}
	if !p.leaves(b, end, nextMark) {
		b.checkSize(start, end, tok)
		b.take(start, tok)
		b.mark(end)
	}
}

// fillerMark processes a mark between fields. A fabricated result ends a request in plain text.
// fillerMark returns false if more input must decide whether the request is in a code span.
func (p *Parser) fillerMark(b *block, start, end int, tok *scan.Token) bool {
	if p.leaves(b, start, nextResult) {
		return true
	}
	if tok.Evidence == scan.EvidenceResult && b.place == placeText && !p.draft.dropping {
		if b.keyed && !b.settleSpan(end) {
			return false
		}
		b.fail(scan.CodeUnclosedBlock)
		p.endBlock(b.last, false)
		return true
	}
	p.w.pos += end - start
	if tok.Evidence == scan.EvidenceDefinitionEnd {
		b.endDefinition()
	}
	p.leaves(b, end, nextMark)
	return true
}

// leaves ends the block if the place in which it began ends before the offset end, and reports
// whether it did.
func (p *Parser) leaves(b *block, end int, after next) bool {
	switch b.leavesPlace(end, after) {
	case disowned:
		p.disown()
	case ends:
		if b.unsure { // only an end mark makes it a request
			p.disown()
		} else {
			p.endBlock(b.last, false)
		}
	default:
		return false
	}
	return true
}

// requestEnd ends the open request. It returns false if more input must decide whether the request
// is in a code span.
func (p *Parser) requestEnd(b *block, start, end int, tok *scan.Token) bool {
	after, line := nextMark, end // line is where the rest of its line begins (C9)
	if tok.Outcome == scan.OutcomeUnclosed {
		after = nextRequest
		if !tok.Complete {
			line = b.last
		}
	}
	switch {
	case !b.open && p.leaves(b, start, after):
	case tok.Outcome == scan.OutcomeNone:
		p.disown()
	case (tok.Outcome == scan.OutcomeClosed || b.keyed) && !b.settleSpan(line):
		return false
	case tok.Outcome == scan.OutcomeUnclosed:
		b.endUnclosed(tok)
		if tok.Complete {
			b.mark(start)
		}
		p.endBlock(b.endWithout(start), false)
	default:
		p.w.pos += end - start
		b.checkSize(start, end, tok)
		b.fail(tok.Code)
		b.repairs = appendRepairs(b.repairs, start, tok.Repairs)
		p.endBlock(end-tok.Back, true)
	}
	return true
}

// beginBlock opens a request. Fields without a start mark are text in code, in a quotation, in
// reasoning and in a definition.
func (p *Parser) beginBlock(start, end int, tok *scan.Token) {
	t := &p.text
	if start == end && (t.line.place() != placeText || t.line.definition || !t.ticksClosed(start)) {
		p.abort(start)
		return
	}
	t.countTicks(start)
	if t.line.ticks.run > 0 {
		t.line.ticks.end()
	}
	p.draft.blocks++
	p.block = &p.spare
	p.block.reset(start, end, tok)
	if s := p.end; s != nil && s.start == start {
		p.block.resumed, p.block.started, p.block.toldTo = true, s.started, s.toldTo
	}
	p.w.pos += end - start
}

// disown makes a block's start mark text, for example if a code span around it ends before the
// first field.
func (p *Parser) disown() {
	body := p.block.body
	p.block = nil
	p.draft.blocks--
	p.rewind(body)
	p.text.read(body, nextMark)
}

// rewind goes back to the offset at, to continue from there as text.
func (p *Parser) rewind(at int) {
	p.w.pos -= p.w.at() - at
	p.abort(at)
}

// abort makes the scanner return to text at the offset at. The scanner may have returned a token
// that the parser has not passed.
func (p *Parser) abort(at int) {
	back := p.scanned - at
	p.scanned = at
	p.guarded = true
	p.scanner.Abort(back)
	p.guarded = false
}

// endBlock ends the open block at the offset end and reads its fields. closed says that it has an
// end mark. Input after the end is read again.
func (p *Parser) endBlock(end int, closed bool) {
	b, d := p.block, &p.draft
	b.dropRepairs(end)
	raw := ""
	switch {
	case b.oversize:
	case p.w.fixed:
		raw = d.segments.whole[b.start:end]
	default:
		raw = string(p.w.bytes(b.start, end))
	}
	var readings []scan.Reading
	if past := d.pastLimit(); !past {
		readings = p.readFields(b, raw)
	} else if !d.dropping {
		d.leaveUnread(1, b.start, end)
	}
	kind := partRequest
	switch {
	case d.dropping:
		kind = partDropped
	case b.place == placeReasoning, !b.live:
		kind = b.stays()
	default:
		d.segments.takeOut(b.start)
	}
	d.endedAt = end
	d.unmarked = d.unmarked || !d.dropping && (b.code == scan.CodeBareValue || b.code == scan.CodeNoFields)
	d.add(kind, end-d.at())
	p.text.line = b.lineAfter(end, closed)
	p.block = nil
	if !d.dropping {
		b.report(readings, raw, end)
	}
	if p.w.at() > end || !closed {
		p.rewind(end)
	}
}

// readFields turns the fields of a block into requests. raw is the block's text.
func (p *Parser) readFields(b *block, raw string) []scan.Reading {
	clear(p.fields) // they alias the reply
	p.fields = b.appendFields(p.fields[:0], raw)
	p.guarded = true
	readings := p.scanner.Requests(p.fields)
	p.guarded = false
	return readings
}

// fail gives up on the protocol: the rest is text.
func (p *Parser) fail(err error) {
	var known *ProtocolError
	if !errors.As(err, &known) {
		known = &ProtocolError{Err: err}
	}
	p.failed = known
	p.o.Logger.Error("a reply could not be read", "error", p.failed)
	p.draft.emit(Event{Kind: EventError, Err: p.failed})
}
