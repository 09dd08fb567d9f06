package parser

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/vcpgo/vcp/internal/forms"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// The kinds of parts in each text of a reply.
var (
	textKinds      = kindsOf(partText, partQuoted)
	reasoningKinds = kindsOf(partReasoning, partInner)
	allKinds       = kinds(math.MaxUint8)
)

// ending is the state of the text context at the end of a reply.
type ending struct {
	finish     protocol.FinishReason
	definition bool // a definition was opened and not closed
	fenced     bool // fenced code is open
	fence      fenceContent
	foreign    []foreignRequest
}

// settle gives every request its final status, and writes the requests and the notices to the
// reply.
func (d *draft) settle(reply *Reply, end *ending) {
	if end.definition && end.finish.Complete() {
		d.decideDefined()
	}
	if d.o.Reasoning == ReasoningRun {
		d.runReasoning()
	}
	d.decideQuoted(end)
	if end.fenced && d.doubtFence == end.fence.number && end.finish.Complete() {
		d.strayAt = max(d.strayAt, d.doubtAt) // the text that closed a value may have opened the fence
	}
	anyLive := d.settleAll(end.finish)
	if !anyLive && d.o.Reasoning == ReasoningRunIfNothingElse && d.runReasoning() {
		anyLive = d.settleAll(end.finish)
	}
	reply.Notices = d.notices
	if len(d.requests) > 0 {
		reply.Requests = make([]Request, 0, len(d.requests))
	}
	for i := range d.requests {
		q := &d.requests[i]
		// A lone closing tag may be a quotation, so a request that it turned into reasoning is
		// reported in any case.
		becameReasoning := q.wasReady && !q.live && !q.defined && d.o.Reasoning == ReasoningIgnore
		if !anyLive || becameReasoning {
			request := "request " + q.ID
			if q.ToolName != "" {
				request += " for " + strconv.Quote(q.ToolName)
			}
			d.addNotice(reply, NoticeUnrunRequest, q.Span, request+" is in "+string(q.Status)+" text and was not run")
		}
		reply.Requests = append(reply.Requests, q.Request)
	}
	for i := 0; i < len(end.foreign) && !anyLive; i++ {
		f := &end.foreign[i]
		d.addNotice(reply, NoticeForeignRequest, f.span, f.form.Message())
	}
	if d.unread > 0 {
		d.addNotice(reply, NoticeUnreadRequests, d.unreadSpan, fmt.Sprintf(
			"%d more requests are past a limit and were not read; write them in later replies, up to %d in each",
			d.unread, d.o.Limits.Blocks))
	}
	if len(reply.Notices) > 1 {
		slices.SortStableFunc(reply.Notices, func(a, b Notice) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	}
}

// noticeBareCall adds a notice if the whole text is a call written as JSON, and the reply has no
// request and no other notice.
func (d *draft) noticeBareCall(reply *Reply) {
	if len(reply.Requests) > 0 || len(reply.Notices) > 0 || len(reply.Text) == 0 || !forms.MayBeCall(reply.Text[0]) {
		return
	}
	if text := reply.Text.String(); forms.IsCall(text) {
		d.addNotice(reply, NoticeForeignRequest, Span{0, d.at()}, forms.Bare.Message())
	}
}

// addNotice adds a notice to the reply and emits it.
func (d *draft) addNotice(reply *Reply, code NoticeCode, span Span, message string) {
	n := Notice{Code: code, Span: span, Message: message}
	reply.Notices = append(reply.Notices, n)
	d.emit(Event{Kind: EventNotice, Notice: &n})
}

// write writes the texts and the dropped parts of the reply.
func (d *draft) write(reply *Reply) {
	present := d.takeOutLive()
	reply.Text = d.segments.pieces(textKinds, "", d.rawOf)
	if present&reasoningKinds != 0 {
		reply.Reasoning = d.segments.pieces(reasoningKinds, "\n", d.rawOf).String()
	}
	for i := 0; i < len(d.segments.parts) && present.has(partDropped); i++ {
		if d.segments.parts[i].kind != partDropped {
			continue
		}
		span := Span{d.segments.parts[i].start, d.segments.endOf(i)}
		if n := len(reply.Dropped); n > 0 && reply.Dropped[n-1].Span.End == span.Start {
			reply.Dropped[n-1].Span.End = span.End
			continue
		}
		reply.Dropped = append(reply.Dropped, Dropped{span, DropFabricatedResult})
	}
}

// takeOutLive removes from the text the quoted requests that turned out to run. It returns the
// kinds of all parts.
func (d *draft) takeOutLive() (present kinds) {
	for i := range d.segments.parts {
		part := &d.segments.parts[i]
		if part.kind == partQuoted && part.request != noRequest && d.requests[part.request].live {
			part.kind = partRequest
		}
		present |= kindsOf(part.kind)
	}
	return present
}

// decideQuoted applies the policy auto to requests in fenced code. They run if the info string of
// their fence marks them as meant to run. They also run if the fence contains nothing else, nothing
// follows it, and the reply has no other requests.
func (d *draft) decideQuoted(end *ending) {
	if d.o.Quoted != QuotedAuto {
		return
	}
	lastFenceContinues := end.fenced && !end.finish.Complete()
	alone := !end.fence.other && !end.fence.followed
	for i := range d.requests {
		q := &d.requests[i]
		alone = alone && q.place == placeFence && q.fence == end.fence.number && !q.barred && !q.defined
	}
	for i := range d.requests {
		q := &d.requests[i]
		if inLast := q.fence == end.fence.number; q.place == placeFence && !(inLast && lastFenceContinues) && !q.barred && !q.defined {
			q.live = q.fenceRuns || alone && inLast
		}
	}
}

// runReasoning lets the requests in reasoning run, except quoted ones, which no policy lets run. It
// reports whether the reasoning contains any requests.
func (d *draft) runReasoning() bool {
	found := false
	for i := range d.requests {
		q := &d.requests[i]
		switch {
		case q.place != placeReasoning:
			continue
		case q.barred || q.defined:
			q.place = placeQuote
		default:
			q.live = true
		}
		found = true
	}
	return found
}

// settleAll gives each request its final status. It reports whether any request is live: to run, or
// for the model to correct.
func (d *draft) settleAll(finish protocol.FinishReason) (anyLive bool) {
	firstAmbiguous := 0 // ordinal of the first block that casts doubt on the later ones; 0 means none
	for i := range d.requests {
		q := &d.requests[i]
		if (q.live || q.wasLive && !q.defined) && firstAmbiguous == 0 && q.castsDoubt {
			firstAmbiguous = q.number
		}
		d.settleOne(q, i, firstAmbiguous, finish)
		anyLive = anyLive || q.live
	}
	return anyLive
}

// settleOne gives a request its final status. firstAmbiguous is the ordinal of the first block that
// casts doubt on the later ones, or 0.
func (d *draft) settleOne(q *pending, index, firstAmbiguous int, finish protocol.FinishReason) {
	q.Err = nil
	if !q.live {
		q.Status = StatusQuoted
		if q.place == placeReasoning {
			q.Status = StatusReasoning
		}
		return
	}
	q.Err = q.readErr
	fail := func(code scan.ErrorCode) {
		if q.Err == nil || code.Before(q.Err.Code) {
			q.Err = d.requestError(code)
		}
	}
	if index < d.strayAt {
		fail(scan.CodeStrayCloser)
	}
	if firstAmbiguous > 0 && q.number > firstAmbiguous {
		fail(scan.CodeAfterAmbiguous)
	}
	q.Status = q.ownStatus()
	if q.Truncation != nil && !finish.Complete() && (q.Err == nil || scan.CodeAmbiguousValue.Before(q.Err.Code)) {
		q.Status, q.Err = StatusIncomplete, nil
	}
}
