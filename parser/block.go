package parser

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol"
)

// block is a request that is being read. All positions are offsets in the stream.
type block struct {
	start  int
	body   int  // where its start marker ends
	quiet  bool // no part of it is told of before it has ended
	unsure bool // only its end shows whether it is one
	line   bool // no line break has been read in it
	place  place
	// outlived is set where the place that it began in has ended inside of the open value before a mark of a request; passed, where that
	// has made the block a part of the text.
	outlived, passed bool
	number           int  // ordinal of the block, from 1
	live             bool // it runs, wherever it stands
	defined          bool // it stands behind a definition's mark: if that has an end, it does not run (B16)
	barred           bool // no policy lets it run
	ranOver          bool // the open value has run over the end of the definition
	swallowed        bool // and then over the end of a request
	fence            int  // number of the fence it may stand in
	tagged           bool // a reasoning tag is open as text: on its first line, or in its filler
	asked            bool // the fence's info string asks for its requests to run
	ticks            ticks
	filler           int // up to where the place has been followed through filler
	last             int // where its last closer, or its start marker, ends
	whole            int // where its last whole field ends, or the block begins
	fields           []field
	keyed            bool // a field has begun
	open             bool // the last field's value is open
	trims            bool // white space around that value is none of it
	code             protocol.ErrorCode
	doubted          bool // it is not known what of it is text of a value, whatever else is wrong with it
	repairs          []repairAt

	inSpan   bool // it stands in a code span of one line
	holdsEnd bool // a closed value holds an end mark
	suspect  bool // the open value holds a keyed opener, or a closer that is not its own
	ends     int  // end marks in the open value
	possible possibleEnd
	oversize bool // past a limit: it is read on without being stored
	started  bool // EventRequestStarted has been sent
	isCut    bool // the message has ended in it, at cut
	cut      Cut
	unclosed []Field // the one that the message has ended in, if Options.Fields is set
	delta    delta
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
	name       string // set where it is not what was written, or what was written is not kept
	value      string // set where what was written is not kept
	nameStart  int
	nameEnd    int
	start, end int // the value as written
	rule       protocol.TextRule
	form       protocol.Form
	role       protocol.FieldRole
	quiet      bool // it is not told of while it is read
	skips      []skip
}

// skip is where bytes of a value begin and end that are no part of it, and what stands in their place.
type skip struct {
	start, end int
	instead    string
}

// token deals with one token of n bytes. It returns false if more input must settle it.
func (p *Parser) token(n int, tok *protocol.Token) bool {
	start := p.at()
	end := start + n
	if p.block == nil {
		return p.textToken(start, end, tok)
	}
	b := p.block
	switch tok.Kind {
	case protocol.TokenFiller:
		return p.filler(start, end, tok)
	case protocol.TokenRequestEnd:
		return p.requestEnd(start, end, tok)
	case protocol.TokenEvidence:
		if !b.open {
			return p.fillerEvidence(start, end, tok)
		}
	case protocol.TokenField, protocol.TokenDefect:
		if !b.open && b.filler < start && p.leavesPlace(start+min(0, tok.NameStart), nextMark) { // a key that has been taken for filler is none
			return true
		}
	}
	p.pos += n
	p.checkSize(start, end, tok)
	switch tok.Kind {
	case protocol.TokenDefect:
		p.take(start, tok)
		if tok.Code == protocol.CodeStrayCloser { // in a quoted block too: what closed a value may have opened the fence
			p.strayAt = len(p.requests)
		}
		p.mark(end)
	case protocol.TokenField:
		p.beginField(start, end, tok)
	case protocol.TokenValue:
		if tok.Replaced {
			p.replace(start, end, tok)
		}
	case protocol.TokenEvidence:
		p.valueEvidence(start, end, tok)
	case protocol.TokenFieldEnd:
		p.endField(start, end, tok)
		end -= tok.Back
	}
	b.filler = end
	return true
}

// filler deals with what stands between fields.
func (p *Parser) filler(start, end int, tok *protocol.Token) bool {
	after := nextUnknown
	if tok.Complete {
		after = nextMark
	}
	p.pos += end - start
	if p.leavesPlace(end, after) {
		return true
	}
	if tok.Complete { // other filler is no part of the block until more of the block follows
		p.checkSize(start, end, tok)
	}
	p.take(start, tok)
	if tok.Complete {
		p.mark(end)
	}
	return true
}

// fillerEvidence deals with a mark that stands between fields: the end of a definition.
func (p *Parser) fillerEvidence(start, end int, tok *protocol.Token) bool {
	p.pos += end - start
	if tok.Evidence == protocol.EvidenceDefinitionEnd {
		p.barDefined()
	}
	p.leavesPlace(end, nextMark)
	return true
}

// valueEvidence deals with a mark that is part of the open value.
func (p *Parser) valueEvidence(start, end int, tok *protocol.Token) {
	b := p.block
	switch tok.Evidence {
	case protocol.EvidenceDefinitionEnd:
		b.ranOver = b.ranOver || b.defined && b.place == placeText
		p.barDefined()
	case protocol.EvidenceOpener:
		b.suspect = true
		p.ambiguousValue(start)
	case protocol.EvidenceCloser:
		b.suspect = true
	case protocol.EvidenceEnd, protocol.EvidencePossibleEnd:
		p.sendDelta(start)
		b.ends++
		b.swallowed = b.swallowed || b.ranOver
		p.followPlace(start)
		if b.ends == 1 {
			b.possible.start, b.possible.end, b.possible.closes = start, end, tok.Evidence == protocol.EvidencePossibleEnd
			b.possible.repairs = appendRepairs(b.possible.repairs[:0], start, tok.Repairs)
		}
	}
}

// replace deals with bytes of the open value in whose place others stand.
func (p *Parser) replace(start, end int, tok *protocol.Token) {
	b := p.block
	p.sendDelta(start)
	if p.take(start, tok); b.oversize {
		return
	}
	f := &b.fields[len(b.fields)-1]
	f.skips = append(f.skips, skip{start, end, string(tok.Instead)})
	b.delta.skip(end)
	if len(tok.Instead) > 0 && p.tellsValue() {
		p.tell(f, bytes.Clone(tok.Instead))
	}
}

// requestEnd ends the open request. It returns false if more input must settle whether it stands in a code span.
func (p *Parser) requestEnd(start, end int, tok *protocol.Token) bool {
	b := p.block
	after := nextMark
	if tok.Outcome == protocol.OutcomeUnclosed {
		after = nextRequest
	}
	if !b.open && b.filler < start && p.leavesPlace(start, after) {
		return true
	}
	switch {
	case tok.Outcome == protocol.OutcomeNone:
		p.disown()
		return true
	case (tok.Outcome == protocol.OutcomeClosed || b.keyed) && !p.settleSpan(end):
		return false
	case tok.Outcome == protocol.OutcomeUnclosed:
		p.endUnclosed(tok)
		return true
	}
	p.pos += end - start
	p.checkSize(start, end, tok)
	b.fail(tok.Code)
	b.repairs = appendRepairs(b.repairs, start, tok.Repairs)
	p.endBlock(end-tok.Back, true)
	return true
}

// settleSpan finds out whether a block that ends before the offset end stands in a code span (C9). It returns false where more input is
// needed.
func (p *Parser) settleSpan(end int) bool {
	b := p.block
	if !b.ticks.any() || b.place != placeText {
		return true
	}
	switch p.closedOnLine(&b.ticks, end) {
	case spanShort:
		return false
	case spanClosed, spanFar: // what cannot be told for sure is not run
		b.place, b.live, b.inSpan = placeQuote, false, true
	case spanOpen:
	}
	return true
}

// take takes over what was mended to read a token, and what is wrong with it.
func (p *Parser) take(start int, tok *protocol.Token) {
	b := p.block
	b.mend(start, tok)
	b.fail(tok.Code)
	if tok.Code == protocol.CodeLimitExceeded {
		if b.open && !b.oversize {
			p.void()
		}
		p.exceed()
	}
}

// beginBlock opens a request.
func (p *Parser) beginBlock(start, end int, tok *protocol.Token) {
	place := p.line.place()
	if start == end && (place != placeText || p.line.definition || !p.line.ticksClosed(p, start)) {
		p.abort(0)
		return
	}
	p.countTicks(start)
	if p.line.ticks.run > 0 {
		p.line.ticks.end()
	}
	b := &p.spare
	clear(b.fields)
	fields, repairs, possible := b.fields[:0], b.repairs[:0], b.possible.repairs[:0]
	*b = block{}
	b.fields, b.repairs, b.possible.repairs = fields, repairs, possible
	b.start, b.body, b.place, b.last, b.filler, b.whole = start, end, place, end, end, start
	b.unsure, b.line = tok.Tentative, true
	b.tagged = p.line.tagged
	b.defined = p.line.definition
	b.barred = place == placeFence && (p.line.quote || p.line.candidate)
	b.quiet = b.unsure || place != placeText || p.dropping || b.defined
	if place != placeText {
		if p.around == nil {
			p.around = &surroundings{}
		}
		p.around.after = p.line
		p.around.after.prefix = false
		p.around.atLast = p.around.after
	}
	b.live = p.runsAt(place) && !b.defined && !b.barred
	b.fence = p.fence.number
	b.asked = p.line.fence.Run > 0 && p.line.fence.runs
	b.repairs = appendRepairs(b.repairs, start, tok.Repairs)
	b.code, b.doubted = "", false
	b.fail(tok.Code)
	if place == placeText && !p.dropping {
		b.ticks = p.line.ticks
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
	b.doubted = b.doubted || code == protocol.CodeAmbiguousValue
	if code != "" && code.Before(b.code) {
		b.code = code
	}
}

// mark remembers the end of a closer: what follows the last one is read afresh if the block has no end.
func (p *Parser) mark(end int) {
	b := p.block
	if b.last = end; end > b.start+p.o.Limits.BlockBytes {
		b.ticks = ticks{} // it would have to be held until its end (C9)
	}
	if b.place != placeText {
		p.around.after.prefix = false
		p.around.atLast = p.around.after
	}
}

func (p *Parser) beginField(start, end int, tok *protocol.Token) {
	b := p.block
	b.keyed, b.open, b.trims = true, true, tok.Rule == protocol.TextTrim
	b.suspect, b.ends, b.outlived, b.ranOver, b.swallowed = false, 0, false, false, false
	if b.place != placeText {
		p.around.shadow, p.around.shadowAt = p.around.after, end
	}
	if len(b.fields) >= p.o.Limits.Fields || tok.Code == protocol.CodeLimitExceeded {
		p.exceed()
	}
	b.fail(tok.Code)
	if b.oversize {
		return
	}
	f := field{
		nameStart: start + tok.NameStart, nameEnd: start + tok.NameEnd, start: end, rule: tok.Rule, form: tok.Form, role: tok.Role, quiet: tok.Quiet,
	}
	if !bytes.Equal(tok.Name, p.bytes(f.nameStart, f.nameEnd)) {
		f.name = string(tok.Name)
	}
	b.fields = append(b.fields, f)
	b.repairs = appendRepairs(b.repairs, start, tok.Repairs)
	b.delta = delta{at: end}
}

func (p *Parser) endField(start, end int, tok *protocol.Token) {
	b := p.block
	b.open = false
	b.holdsEnd = b.holdsEnd || b.ends > 0
	b.mend(start, tok)
	b.fail(tok.Code)
	p.mark(end - tok.Back)
	b.whole = end - tok.Back
	if b.oversize {
		return
	}
	f := &b.fields[len(b.fields)-1]
	f.end = start - tok.Back
	b.line = b.line && lineEnd(p.bytes(f.start, f.end)) < 0
	p.endDelta(f)
	if f.role == protocol.FieldToolName && !f.quiet && !b.started && !b.quiet && !p.mute {
		b.started = true
		value := p.bytes(f.start, f.end)
		if len(f.skips) > 0 {
			value = []byte(p.valueOf(f))
		}
		s, e := f.rule.Cut(value)
		p.emit(Event{Kind: EventRequestStarted, RequestID: p.nextID(), Name: bytes.TrimSpace(value[s:e])})
	}
	if tok.Code == protocol.CodeLimitExceeded {
		p.exceed()
	}
}

// ambiguousValue makes the block's open value ambiguous (V11). In a place that has ended inside of the value it counts for more
// than the place (C12).
func (p *Parser) ambiguousValue(at int) {
	b := p.block
	p.sendDelta(at)
	b.fail(protocol.CodeAmbiguousValue)
	p.showBlock(at) // what follows may be no part of its place
	p.followPlace(at)
	if b.outlived && b.place != placeText {
		b.passed = true
		b.place, b.live = placeText, true
	}
	if b.ranOver {
		b.live, b.defined, b.barred = true, false, false
		p.line.definition = false
	}
	p.void()
}

// followPlace follows the place of a block through its open value up to the offset at, where a mark stands.
func (p *Parser) followPlace(at int) {
	b := p.block
	if b.place == placeText || b.outlived {
		return
	}
	p.examined += at - p.around.shadowAt
	b.outlived = b.oversize || p.around.shadow.leaves(b.place, p.bytes(p.around.shadowAt, at))
	p.around.shadowAt = at
}

// void takes back what has been told of the open value.
func (p *Parser) void() {
	b := p.block
	if !b.oversize && !p.mute && b.delta.sent > 0 && !b.delta.void {
		f := &b.fields[len(b.fields)-1]
		p.emit(Event{Kind: EventArgumentVoided, RequestID: p.nextID(), Name: p.nameOf(f)})
	}
	b.delta.void = true
}
