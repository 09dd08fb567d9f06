package parser

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol"
)

// block is a request that is being read. All positions are offsets in the stream.
type block struct {
	start   int
	body    int  // where its start marker ends
	quiet   bool // no part of it is told of before it has ended
	place   place
	passed  bool // the place that it began in has ended inside of the open value
	number  int  // ordinal of the block, from 1
	live    bool // it runs, wherever it stands
	fence   int  // number of the fence it may stand in
	asked   bool // the fence's info string asks for its requests to run
	ticks   ticks
	last    int // where its last closer, or its start marker, ends
	fields  []field
	open    bool // the last field's value is open
	code    protocol.ErrorCode
	repairs []repairAt

	inSpan   bool // it stands in a code span of one line
	holdsEnd bool // a closed value holds an end mark
	suspect  bool // the open value holds a keyed opener, or a closer that is not its own
	ends     int  // end marks in the open value
	possible possibleEnd
	oversize bool // past a limit: it is read on without being stored
	started  bool // EventRequestStarted has been sent
	delta    delta
}

// surroundings follow the text's state through a block that stands in code, a quotation or reasoning. While a block that stands in
// plain text is open the state does not change.
type surroundings struct {
	after    flow // the state now
	atLast   flow // the state at the end of the last closer
	shadow   flow // follows the text through the open value, up to shadowAt
	shadowAt int
}

type possibleEnd struct {
	start, end int
	closes     bool
	repairs    []repairAt
}

type repairAt struct {
	repair     int
	start, end int
}

type field struct {
	name          string // set where it is not what was written, or what was written is not kept
	value         string // set where what was written is not kept
	nameStart     int
	nameEnd       int
	start, end    int // the value as written
	rule          protocol.TextRule
	form          protocol.Form
	hidden, names bool
	code          protocol.ErrorCode
	skips         []int // where bytes begin and end that are no part of it
}

// token deals with one token of n bytes. It returns false where more input must settle it.
func (p *Parser) token(n int, tok *protocol.Token) bool {
	start := p.at()
	end := start + n
	if p.block == nil {
		return p.textToken(start, end, tok)
	}
	b := p.block
	switch tok.Kind {
	case protocol.TokenUnclosed:
		p.endUnclosed(tok.Code)
		return true
	case protocol.TokenNoRequest:
		if b.oversize {
			p.endUnclosed(protocol.ErrUnclosedBlock) // its text is gone
		} else {
			p.disown()
		}
		return true
	}
	if tok.Kind == protocol.TokenRequestEnd && b.ticks.open != 0 {
		closed, ok := p.closedOnLine(&b.ticks, end)
		if !ok {
			return false
		}
		if closed && b.place == placeText {
			b.place, b.live, b.inSpan = placeQuote, false, true
		}
	}
	p.pos += n
	if limit := b.start + p.o.Limits.BlockBytes; end > limit {
		if b.open && !b.oversize {
			p.sendDelta(limit)
			p.void()
		}
		p.exceed()
	}
	switch tok.Kind {
	case protocol.TokenFiller:
		if p.leavesPlace(start, end) {
			return true
		}
		b.fail(tok.Code)
	case protocol.TokenDefect:
		b.fail(tok.Code)
		if tok.Code == protocol.ErrStrayCloser { // in a quoted block too: what closed a value may have opened the fence
			p.strayAt = len(p.requests)
		}
		p.mark(end)
	case protocol.TokenField:
		p.beginField(start, end, tok)
	case protocol.TokenSkip:
		if b.oversize {
			break
		}
		p.sendDelta(start)
		f := &b.fields[len(b.fields)-1]
		f.skips = append(f.skips, start, end)
		b.delta.skip(end)
	case protocol.TokenValueOpener, protocol.TokenValueCloser:
		b.suspect = true
		if tok.Kind == protocol.TokenValueOpener {
			p.ambiguousValue(start)
		}
	case protocol.TokenPossibleEnd:
		p.sendDelta(start)
		b.ends++
		if b.ends == 1 {
			b.possible.start, b.possible.end, b.possible.closes = start, end, tok.Closes
			b.possible.repairs = appendRepairs(b.possible.repairs[:0], start, tok.Repairs)
		}
	case protocol.TokenFieldEnd:
		p.endField(start, end, tok)
	case protocol.TokenRequestEnd:
		b.fail(tok.Code)
		b.repairs = appendRepairs(b.repairs, start, tok.Repairs)
		p.endBlock(end, true)
	}
	return true
}

// exceed makes the block one that is read on without being stored (B15). The fields that it has are kept.
func (p *Parser) exceed() {
	b := p.block
	b.fail(protocol.ErrLimitExceeded)
	if b.oversize {
		return
	}
	for i := range b.fields {
		f := &b.fields[i]
		if f.end == 0 {
			b.fields = b.fields[:i]
			break
		}
		f.name = string(p.nameOf(f))
		f.value = p.valueOf(f)
	}
	b.oversize = true
}

// maxTickLine bounds how much of the line behind a request is searched for the end of a code span, in bytes.
const maxTickLine = 96

// closedOnLine reports whether a code span that is open ends on the line behind the offset end; ok is false where more input is
// needed to tell.
func (p *Parser) closedOnLine(open *ticks, end int) (closed, ok bool) {
	rest := p.buf[end-p.base:]
	rest = rest[:min(len(rest), maxTickLine)]
	stop := lineEnd(rest)
	if stop < 0 && len(rest) < maxTickLine && !p.atEOF {
		return false, false
	}
	if stop >= 0 {
		rest = rest[:stop]
	}
	t := *open
	if t.run > 0 {
		t.end()
	}
	return t.closedBy(rest), true
}

// textToken deals with a token outside of requests.
func (p *Parser) textToken(start, end int, tok *protocol.Token) bool {
	switch tok.Kind {
	case protocol.TokenText:
		p.pos += end - start
		// The text is accounted for when the next token is known, or the input at hand is used up.
		return true
	case protocol.TokenRequestStart:
		p.text(start, nextRequest)
		p.settleLine()
		p.beginBlock(start, end, tok)
		return true
	case protocol.TokenResultStart:
		p.text(start, nextResult)
		p.settleLine()
		p.pos += end - start
		if !p.dropping && p.flow.place() == placeText && p.flow.ticksClosed(p, start) {
			p.drop(end)
			return true
		}
	default:
		p.text(start, nextMark)
		p.settleLine()
		if !p.textMark(start, end, tok) {
			return false
		}
		p.pos += end - start
	}
	p.text(end, nextMark)
	return true
}

// settleLine settles what the line is on which a mark follows.
func (p *Parser) settleLine() {
	if p.flow.prefix {
		p.flow.beginLine(nil, true)
	}
}

// ticksClosed reports whether no code span is open before the offset at.
func (f *flow) ticksClosed(p *Parser, at int) bool {
	p.countTicks(at)
	return f.ticks.open == 0 && f.ticks.run == 0
}

// textMark deals with a mark that stands in text. It returns false where more input must settle it.
func (p *Parser) textMark(start, end int, tok *protocol.Token) bool {
	place := p.flow.place()
	switch tok.Kind {
	case protocol.TokenDefinitionStart:
		if place == placeText {
			p.flow.definition = true
		}
		return true
	case protocol.TokenDefinitionEnd:
		p.flow.definition = false
		return true
	case protocol.TokenTextEnd:
		if p.dropping {
			p.strayAt = len(p.requests)
		}
		p.strayAt = max(p.strayAt, p.doubtAt)
		return true
	}
	inSpan := false
	if place == placeText && !p.flow.ticksClosed(p, start) {
		var ok bool
		if inSpan, ok = p.closedOnLine(&p.flow.ticks, end); !ok {
			return false
		}
	}
	switch tok.Kind {
	case protocol.TokenTextField:
		if place == placeText && !inSpan && !p.dropping {
			p.notice(Notice{
				Code: NoticeMalformedRequest, Span: Span{start + tok.NameStart, end},
				Message: "a field that names a tool stands outside of a request block and was not run; write the whole block",
			})
		}
	case protocol.TokenTextCloser:
		switch {
		case tok.Matched:
		case !p.dropping && (place == placeFence || inSpan):
			// It may be shown. But what closed a value may have opened the code too: then the request's own end follows.
			p.doubtAt = len(p.requests)
		default:
			p.strayAt = len(p.requests)
		}
	}
	return true
}

func (p *Parser) notice(n Notice) {
	p.notices = append(p.notices, n)
	p.emit(Event{Kind: EventNotice, Notice: &n})
}

// drop begins to drop: the line that holds a result that the model made up, and all after it (B14).
func (p *Parser) drop(end int) {
	p.dropping = true
	p.acc.drop(p.flow.lineAt)
	p.addAs(partDropped, end-p.acc.end)
}

// beginBlock opens a request.
func (p *Parser) beginBlock(start, end int, tok *protocol.Token) {
	place := p.flow.place()
	if start == end && (place != placeText || !p.flow.ticksClosed(p, start)) {
		p.scanner.Leave(0)
		return
	}
	p.countTicks(start)
	if p.flow.ticks.run > 0 {
		p.flow.ticks.end()
	}
	b := &p.spare
	*b = block{fields: b.fields[:0], repairs: b.repairs[:0], possible: possibleEnd{repairs: b.possible.repairs[:0]}}
	b.start, b.body, b.place, b.last = start, end, place, end
	b.quiet = tok.Tentative || place != placeText
	if place != placeText {
		p.around.after = p.flow
		p.around.after.prefix = false
		p.around.atLast = p.around.after
	}
	b.live = p.runsAt(place)
	b.fence = p.fence.number
	b.asked = p.flow.candidate && p.flow.opening.runs || p.flow.fence.mark != 0 && p.flow.fence.runs
	b.repairs = appendRepairs(b.repairs, start, tok.Repairs)
	b.code = tok.Code
	if place == placeText && !p.dropping {
		b.ticks = p.flow.ticks
	}
	p.blocks++
	b.number = p.blocks
	p.block = b
	if b.number > p.o.Limits.Blocks {
		p.exceed()
	}
	p.pos += end - start
}

func appendRepairs(list []repairAt, start int, from []protocol.TokenRepair) []repairAt {
	for _, r := range from {
		list = append(list, repairAt{r.Repair, start + r.Start, start + r.End})
	}
	return list
}

// fail makes the request invalid, unless something weightier has.
func (b *block) fail(code protocol.ErrorCode) {
	if code != "" && code.Before(b.code) {
		b.code = code
	}
}

// mark remembers the end of a closer: what follows the last one is read afresh if the block has no end.
func (p *Parser) mark(end int) {
	p.block.last = end
	if p.block.place != placeText {
		p.around.after.prefix = false
		p.around.atLast = p.around.after
	}
}

func (p *Parser) beginField(start, end int, tok *protocol.Token) {
	b := p.block
	b.open = true
	b.suspect, b.ends, b.passed = false, 0, false
	if b.place != placeText {
		p.around.shadow, p.around.shadowAt = p.around.after, end
	}
	if len(b.fields) >= p.o.Limits.Fields || tok.Code == protocol.ErrLimitExceeded {
		p.exceed()
	}
	if !tok.Hidden || tok.Code == protocol.ErrLimitExceeded {
		b.fail(tok.Code)
	}
	if b.oversize {
		return
	}
	f := field{
		nameStart: start + tok.NameStart, nameEnd: start + tok.NameEnd, start: end, rule: tok.Rule, form: tok.Form,
		hidden: tok.Hidden, names: tok.NamesTool, code: tok.Code,
	}
	if !bytes.Equal(tok.Name, p.bytes(f.nameStart, f.nameEnd)) {
		f.name = string(tok.Name)
	}
	b.fields = append(b.fields, f)
	if !tok.Hidden {
		b.repairs = appendRepairs(b.repairs, start, tok.Repairs)
	}
	b.delta = delta{at: end}
}

func (p *Parser) endField(start, end int, tok *protocol.Token) {
	b := p.block
	b.open = false
	b.holdsEnd = b.holdsEnd || b.ends > 0
	b.repairs = appendRepairs(b.repairs, start, tok.Repairs)
	b.fail(tok.Code)
	p.mark(end - tok.Back)
	if b.oversize {
		return
	}
	f := &b.fields[len(b.fields)-1]
	f.end = start - tok.Back
	p.endDelta(f)
	if f.names && !f.hidden && !b.started && !b.quiet && !p.mute {
		b.started = true
		value := p.bytes(f.start, f.end)
		s, e := f.rule.Cut(value)
		p.emit(Event{Kind: EventRequestStarted, Request: p.nextID(), Name: bytes.TrimSpace(value[s:e])})
	}
}

// ambiguousValue makes the block's open value ambiguous (V11). In a place that has ended inside of the value it counts for more
// than the place (C12).
func (p *Parser) ambiguousValue(at int) {
	b := p.block
	p.sendDelta(at)
	b.fail(protocol.ErrAmbiguousValue)
	p.showBlock(at) // what follows may be no part of its place
	if b.place != placeText && b.place != placeDefinition && !b.passed {
		b.passed = b.oversize || p.around.shadow.leaves(b.place, p.bytes(p.around.shadowAt, at))
		p.around.shadowAt = at
	}
	if b.passed {
		b.place, b.live = placeText, true
	}
	p.void()
}

// void takes back what has been told of the open value.
func (p *Parser) void() {
	b := p.block
	if !b.oversize && !p.mute && b.delta.sent > 0 && !b.delta.void {
		f := &b.fields[len(b.fields)-1]
		p.emit(Event{Kind: EventArgumentVoided, Request: p.nextID(), Name: p.bytes(f.nameStart, f.nameEnd)})
	}
	b.delta.void = true
}

// leavesPlace follows code, quotation and reasoning through filler. Where the place that the block began in ends, it ends the block
// and returns true (C12).
func (p *Parser) leavesPlace(start, end int) bool {
	b := p.block
	if b.place == placeText {
		if b.ticks.open != 0 && len(b.fields) == 0 {
			line := p.bytes(start, end)
			if stop := lineEnd(line); stop >= 0 {
				line = line[:stop]
			}
			if b.ticks.closedBy(line) {
				p.disown()
				return true
			}
		}
		return false
	}
	if b.place == placeDefinition || !p.around.after.leaves(b.place, p.bytes(start, end)) {
		return false
	}
	b.fail(protocol.ErrUnclosedBlock)
	p.endBlock(b.last, false)
	return true
}

// runsAt reports whether a request that begins at such a place runs by the policies, as far as can be told when it begins.
func (p *Parser) runsAt(at place) bool {
	switch at {
	case placeText:
		return true
	case placeReasoning:
		return p.o.Reasoning == ReasoningRun
	}
	return p.o.Quoted == QuotedRun && at == placeFence
}

// leaves follows the flow through b and reports whether the place ends in it.
func (f *flow) leaves(was place, b []byte) bool {
	for len(b) > 0 {
		end := lineEnd(b)
		line := b
		if end >= 0 {
			line = b[:end]
		}
		begins := f.prefix
		if begins {
			f.beginLine(line, true)
		}
		switch {
		case was == placeReasoning:
			if closesReasoning(f, line) {
				return true
			}
		case was == placeQuote:
			// A line without its own mark goes on with the quotation's paragraph, until a blank one or code.
			if end >= 0 && begins && len(bytes.TrimSpace(line)) == 0 || f.place() == placeFence {
				return true
			}
		case f.place() != was:
			return true
		}
		if end < 0 {
			return false
		}
		end++
		if b[end-1] == '\r' && end < len(b) && b[end] == '\n' {
			end++
		}
		b = b[end:]
		f.endLine()
	}
	return false
}

func closesReasoning(f *flow, line []byte) bool {
	for {
		o := bytes.IndexByte(line, '<')
		if o < 0 {
			return false
		}
		name, closes, n, _ := protocol.ReasoningTag(line[o:])
		if n > 0 && closes && name == f.tag {
			if f.depth--; f.depth == 0 {
				f.tag = ""
				return true
			}
		}
		line = line[o+1:]
	}
}

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
	p.scanner.Leave(back)
}

// endUnclosed ends a block in which another begins (B11).
func (p *Parser) endUnclosed(code protocol.ErrorCode) {
	b := p.block
	b.fail(code)
	if p.o.Tolerance == protocol.Greedy && b.code == "" && p.allows(repairMissingEnd) {
		p.repairAs(repairMissingEnd, b.last)
	} else {
		b.fail(protocol.ErrUnclosedBlock)
	}
	p.endBlock(b.without(p.at()), false)
}

// without returns where the block ends that has no end mark: at its last closer; or, where it has no field at all, where it was cut.
func (b *block) without(cut int) int {
	if b.code == protocol.ErrNoFields && b.last == b.body {
		return cut
	}
	return b.last
}
