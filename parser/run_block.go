package parser

import "github.com/vcpgo/vcp/protocol/scan"

// blockToken processes a token in a request. It returns false if more input is needed.
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
		// The key may begin before its token, in text that was read as filler.
		fillerEnd, after := start+min(0, tok.NameStart), nextMark
		if p.w.atEOF && fillerEnd == p.w.end() {
			after = nextEOF
		}
		if !b.open && p.endWithPlace(b, fillerEnd, after) {
			return true
		}
		// The backticks of a key may close a code span.
		if tok.Kind == scan.TokenField && b.onStartLine && p.endAs(b, b.spanEnds(fillerEnd, end)) {
			return true
		}
	}
	p.w.pos += end - start
	b.checkSize(start, end, tok)
	switch tok.Kind {
	case scan.TokenDefect:
		b.record(start, tok)
		if tok.Code == scan.CodeStrayCloser {
			// A stray closer in a quoted block casts doubt, too: the text that closed a value may
			// have opened the fence.
			p.draft.strayAt, b.affectsOthers = len(p.draft.requests), true
		}
		b.setLastCloser(end)
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
	if tok.Kind == scan.TokenFieldEnd && b.place == placeReasoning {
		b.returnToLineStart()
	}
	return true
}

// filler processes what is between fields.
func (p *Parser) filler(b *block, start, end int, tok *scan.Token) {
	p.w.pos += end - start
	if !tok.Complete {
		if !p.endWithPlace(b, end, nextUnknown) {
			b.record(start, tok)
		}
		return
	}
	if !p.endWithPlace(b, end, nextMark) {
		b.checkSize(start, end, tok)
		b.record(start, tok)
		b.setLastCloser(end)
	}
}

// fillerMark processes a mark between fields. A fabricated result ends a request in plain text.
// fillerMark returns false if more input must decide whether the request is in a code span.
func (p *Parser) fillerMark(b *block, start, end int, tok *scan.Token) bool {
	if p.endWithPlace(b, start, nextResult) {
		return true
	}
	if tok.Evidence == scan.EvidenceResult && b.place == placeText && !p.draft.dropping {
		if b.hasField && !b.decideSpan(b.lastCloser) {
			return false
		}
		b.fail(scan.CodeUnclosedBlock)
		p.endBlock(b.lastCloser, false)
		return true
	}
	p.w.pos += end - start
	if tok.Evidence == scan.EvidenceDefinitionEnd {
		b.endDefinition()
	}
	p.endWithPlace(b, end, nextMark)
	return true
}

// endWithPlace ends the block if the place in which it began ends. end is the offset up to which
// the place is followed. endWithPlace reports whether the block ended.
func (p *Parser) endWithPlace(b *block, end int, after next) bool {
	return p.endAs(b, b.placeEnds(end, after))
}

// endAs ends the block in the given way, and reports whether it ended.
func (p *Parser) endAs(b *block, how placeEnd) bool {
	switch how {
	case startIsText:
		p.makeStartText()
	case blockEnds:
		if b.unsure { // only an end mark makes it a request
			p.makeStartText()
		} else {
			p.endBlock(b.lastCloser, false)
		}
	default:
		return false
	}
	return true
}

// requestEnd ends the open request. It returns false if more input must decide whether the request
// is in a code span.
func (p *Parser) requestEnd(b *block, start, end int, tok *scan.Token) bool {
	after, restAt := nextMark, end // restAt is where the rest of the line begins (docs/dialect.md, row C9)
	if tok.Outcome == scan.OutcomeUnclosed {
		after = nextRequest
		if !tok.Complete {
			restAt = b.lastCloser
		}
	}
	switch {
	case !b.open && p.endWithPlace(b, start, after):
	case tok.Outcome == scan.OutcomeNone:
		p.makeStartText()
	case (tok.Outcome == scan.OutcomeClosed || b.hasField) && !b.decideSpan(restAt):
		return false
	case tok.Outcome == scan.OutcomeUnclosed:
		b.endUnclosed(tok)
		if tok.Complete {
			b.setLastCloser(start)
		}
		p.endBlock(b.endWithoutMark(start), false)
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
	if s := p.saved; s != nil && s.start == start {
		p.block.resumed, p.block.started, p.block.streamedTo = true, s.started, s.streamedTo
	}
	p.w.pos += end - start
}

// makeStartText makes the open block's start mark text, for example if a code span around it ends
// before the first field.
func (p *Parser) makeStartText() {
	body := p.block.body
	p.draft.strayAt = p.block.strayBefore
	p.block = nil
	p.draft.blocks--
	p.rewind(body)
	p.text.read(body, nextMark)
}

// endBlock ends the open block and reads its fields. end is the offset at which the block ends, and
// closed says that it has an end mark. Input after the end is read again.
func (p *Parser) endBlock(end int, closed bool) {
	b, d := p.block, &p.draft
	b.dropRepairs(end)
	if p.w.at() > end || !closed {
		p.rewind(end)
	}
	raw := ""
	switch {
	case b.oversize:
	case p.w.fixed:
		raw = d.segments.whole[b.start:end]
	default:
		raw = string(p.w.bytes(b.start, end))
	}
	var readings []scan.Reading
	if !d.pastLimit() {
		readings = p.readFields(b, raw)
	} else if !d.dropping {
		d.countUnread(1, b.start, end)
	}
	kind := partRequest
	switch {
	case d.dropping:
		kind = partDropped
	case b.place == placeReasoning, !b.live:
		kind = b.shownKind()
	default:
		d.segments.takeOut(b.start)
	}
	d.endedAt = end
	unmarked := b.unmarked || b.code == scan.CodeBareValue || b.code == scan.CodeNoFields
	d.unmarked = d.unmarked || !d.dropping && unmarked
	d.add(kind, end-d.at())
	b.endLine(end, closed)
	p.block = nil
	if !d.dropping {
		b.report(readings, raw, end)
	}
}
