package parser

import (
	"strconv"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// firstRequests is the initial capacity for the requests of a reply, and for the fields of a
// request.
const firstRequests = 8

// draft is the reply under construction: its parts, and its requests, whose statuses may still
// change. It emits an event for everything that is decided.
type draft struct {
	w       *window
	o       *Options
	proto   protocol.Protocol
	repairs repairSet

	segments segments
	events   []Event
	mute     bool // no events are wanted

	requests []pending
	notices  []Notice
	dropping bool // in a part that is dropped
	blocks   int  // number of blocks that began
	endedAt  int  // end of the last block
	// unread counts the requests over a limit, which are not reported one by one. unreadSpan
	// reaches from the first of their blocks to the last.
	unread     int
	unreadSpan Span

	// strayAt is the number of requests before a stray mark, which casts doubt on them. doubtAt is
	// the number of requests before a mark in code. That mark casts doubt only if an end mark
	// follows, or if the fence numbered doubtFence is never closed.
	strayAt, doubtAt, doubtFence int
	// unmarked is set if a value of a request may have been written without marks.
	unmarked bool
	// anyDefined is set if a request follows the mark of an open definition. unsureNotices are
	// notices about text after such a mark.
	anyDefined    bool
	unsureNotices []Notice
}

// placement is the place of a block, and whether it may run there.
type placement struct {
	place     place
	live      bool // it runs, as far as is known so far
	number    int  // ordinal of the block, from 1
	fence     int  // number of the fence that may contain it
	fenceRuns bool // the fence's info string marks its requests as meant to run
	defined   bool // it follows the mark of an open definition: it does not run if the definition ends
	barred    bool // no policy lets it run
}

// pending is a request whose status may still change.
type pending struct {
	Request
	placement
	// wasLive is set on a request that was live before it became reasoning. Such a request still
	// casts doubt on others. wasReady is set if it was ready, too.
	wasLive, wasReady bool
	repaired          uint64 // bit i: it needs repair i of the protocol's list
	// readErr is the error of the request alone: it does not depend on the place, or on what
	// follows the request.
	readErr    *scan.RequestError
	castsDoubt bool // it casts doubt on the requests after it, also without a readErr
}

func (d *draft) emit(e Event) {
	if !d.mute {
		d.events = append(d.events, e)
	}
}

// at returns the offset up to which the stream was divided into parts.
func (d *draft) at() int { return d.segments.end }

// add makes the next n bytes a part, and reports them.
func (d *draft) add(kind partKind, n int) {
	if n <= 0 {
		return
	}
	start := d.segments.end
	d.segments.add(kind, n, d.requestIndex())
	if d.mute {
		return
	}
	b := d.w.bytes(start, d.segments.end)
	switch kind {
	case partText, partQuoted:
		d.emit(Event{Kind: EventText, Data: b, At: start})
	case partReasoning, partInner:
		d.emit(Event{Kind: EventReasoning, Data: b, At: start})
	case partDropped:
		d.emit(Event{Kind: EventDropped, Data: b, At: start, Reason: DropFabricatedResult})
	}
}

// drop drops the text from an offset on, at which the line of a fabricated result begins.
func (d *draft) drop(from int) {
	d.dropping = true
	d.segments.drop(from)
}

// notice reports a remark on the text. If defined is set, the text follows the mark of an open
// definition. Then the remark is reported only if that definition never ends.
func (d *draft) notice(n Notice, defined bool) {
	if defined {
		d.unsureNotices = append(d.unsureNotices, n)
		return
	}
	d.notices = append(d.notices, n)
	d.emit(Event{Kind: EventNotice, Notice: &n})
}

// nextID returns the ID of the next request.
func (d *draft) nextID() string { return strconv.Itoa(len(d.requests) + 1) }

// pastLimit reports whether the open block is only counted, because the reply has too many blocks.
// The first block over the limit is still reported like any other.
func (d *draft) pastLimit() bool { return d.blocks > d.o.Limits.Blocks+1 }

// requestIndex returns the index of the next request. If a block is open, that is its first
// request. It returns noRequest if the open block is only counted.
func (d *draft) requestIndex() int {
	if d.pastLimit() {
		return noRequest
	}
	return len(d.requests)
}

// countUnread counts requests over a limit, which are not reported one by one.
func (d *draft) countUnread(n, start, end int) {
	if d.unread == 0 {
		d.unreadSpan.Start = start
	}
	d.unread += n
	d.unreadSpan.End = end
}

// runsAt reports whether the policies let a request at that place run, as far as is known when the
// request begins.
func (d *draft) runsAt(at place) bool {
	switch at {
	case placeText:
		return true
	case placeReasoning:
		return d.o.Reasoning == ReasoningRun
	}
	return d.o.Quoted == QuotedRun && at == placeFence
}

// requestError returns the error for a code, in the words of the protocol.
func (d *draft) requestError(code scan.ErrorCode) *scan.RequestError {
	e := &scan.RequestError{Code: code}
	err := guard(func() { e.Message = d.proto.ErrorMessage(code, protocol.PromptOptions{}) })
	if err != nil || e.Message == "" {
		e.Message = "the request cannot be read (" + string(code) + ")"
	}
	return e
}

// refusal returns the error of a request that needs the repairs in bits, which are not allowed.
func (d *draft) refusal(bits uint64) *scan.RequestError {
	message := ""
	for i, r := range d.repairs.list {
		if bits&(1<<i) != 0 {
			if message != "" {
				message += "; "
			}
			message += r.Doc + " (" + r.Name + ")"
		}
	}
	return &scan.RequestError{
		Code:    scan.CodeRepairRefused,
		Message: "the request has " + message + ", and repairing it is not allowed; write it exactly as the instructions say",
	}
}

// ownStatus returns the status of a request in a place that lets it run: invalid if the request has
// an error, otherwise ready.
func (q *pending) ownStatus() Status {
	if q.Err != nil {
		return StatusInvalid
	}
	return StatusReady
}

// reclassify makes all text and all requests so far reasoning, except requests over a limit, whose
// text is not stored.
func (d *draft) reclassify() {
	for i := range d.segments.parts {
		switch part := &d.segments.parts[i]; part.kind {
		case partText:
			part.kind = partReasoning
		case partRequest:
			if d.rawOf(part) != "" {
				part.kind = partInner
			}
		case partQuoted:
			part.kind = partInner
		}
	}
	ambiguous := false // an earlier request casts doubt on the later ones
	for i := range d.requests {
		q := &d.requests[i]
		if q.live && q.RawBlock == "" { // over a limit
			continue
		}
		// The fence around the request has ended, so its info string is known.
		autoRuns := d.o.Quoted == QuotedAuto && q.place == placeFence && q.fenceRuns
		q.barred = q.barred || q.place != placeReasoning && !autoRuns && !d.runsAt(q.place)
		mayRun := autoRuns || q.defined && d.runsAt(q.place) // the definition may turn out to have no end
		q.wasLive = q.wasLive || q.live || mayRun && !q.barred
		ambiguous = ambiguous || q.wasLive && q.castsDoubt
		q.wasReady = q.wasLive && q.readErr == nil && i >= d.strayAt && !ambiguous
		q.place, q.live = placeReasoning, d.o.Reasoning == ReasoningRun && !q.barred && !q.defined
	}
	d.emit(Event{Kind: EventReclassified})
}

// rawOf returns the raw block of the request that a part belongs to, or "" if it is not stored.
func (d *draft) rawOf(part *part) string {
	if part.request != noRequest && int(part.request) < len(d.requests) {
		return d.requests[part.request].RawBlock
	}
	return ""
}

// barDefined records the end of a definition. The requests between the definition's mark and its
// end are quoted, in any place.
func (d *draft) barDefined() {
	for i := len(d.requests) - 1; i >= 0 && d.anyDefined; i-- {
		if q := &d.requests[i]; q.defined {
			q.defined, q.barred, q.wasLive = false, true, false
		}
	}
	d.anyDefined = false
	d.unsureNotices = d.unsureNotices[:0]
}

// decideDefined handles the mark of a definition that is never closed as if it were text.
func (d *draft) decideDefined() {
	for i := range d.requests {
		if q := &d.requests[i]; q.defined {
			q.defined, q.live = false, !q.barred && d.runsAt(q.place)
		}
	}
	for _, n := range d.unsureNotices {
		d.notice(n, false)
	}
}
