package parser

import (
	"slices"

	"github.com/vcpgo/vcp/protocol"
)

// disown makes a block's start marker text, as when it stands in a code span that ends before the first field (C9).
func (p *Parser) disown() {
	b := p.block
	p.block = nil
	p.blocks--
	p.rewind(b.body)
	p.text(b.body, nextMark)
}

// rewind goes back to the offset at, to read on from there as text.
func (p *Parser) rewind(at int) {
	back := p.at() - at
	p.pos -= back
	p.abort(back)
}

// abort calls the scanner back to text.
func (p *Parser) abort(back int) {
	p.guarded = true
	p.scanner.Abort(back)
	p.guarded = false
}

// endUnclosed ends a block in which another begins (B11).
func (p *Parser) endUnclosed(tok *protocol.Token) {
	b := p.block
	b.fail(tok.Code)
	switch {
	case len(tok.Repairs) > 0:
		b.repairs = appendRepairs(b.repairs, p.at(), tok.Repairs)
	case p.o.Tolerance == protocol.Greedy && b.code == "" && p.allows(protocol.RepairMissingBlockEnd):
		p.repairAs(protocol.RepairMissingBlockEnd, b.last)
	default:
		b.fail(protocol.CodeUnclosedBlock)
	}
	p.endBlock(b.without(p.at()), false)
}

// without returns where the block ends that has no end mark: at its last closer; or, where it has no field at all, or its open value is not
// stored, where it was cut.
func (b *block) without(cut int) int {
	if b.code == protocol.CodeNoFields && b.last == b.body || b.oversize && b.open {
		return cut
	}
	return b.last
}

// allows reports whether the repair of that name is applied.
func (p *Parser) allows(name string) bool {
	bit, err := p.repairBit(name)
	return err == nil && p.refused(bit) == 0
}

// repairAs adds the repair of that name at an empty place. It returns false where the protocol knows of none.
func (p *Parser) repairAs(name string, at int) bool {
	i := slices.IndexFunc(p.repairs, func(r protocol.Repair) bool { return r.Name == name })
	if i >= 0 {
		p.block.repairs = append(p.block.repairs, repairAt{i, at, at})
	}
	return i >= 0
}

// endAtEOF ends the block that the message ended in. What follows its last closer is read afresh: then it returns true.
func (p *Parser) endAtEOF() bool {
	b := p.block
	if !b.open && p.leavesPlace(p.at(), nextEOF) {
		return p.pos < len(p.buf)
	}
	if !b.open {
		switch {
		case b.holdsEnd, b.place != placeText:
			b.fail(protocol.CodeUnclosedBlock)
		case b.code == "" && b.place == placeText && p.reason.Complete() && !p.repairAs(protocol.RepairMissingBlockEnd, b.last):
			b.fail(protocol.CodeUnclosedBlock)
		}
		p.endCut(b.without(p.base+len(p.buf)), "")
		return p.pos < len(p.buf)
	}
	if b.mayCloseAtEnd() && p.reason.Complete() && p.closeAtEnd() {
		return p.pos < len(p.buf)
	}
	if b.outlived && b.place != placeText || b.swallowed { // the mark may be that of another request, which the value has swallowed (C12)
		p.ambiguousValue(p.base + len(p.buf))
	}
	b.fail(protocol.CodeUnclosedValue)
	argument := ""
	if !b.oversize {
		f := &b.fields[len(b.fields)-1]
		if f.role == protocol.FieldArgument && !f.quiet {
			argument = string(p.nameOf(f))
		}
		if p.o.Fields {
			f.end = p.base + len(p.buf)
			b.unclosed = p.fieldsOf(b.fields[len(b.fields)-1:])
			b.unclosed[0].Open = true
		}
		b.fields = b.fields[:len(b.fields)-1] // what was never closed is no argument
	}
	p.endCut(p.base+len(p.buf), argument)
	return false
}

// mayCloseAtEnd reports whether the open value, if it is never closed, ends at the end mark inside of it, and the request with it (V9).
func (b *block) mayCloseAtEnd() bool {
	return b.possible.closes && b.ends == 1 && !b.suspect && !b.oversize && b.place == placeText
}

// closeAtEnd closes the last value and its request at the end mark inside of it (V9). It returns false where the protocol does not.
func (p *Parser) closeAtEnd() bool {
	b := p.block
	f := &b.fields[len(b.fields)-1]
	end := b.possible.start
	raw := p.bytes(f.start, end)
	if n := len(raw); n > 0 && raw[n-1] == '\n' {
		end--
		if n > 1 && raw[n-2] == '\r' {
			end--
		}
	} else if n > 0 && raw[n-1] == '\r' {
		end--
	}
	if !p.repairAs(protocol.RepairUnclosedValue, end) {
		return false
	}
	f.end = end
	b.open = false
	p.endDelta(f)
	b.repairs = append(b.repairs, b.possible.repairs...)
	p.endCut(b.possible.end, "")
	return true
}

// endCut ends a block at the message's end, which may be inside of an argument.
func (p *Parser) endCut(end int, argument string) {
	b := p.block
	b.cut, b.isCut = Cut{b.whole, argument}, true
	p.endBlock(end, false)
}

// endBlock ends the open block at the offset end and reads its fields. Where that is before what has been read, the rest is read
// afresh.
func (p *Parser) endBlock(end int, closed bool) {
	b := p.block
	if len(b.repairs) > 0 { // what was mended behind the end is none of the block, however far it has been read
		b.repairs = slices.DeleteFunc(b.repairs, func(r repairAt) bool { return r.end > end })
	}
	raw := ""
	if !b.oversize {
		if p.whole {
			raw = p.acc.whole[b.start:end]
		} else {
			raw = string(p.bytes(b.start, end))
		}
	}
	if p.blocks > p.o.Limits.Blocks+1 {
		if !p.dropping {
			p.leaveUnread(1, b.start, end)
		}
		p.leaveBlock(end, closed)
		return
	}
	readings := p.read(b, raw)
	p.leaveBlock(end, closed)
	p.addRequests(b, readings, raw, end)
}

// leaveBlock accounts for the open block and goes on behind it.
func (p *Parser) leaveBlock(end int, closed bool) {
	b := p.block
	kind := partRequest
	switch {
	case p.dropping:
		kind = partDropped
	case b.place == placeReasoning, !b.live:
		kind = b.stays()
	}
	p.block = nil
	p.endedAt = end
	p.unmarked = p.unmarked || !p.dropping && (b.code == protocol.CodeBareValue || b.code == protocol.CodeNoFields)
	p.takeOut(kind, b, end, closed)
	if p.at() > end || !closed {
		p.rewind(end)
	}
}

// addRequests adds what was read from a block.
func (p *Parser) addRequests(b *block, readings []protocol.Reading, raw string, end int) {
	if p.dropping {
		return
	}
	if n := len(readings); b.code == protocol.CodeLimitExceeded && n > p.o.Limits.Blocks { // each would list all that was mended in the block
		p.leaveUnread(n-1, b.start, end)
		readings = readings[:1]
	}
	var fields []Field
	if p.o.Fields && !b.oversize {
		fields = append(p.fieldsOf(b.fields), b.unclosed...)
	}
	for i := range readings {
		p.addRequest(b, &readings[i], fields, raw, end)
	}
}

// leaveUnread counts requests that are past a limit and not reported one by one (B15).
func (p *Parser) leaveUnread(n, start, end int) {
	if p.unread == 0 {
		p.unreadSpan.Start = start
	}
	p.unread += n
	p.unreadSpan.End = end
}

// requestIndex is the index of the request to come, or of the block's first.
func (p *Parser) requestIndex() int {
	if p.blocks > p.o.Limits.Blocks+1 {
		return noRequest
	}
	return len(p.requests)
}

// takeOut accounts for a block.
func (p *Parser) takeOut(kind partKind, b *block, end int, closed bool) {
	if kind == partRequest {
		p.acc.takeOut(b.start)
	}
	p.addAs(kind, end-p.acc.end)
	switch {
	case b.passed:
		p.line = p.around.shadow
	case b.place == placeText:
	case closed && !b.inSpan:
		p.line = p.around.after
	case !b.inSpan:
		p.line = p.around.atLast
	}
	p.line.prefix, p.line.first, p.line.bare = false, false, true
	p.line.at, p.line.ticksAt, p.line.lineAt, p.line.bareAt = end, end, end, end
	p.line.infoAt = max(p.line.infoAt, end)
}
