package parser

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/vcpgo/vcp/protocol"
)

// The repairs that only the end of a message can tell of. A protocol that knows them names them so.
const (
	repairMissingEnd    = "missing_block_end"
	repairUnclosedValue = "unclosed_value"
)

// pending is a request whose status may still change.
type pending struct {
	Request
	place place
	live  bool // it runs, wherever it stands
	// wasLive is set on a request that has become reasoning (C3): a doubt that it casts on others stays.
	wasLive bool
	number  int  // of its block
	fence   int  // number of the fence it may stand in
	asked   bool // the fence's info string asks for its requests to run
	cut     bool // the message ended in it
	bits    uint64
	// readErr is what is wrong with it as it was read, wherever it stands.
	readErr *protocol.RequestError
}

func (p *Parser) nextID() string { return strconv.Itoa(len(p.requests) + 1) }

// allows reports whether the repair of that name is applied.
func (p *Parser) allows(name string) bool {
	bit, err := p.repairBit(name)
	return err == nil && p.allowed&bit != 0
}

// repairAs adds the repair of that name at an empty place.
func (p *Parser) repairAs(name string, at int) {
	for i, r := range p.repairs {
		if r.Name == name {
			p.block.repairs = append(p.block.repairs, repairAt{i, at, at})
		}
	}
}

// endAtEOF ends the block that the message ended in. What follows its last closer is read afresh: then it returns true.
func (p *Parser) endAtEOF() bool {
	b := p.block
	if !b.open {
		switch {
		case b.holdsEnd, b.place != placeText:
			b.fail(protocol.ErrUnclosedBlock)
		case b.code == "" && b.place == placeText && p.reason == protocol.FinishStop:
			p.repairAs(repairMissingEnd, b.last)
		}
		p.endCut(b.without(p.base + len(p.buf)))
		return p.pos < len(p.buf)
	}
	if b.possible.closes && b.ends == 1 && !b.suspect && !b.oversize && b.place == placeText && p.reason == protocol.FinishStop {
		p.closeAtEnd()
		return p.pos < len(p.buf)
	}
	b.fail(protocol.ErrUnclosedValue)
	if !b.oversize {
		b.fields = b.fields[:len(b.fields)-1] // what was never closed is no argument
	}
	p.endCut(p.base + len(p.buf))
	return false
}

// closeAtEnd closes the last value and its request at the end mark inside of it (V9).
func (p *Parser) closeAtEnd() {
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
	f.end = end
	b.open = false
	p.endDelta(f)
	p.repairAs(repairUnclosedValue, end)
	b.repairs = append(b.repairs, b.possible.repairs...)
	p.endCut(b.possible.end)
}

// endCut ends a block at the message's end.
func (p *Parser) endCut(end int) {
	first := len(p.requests)
	p.endBlock(end, false)
	for i := first; i < len(p.requests); i++ {
		p.requests[i].cut = true
	}
}

// endBlock ends the open block at the offset end and reads its fields. Where that is before what has been read, the rest is read
// afresh.
func (p *Parser) endBlock(end int, closed bool) {
	b := p.block
	raw := ""
	if !b.oversize {
		if p.whole {
			raw = p.acc.whole[b.start:end]
		} else {
			raw = string(p.bytes(b.start, end))
		}
	}
	readings := p.read(b, raw)
	kind := partRequest
	switch {
	case p.dropping:
		kind = partDropped
	case b.place == placeReasoning, !b.live:
		kind = b.stays()
	}
	p.block = nil
	p.takeOut(kind, b, end, closed)
	if p.at() > end || !closed {
		p.rewind(end)
	}
	if p.dropping {
		return
	}
	for i := range readings {
		p.addRequest(b, &readings[i], raw, end)
	}
}

// takeOut accounts for a block.
func (p *Parser) takeOut(kind partKind, b *block, end int, closed bool) {
	if kind == partRequest {
		p.acc.takeOut(b.start)
	}
	p.addAs(kind, end-p.acc.end)
	switch {
	case b.passed:
		p.flow = p.around.shadow
	case b.place == placeText:
	case closed && !b.inSpan:
		p.flow = p.around.after
	case !b.inSpan:
		p.flow = p.around.atLast
	}
	p.flow.prefix, p.flow.first, p.flow.bare = false, false, true
	p.flow.ticksAt, p.flow.lineAt = end, end
}

// read turns the fields of a block into requests.
func (p *Parser) read(b *block, raw string) []protocol.Reading {
	p.fields = p.fields[:0]
	for i := range b.fields {
		f := &b.fields[i]
		if f.hidden || f.nameStart == f.nameEnd {
			continue
		}
		out := protocol.Field{Name: f.name, Value: f.value, Form: f.form}
		if !b.oversize {
			if out.Name == "" {
				out.Name = raw[f.nameStart-b.start : f.nameEnd-b.start]
			}
			if len(f.skips) > 0 {
				out.Value = p.valueOf(f)
			} else {
				s, e := f.rule.Cut(p.bytes(f.start, f.end))
				out.Value = raw[f.start-b.start:][s:e]
			}
		}
		p.fields = append(p.fields, out)
	}
	p.guarded = true
	readings := p.scanner.Requests(p.fields)
	p.guarded = false
	return readings
}

// nameOf returns the key of a field whose bytes are kept.
func (p *Parser) nameOf(f *field) []byte {
	if f.name != "" {
		return []byte(f.name)
	}
	return p.bytes(f.nameStart, f.nameEnd)
}

// valueOf returns a copy of the text of a field whose bytes are kept.
func (p *Parser) valueOf(f *field) string {
	value := p.bytes(f.start, f.end)
	if len(f.skips) > 0 {
		kept := make([]byte, 0, len(value))
		at := f.start
		for i := 0; i < len(f.skips); i += 2 {
			kept = append(kept, p.bytes(at, f.skips[i])...)
			at = f.skips[i+1]
		}
		kept = append(kept, p.bytes(at, f.end)...)
		value = kept
	}
	s, e := f.rule.Cut(value)
	return string(value[s:e])
}

// addRequest adds what was read from a block.
func (p *Parser) addRequest(b *block, r *protocol.Reading, raw string, end int) {
	q := pending{
		Request: Request{
			ID: p.nextID(), ToolRequest: r.Request, RawBlock: raw, Span: Span{b.start, end}, commandAt: r.CommandAt,
		},
		place: b.place, live: b.live, number: b.number, fence: b.fence, asked: b.asked,
	}
	for _, x := range b.repairs {
		q.bits |= 1 << x.repair
		q.Repairs = append(q.Repairs, Repair{Name: p.repairs[x.repair].Name, Span: Span{x.start, x.end}})
	}
	visible := 0
	for i := range b.fields {
		f := &b.fields[i]
		if f.hidden || f.nameStart == f.nameEnd {
			continue
		}
		for _, x := range r.Repairs {
			if x.Field == visible {
				q.bits |= 1 << x.Repair
				q.Repairs = append(q.Repairs, Repair{Name: p.repairs[x.Repair].Name, Span: Span{f.nameStart, f.nameEnd}})
			}
		}
		visible++
	}
	slices.SortFunc(q.Repairs, func(a, b Repair) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End), cmp.Compare(a.Name, b.Name))
	})
	code := b.code
	if r.Err != nil && (code == "" || r.Err.Code.Before(code)) {
		q.Err = r.Err
	} else if code != "" {
		q.Err = &protocol.RequestError{Code: code, Message: messages[code]}
	}
	if q.Err == nil && q.bits&^p.allowed != 0 {
		q.Err = p.refusal(q.bits &^ p.allowed)
	}
	q.readErr = q.Err
	q.Status = q.ownStatus()
	switch {
	case q.live:
	case q.place == placeReasoning:
		q.Status = protocol.StatusReasoning
	default:
		q.Status = protocol.StatusQuoted
	}
	p.requests = append(p.requests, q)
	if p.mute {
		return
	}
	if !b.started && q.ToolName != "" {
		p.emit(Event{Kind: EventRequestStarted, Request: q.ID, Name: []byte(q.ToolName)})
	}
	done := q.Request
	p.emit(Event{Kind: EventRequestDone, Request: q.ID, Result: &done})
}

// refusal is the error of a request that needs repairs which are not allowed.
func (p *Parser) refusal(bits uint64) *protocol.RequestError {
	message := ""
	for i, r := range p.repairs {
		if bits&(1<<i) != 0 {
			if message != "" {
				message += "; "
			}
			message += r.Doc + " (" + r.Name + ")"
		}
	}
	return &protocol.RequestError{
		Code:    protocol.ErrRepairRefused,
		Message: "the request has " + message + ", which is not mended here; write it exactly as the instructions say",
	}
}

func (q *pending) ownStatus() protocol.Status {
	if q.Err != nil {
		return protocol.StatusInvalid
	}
	return protocol.StatusReady
}

// messages tell a model how to mend a request.
var messages = map[protocol.ErrorCode]string{
	protocol.ErrLimitExceeded:  "the request passes a limit of size or number; write fewer or smaller requests",
	protocol.ErrAfterAmbiguous: "an earlier request in the same reply has a value that can be read in two ways; mend that one and write both again",
	protocol.ErrAmbiguousValue: "a value holds what looks like another field, so it is unclear where it ends; close each value, and write text that holds such marks between 「始ESCAPE:tag」 and 「末ESCAPE:tag」 with a tag that is not in the text",
	protocol.ErrUnclosedValue:  "the last value is never closed; write the request again and close every value",
	protocol.ErrBadTag:         "the tag of an ESCAPE value may hold only the letters a to z, digits, '_' and '-', at most 32 of them",
	protocol.ErrUnclosedBlock:  "the request has no end marker; write it again with its end marker",
	protocol.ErrStrayCloser:    "the end of a value stands where no value is open, so it is unclear what the values are; write text that holds such marks between 「始ESCAPE:tag」 and 「末ESCAPE:tag」",
	protocol.ErrNoFields:       "the block holds no field; write each parameter as name:「始」value「末」",
	protocol.ErrBadKey:         "a value stands without a name before it; write name:「始」value「末」",
	protocol.ErrBareValue:      "a parameter is written without marks around its value; write name:「始」value「末」",
}

// finish settles every request and returns the reply.
func (p *Parser) finish(finish protocol.FinishReason) Reply {
	p.closed = true
	reply := Reply{Finish: finish, Notices: p.notices}
	if p.failed != nil {
		reply.Text = p.acc.join(func(*part) bool { return true }, "", p.rawOf)
		return reply
	}
	p.decideQuoted(finish)
	todo := p.settleAll(finish)
	if !todo && p.o.Reasoning == ReasoningRunIfNothingElse && p.runReasoning() {
		todo = p.settleAll(finish)
	}
	if len(p.requests) > 0 {
		reply.Requests = make([]Request, 0, len(p.requests))
	}
	for i := range p.requests {
		q := &p.requests[i]
		if !todo {
			n := Notice{
				Code: NoticeUnrunRequest, Span: q.Span,
				Message: "request " + q.ID + " for " + strconv.Quote(q.ToolName) + " stands in " + string(q.Status) + " text and was not run",
			}
			reply.Notices = append(reply.Notices, n)
			p.emit(Event{Kind: EventNotice, Notice: &n})
		}
		reply.Requests = append(reply.Requests, q.Request)
	}
	slices.SortStableFunc(reply.Notices, func(a, b Notice) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	p.takeOutLive()
	reply.Text = p.acc.join(func(part *part) bool { return part.kind == partText || part.kind == partQuoted }, "", p.rawOf)
	reply.Reasoning = p.acc.join(func(part *part) bool { return part.kind == partReasoning || part.kind == partInner }, "\n", p.rawOf)
	for _, part := range p.acc.parts {
		if part.kind != partDropped {
			continue
		}
		if n := len(reply.Dropped); n > 0 && reply.Dropped[n-1].Span.End == part.start {
			reply.Dropped[n-1].Span.End = part.end
			continue
		}
		reply.Dropped = append(reply.Dropped, Dropped{Span{part.start, part.end}, DropFabricatedResult})
	}
	return reply
}

// rawOf returns the text of a request that was taken out.
func (p *Parser) rawOf(part *part) string {
	if part.request < len(p.requests) {
		return p.requests[part.request].RawBlock
	}
	return ""
}

// decideQuoted lets requests in fenced code run where the policy says so: those whose fence asks for it, and those in a fence that holds
// nothing else, is followed by nothing, and stands in a reply without other requests (C6, C7).
func (p *Parser) decideQuoted(finish protocol.FinishReason) {
	if p.o.Quoted != QuotedAuto {
		return
	}
	open := p.flow.fence.mark != 0 && finish != protocol.FinishStop
	alone := !p.fence.other && !p.fence.followed
	for i := range p.requests {
		q := &p.requests[i]
		alone = alone && q.place == placeFence
	}
	for i := range p.requests {
		q := &p.requests[i]
		if last := q.fence == p.fence.number; q.place == placeFence && !(last && open) {
			q.live = q.asked || alone && last
		}
	}
}

// runReasoning lets the requests in reasoning run and reports whether there are any.
func (p *Parser) runReasoning() bool {
	any := false
	for i := range p.requests {
		if q := &p.requests[i]; q.place == placeReasoning {
			q.live, any = true, true
		}
	}
	return any
}

// takeOutLive takes the requests out of the text that were left in before it was known that they run.
func (p *Parser) takeOutLive() {
	for i := range p.acc.parts {
		if part := &p.acc.parts[i]; part.kind == partQuoted && p.requests[part.request].live {
			part.kind = partRequest
		}
	}
}

// settleAll gives each request its final status and reports whether there is anything to be done: run, or mended.
func (p *Parser) settleAll(finish protocol.FinishReason) (todo bool) {
	ambiguous := 0 // ordinal of the first block with an ambiguous value
	for i := range p.requests {
		q := &p.requests[i]
		if (q.live || q.wasLive) && ambiguous == 0 && q.readErr != nil && q.readErr.Code == protocol.ErrAmbiguousValue {
			ambiguous = q.number
		}
		p.settle(q, i, ambiguous, finish)
		todo = todo || q.live
	}
	return todo
}

// settle gives a request its final status.
func (p *Parser) settle(q *pending, index, ambiguous int, finish protocol.FinishReason) {
	q.Err = nil
	if !q.live {
		q.Status = protocol.StatusQuoted
		if q.place == placeReasoning {
			q.Status = protocol.StatusReasoning
		}
		return
	}
	q.Err = q.readErr
	fail := func(code protocol.ErrorCode) {
		if q.Err == nil || code.Before(q.Err.Code) {
			q.Err = &protocol.RequestError{Code: code, Message: messages[code]}
		}
	}
	if index < p.strayAt {
		fail(protocol.ErrStrayCloser)
	}
	if ambiguous > 0 && q.number > ambiguous {
		fail(protocol.ErrAfterAmbiguous)
	}
	q.Status = q.ownStatus()
	if q.cut && finish != protocol.FinishStop && (q.Err == nil || protocol.ErrAmbiguousValue.Before(q.Err.Code)) {
		q.Status, q.Err = protocol.StatusIncomplete, nil
	}
}
