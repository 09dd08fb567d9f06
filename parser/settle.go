package parser

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/vcpgo/vcp/protocol"
)

// What the texts of a reply are made of.
var (
	textKinds      = kindsOf(partText, partQuoted)
	reasoningKinds = kindsOf(partReasoning, partInner)
	allKinds       = kinds(math.MaxUint8)
)

// finish settles every request and writes the reply, which is empty.
func (p *Parser) finish(reply *Reply, finish protocol.FinishReason) {
	p.closed = true
	p.closeScanner()
	switch {
	case p.whole:
	case p.base == 0 && len(p.buf) <= firstBuffer: // nothing has been forgotten: one copy is less than one of each part
		p.acc.whole = string(p.buf)
	default:
		p.acc.keep(p.buf, p.base)
	}
	reply.Finish, reply.Notices = finish, p.notices
	if p.failed != nil {
		reply.Text = p.acc.pieces(allKinds, "", p.rawOf)
		return
	}
	p.decideDefined(finish)
	if len(p.requests) > 0 {
		p.follow(p.acc.end, p.acc.end, nextEOF)
	}
	p.decideQuoted(finish)
	if p.line.fence.Run > 0 && p.doubtFence == p.fence.number && finish.Complete() {
		p.strayAt = max(p.strayAt, p.doubtAt) // what closed a value may have opened the fence
	}
	todo := p.settleAll(finish)
	if !todo && p.o.Reasoning == ReasoningRunIfNothingElse && p.runReasoning() {
		todo = p.settleAll(finish)
	}
	if len(p.requests) > 0 {
		reply.Requests = make([]Request, 0, len(p.requests))
	}
	for i := range p.requests {
		q := &p.requests[i]
		// A lone closer may be a quotation: what it has taken back is told of whatever else there is to do (C3).
		takenBack := q.wasLive && !q.live && q.readErr == nil && p.o.Reasoning == ReasoningIgnore
		if !todo || takenBack {
			n := Notice{
				Code: NoticeUnrunRequest, Span: q.Span,
				Message: "request " + q.ID + " for " + strconv.Quote(q.ToolName) + " stands in " + string(q.Status) + " text and was not run",
			}
			reply.Notices = append(reply.Notices, n)
			p.emit(Event{Kind: EventNotice, Notice: &n})
		}
		reply.Requests = append(reply.Requests, q.Request)
	}
	if p.unread > 0 {
		n := Notice{
			Code: NoticeUnreadRequests, Span: p.unreadSpan,
			Message: strconv.Itoa(p.unread) + " more requests are past a limit and were not read; write them in later replies, up to " +
				strconv.Itoa(p.o.Limits.Blocks) + " in each",
		}
		reply.Notices = append(reply.Notices, n)
		p.emit(Event{Kind: EventNotice, Notice: &n})
	}
	if len(reply.Notices) > 1 {
		slices.SortStableFunc(reply.Notices, func(a, b Notice) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	}
	there := p.takeOutLive()
	reply.Text = p.acc.pieces(textKinds, "", p.rawOf)
	if there&reasoningKinds != 0 {
		reply.Reasoning = p.acc.pieces(reasoningKinds, "\n", p.rawOf).String()
	}
	for i := 0; i < len(p.acc.parts) && there.has(partDropped); i++ {
		if p.acc.parts[i].kind != partDropped {
			continue
		}
		span := Span{p.acc.parts[i].start, p.acc.endOf(i)}
		if n := len(reply.Dropped); n > 0 && reply.Dropped[n-1].Span.End == span.Start {
			reply.Dropped[n-1].Span.End = span.End
			continue
		}
		reply.Dropped = append(reply.Dropped, Dropped{span, DropFabricatedResult})
	}
}

// rawOf returns the text of a request that was taken out.
func (p *Parser) rawOf(part *part) string {
	if part.request != noRequest && int(part.request) < len(p.requests) {
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
	open := p.line.fence.Run > 0 && !finish.Complete()
	alone := !p.fence.other && !p.fence.followed
	for i := range p.requests {
		q := &p.requests[i]
		alone = alone && q.place == placeFence && q.fence == p.fence.number && !q.barred && !q.defined
	}
	for i := range p.requests {
		q := &p.requests[i]
		if last := q.fence == p.fence.number; q.place == placeFence && !(last && open) && !q.barred && !q.defined {
			q.live = q.asked || alone && last
		}
	}
}

// runReasoning lets the requests in reasoning run, except those that were quoted before, and reports
// whether there are any.
func (p *Parser) runReasoning() bool {
	any := false
	for i := range p.requests {
		q := &p.requests[i]
		switch {
		case q.place != placeReasoning || q.defined:
		case q.barred:
			q.place, any = placeQuote, true // no policy lets it run
		default:
			q.live, any = true, true
		}
	}
	return any
}

// takeOutLive takes the requests out of the text that were left in before it was known that they run. It returns what kinds of parts there
// are.
func (p *Parser) takeOutLive() (there kinds) {
	for i := range p.acc.parts {
		part := &p.acc.parts[i]
		if part.kind == partQuoted && part.request != noRequest && p.requests[part.request].live {
			part.kind = partRequest
		}
		there |= kindsOf(part.kind)
	}
	return there
}

// settleAll gives each request its final status and reports whether there is anything to be done: run, or mended.
func (p *Parser) settleAll(finish protocol.FinishReason) (todo bool) {
	ambiguous := 0 // ordinal of the first block that casts doubt on what follows
	for i := range p.requests {
		q := &p.requests[i]
		if (q.live || q.wasLive) && ambiguous == 0 && q.doubted {
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
			q.Err = p.requestError(code)
		}
	}
	if index < p.strayAt {
		fail(protocol.CodeStrayCloser)
	}
	if ambiguous > 0 && q.number > ambiguous {
		fail(protocol.CodeAfterAmbiguous)
	}
	q.Status = q.ownStatus()
	if q.Cut != nil && !finish.Complete() && (q.Err == nil || protocol.CodeAmbiguousValue.Before(q.Err.Code)) {
		q.Status, q.Err = protocol.StatusIncomplete, nil
	}
}
