package parser

import (
	"strconv"

	"github.com/vcpgo/vcp/protocol"
)

// firstRequests is how many requests of a reply, and fields of a request, there is room for at
// first.
const firstRequests = 8

// draft is the reply under construction: what became of its bytes, and the requests in it, whose
// statuses may still change. It tells of what is settled.
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
	dropping bool // inside what is dropped
	blocks   int  // how many blocks have begun
	endedAt  int  // where the last one ends
	// unread counts the requests past a limit, which are not reported one by one. unreadSpan is
	// from the first of their blocks to the last.
	unread     int
	unreadSpan Span

	// strayAt is how many requests a stray mark after them has cast doubt on. doubtAt is the same
	// for a mark in code: it counts if an end mark follows, or if the fence numbered doubtFence is
	// never closed.
	strayAt, doubtAt, doubtFence int
	// unmarked is set if a value of a request may have been written without marks.
	unmarked bool
	// anyDefined is set if a request follows the mark of a definition that is open. unsureNotices
	// are notices of such places.
	anyDefined    bool
	unsureNotices []Notice
}

// standing is where a block stands, and whether it may run there.
type standing struct {
	place   place
	live    bool // it runs, as far as is known
	number  int  // ordinal of the block, from 1
	fence   int  // number of the fence that it may stand in
	asked   bool // the fence's info string asks for its requests to run
	defined bool // it follows the mark of a definition that is open: it does not run if that has an end
	barred  bool // no policy lets it run
}

// pending is a request whose status may still change.
type pending struct {
	Request
	standing
	// wasLive is set on a request that has become reasoning: a doubt that it casts on others stays.
	wasLive  bool
	repaired uint64 // its repairs, as bits
	// readErr is what is wrong with the request as it was read, wherever it stands.
	readErr *protocol.RequestError
	doubted bool // it casts doubt on the requests after it, whatever readErr says
}

func (d *draft) emit(e Event) {
	if !d.mute {
		d.events = append(d.events, e)
	}
}

// at is the offset up to which it is known what became of the stream.
func (d *draft) at() int { return d.segments.end }

// add says what became of the next n bytes, and tells of them.
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
		d.emit(Event{Kind: EventText, Data: b})
	case partReasoning, partInner:
		d.emit(Event{Kind: EventReasoning, Data: b})
	case partDropped:
		d.emit(Event{Kind: EventDropped, Data: b, Reason: DropFabricatedResult})
	}
}

// drop drops the text from the offset from on: the line of a fabricated result.
func (d *draft) drop(from int) {
	d.dropping = true
	d.segments.drop(from)
}

// notice tells of something in the text. If that may be part of a definition, it is told of when
// there turns out to be none.
func (d *draft) notice(n Notice, defined bool) {
	if defined {
		d.unsureNotices = append(d.unsureNotices, n)
		return
	}
	d.notices = append(d.notices, n)
	d.emit(Event{Kind: EventNotice, Notice: &n})
}

// nextID is the ID of the request to come.
func (d *draft) nextID() string { return strconv.Itoa(len(d.requests) + 1) }

// pastLimit reports whether the open block is not reported by itself. Of the blocks past the limit
// only the first is.
func (d *draft) pastLimit() bool { return d.blocks > d.o.Limits.Blocks+1 }

// requestIndex is the index of the request to come, or of the open block's first.
func (d *draft) requestIndex() int {
	if d.pastLimit() {
		return noRequest
	}
	return len(d.requests)
}

// leaveUnread counts requests past a limit, which are not reported one by one.
func (d *draft) leaveUnread(n, start, end int) {
	if d.unread == 0 {
		d.unreadSpan.Start = start
	}
	d.unread += n
	d.unreadSpan.End = end
}

// runsAt reports whether a request at such a place runs by the policies, as far as can be told when
// it begins.
func (d *draft) runsAt(at place) bool {
	switch at {
	case placeText:
		return true
	case placeReasoning:
		return d.o.Reasoning == ReasoningRun
	}
	return d.o.Quoted == QuotedRun && at == placeFence
}

// requestError is the error of a code, in the words of the protocol.
func (d *draft) requestError(code protocol.ErrorCode) *protocol.RequestError {
	e := &protocol.RequestError{Code: code}
	if err := guard(func() { e.Message = d.proto.ErrorMessage(code) }); err != nil || e.Message == "" {
		e.Message = "the request cannot be read (" + string(code) + ")"
	}
	return e
}

// refusal is the error of a request that needs repairs which are not allowed.
func (d *draft) refusal(bits uint64) *protocol.RequestError {
	message := ""
	for i, r := range d.repairs.list {
		if bits&(1<<i) != 0 {
			if message != "" {
				message += "; "
			}
			message += r.Doc + " (" + r.Name + ")"
		}
	}
	return &protocol.RequestError{
		Code:    protocol.CodeRepairRefused,
		Message: "the request has " + message + ", which is not mended here; write it exactly as the instructions say",
	}
}

func (q *pending) ownStatus() protocol.Status {
	if q.Err != nil {
		return protocol.StatusInvalid
	}
	return protocol.StatusReady
}

// reclassify makes all before it reasoning, except requests past a limit: what was taken out of the
// text for them is not stored.
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
	for i := range d.requests {
		q := &d.requests[i]
		if q.live && q.RawBlock == "" {
			continue
		}
		// Its fence has ended. What asks for its requests to run is known already.
		asked := d.o.Quoted == QuotedAuto && q.place == placeFence && q.asked
		q.barred = q.barred || q.place != placeReasoning && !asked && !d.runsAt(q.place)
		q.wasLive = q.wasLive || q.live || (asked || q.defined && d.runsAt(q.place)) && !q.barred // a definition may have no end
		q.place, q.live = placeReasoning, d.o.Reasoning == ReasoningRun && !q.barred && !q.defined
	}
	d.emit(Event{Kind: EventReclassified})
}

// rawOf returns the text of a request that was taken out.
func (d *draft) rawOf(part *part) string {
	if part.request != noRequest && int(part.request) < len(d.requests) {
		return d.requests[part.request].RawBlock
	}
	return ""
}

// barDefined takes note of a definition's end: the requests between it and the definition's mark
// are quoted, wherever it stands.
func (d *draft) barDefined() {
	for i := len(d.requests) - 1; i >= 0 && d.anyDefined; i-- {
		if q := &d.requests[i]; q.defined {
			q.defined, q.barred, q.wasLive = false, true, false
		}
	}
	d.anyDefined = false
	d.unsureNotices = d.unsureNotices[:0]
}

// decideDefined reads what follows the mark of a definition that is never closed as if the mark
// were not there: it was mentioned.
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
