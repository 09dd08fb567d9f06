package parser

import (
	"iter"
	"unsafe"

	"github.com/vcpgo/vcp/protocol"
)

// ParseToolRequests reads a whole reply, whose finish reason is o.Finish. It fails if an option is
// invalid or the protocol fails. Then the reply has no requests, and its text is the whole text.
func ParseToolRequests(proto protocol.Protocol, text string, o Options) (reply Reply, err error) {
	p := pool.Get().(*Parser)
	p.w.fixed, p.draft.mute = true, true
	if err := p.begin(proto, o); err != nil {
		return Reply{Text: newText(text), Finish: o.Finish}, err
	}
	p.w.buf = unsafe.Slice(unsafe.StringData(text), len(text))
	p.draft.segments.whole = text
	p.finish(&reply, o.Finish)
	p.releaseScanner()
	if err = p.failed; err == nil && p.holdsLittle() {
		p.clear()
		pool.Put(p)
	}
	return reply, err
}

// Feed reads the next piece of the reply, appends its events to dst and returns the extended slice.
// It does not keep the piece.
func (p *Parser) Feed(dst []Event, piece []byte) []Event {
	if p.closed || p.proto == nil {
		return dst
	}
	if p.extension.kind != extendNone {
		var ok bool
		if dst, ok = p.continueLast(dst, piece); ok {
			return dst
		}
	}
	p.draft.events = dst
	p.compact()
	p.w.buf = append(p.w.buf, piece...)
	p.run()
	p.prepareExtension()
	dst, p.draft.events = p.draft.events, nil
	return dst
}

// Close ends the reply with the model's finish reason, appends the last events to dst, and returns
// them and the reply. The parser accepts no more input until Reset or Resume. If it is closed
// again, only Finish is set in the reply.
func (p *Parser) Close(dst []Event, finish protocol.FinishReason) (events []Event, reply Reply) {
	if p.closed || p.proto == nil {
		return dst, Reply{Finish: finish}
	}
	p.draft.events = dst
	p.compact()
	p.saved = p.save(finish)
	p.finish(&reply, finish)
	if !p.saved.resumable(&reply) {
		p.saved = nil
		p.releaseScanner()
	}
	events, p.draft.events = p.draft.events, nil
	return events, reply
}

// finish reads the rest and fills in the reply, which is empty.
func (p *Parser) finish(reply *Reply, finish protocol.FinishReason) {
	p.w.atEOF = true
	p.reason = finish
	p.run()
	p.closed = true
	d := &p.draft
	switch {
	case p.w.fixed:
	case p.w.base == 0 && len(p.w.buf) <= firstBuffer: // one copy costs less than a copy of each part
		d.segments.whole = string(p.w.buf)
	default:
		d.segments.keep(p.w.buf, p.w.base)
	}
	reply.Finish, reply.Notices = finish, d.notices
	if p.failed != nil {
		reply.Text = d.segments.pieces(allKinds, "", d.rawOf)
		return
	}
	if len(d.requests) > 0 && !p.stopped { // their statuses depend on the code or definition open at the end
		p.text.follow(d.at(), d.at(), nextEOF)
	}
	d.settle(reply, &ending{
		finish: finish, definition: p.text.line.definition, fenced: p.text.line.fence.Run > 0, fence: p.text.fence,
		foreign: p.text.foreign,
	})
	d.write(reply)
	d.noticeBareCall(reply)
}

// Events reads the pieces of a reply and yields their events, and at the end an EventReply, whose
// ready requests may run. The finish reason is o.Finish. Data and Name of an event are valid until
// the next item. The first error, of the pieces or of an option, is the last item; then there is no
// reply. If the protocol failed, its error comes with the reply, which has no requests.
func Events(proto protocol.Protocol, pieces iter.Seq2[[]byte, error], o Options) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		p, err := New(proto, o)
		if err != nil {
			yield(Event{}, err)
			return
		}
		var events []Event
		for piece, err := range pieces {
			if err != nil {
				yield(Event{}, err)
				return
			}
			events = p.Feed(events[:0], piece)
			for _, e := range events {
				if !yield(e, nil) {
					return
				}
			}
		}
		events, reply := p.Close(events[:0], o.Finish)
		for _, e := range events {
			if !yield(e, nil) {
				return
			}
		}
		yield(Event{Kind: EventReply, Reply: &reply}, p.Err())
	}
}

// compact removes the beginning of the buffer if the parser no longer needs it.
func (p *Parser) compact() {
	keep, worth := p.w.needed()
	if !worth {
		return
	}
	keep = min(keep, p.draft.at())
	if b := p.block; b == nil && p.failed == nil && !p.stopped {
		t := &p.text
		t.follow(p.draft.at(), p.draft.at(), nextUnknown)
		t.countTicks(t.line.at)
		keep = min(keep, t.line.at, t.line.ticksAt)
	} else if b != nil {
		keep = min(keep, b.filler)
		if !b.oversize {
			keep = min(keep, b.start)
		}
	}
	if n := keep - p.w.base; n >= compactAt {
		p.draft.segments.keep(p.w.buf[:n], p.w.base)
		p.w.forget(n)
	}
}
