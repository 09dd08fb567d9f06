package parser

import (
	"slices"

	"github.com/vcpgo/vcp/protocol"
)

// save returns the state that Resume needs, or nil if the reply is not truncated in a request that
// can be continued.
func (p *Parser) save(finish protocol.FinishReason) *saved {
	b, d := p.block, &p.draft
	// If the text after the last whole field has affected anything else, that cannot be undone.
	if b == nil || p.failed != nil || protocol.ParseFinishReason(string(finish)) != protocol.FinishLength ||
		b.place != placeText || !b.live || b.unsure || b.oversize || b.affectsOthers ||
		d.dropping || p.text.examinedTo > b.wholeEnd {
		return nil
	}
	s := &saved{draft: *d, text: p.text, start: b.start, started: b.started, streamedTo: b.wholeEnd}
	if b.open && b.delta.sent > 0 && !b.delta.void {
		s.voided = &Event{Kind: EventArgumentVoided, RequestID: d.nextID(), Name: slices.Clone(b.nameOf(b.lastField()))}
	}
	s.draft.blocks-- // Resume begins the block again
	s.draft.events = nil
	s.draft.requests = slices.Clone(d.requests)
	s.draft.notices = slices.Clone(d.notices)
	s.draft.unsureNotices = slices.Clone(d.unsureNotices)
	s.draft.segments.parts = slices.Clone(d.segments.parts)
	s.draft.segments.kept = slices.Clone(d.segments.kept)
	if n := len(s.draft.segments.kept); n > 0 {
		// The reply of Close shares the memory after the last kept byte, so Resume must not write
		// there.
		last := &s.draft.segments.kept[n-1]
		*last = slices.Clip(*last)
	}
	return s
}

// Resume continues a reply that was truncated at the token limit. Before that, Close must have been
// called with protocol.FinishLength, or a word that means it, and have returned a last request
// whose Truncation is set. The parser continues at Truncation.At: the next pieces are what the
// model writes from that offset on, and replace what followed it. The events of Feed stay valid;
// the caller must not pass on those of Close. The event that Resume may append to dst withdraws the
// part of a value that was not whole.
//
// Only a request of status incomplete that has a whole field can be continued. In all other cases
// Resume returns false, and the parser accepts no more input until Reset. The requests of a
// continued block have Request.Fields.
func (p *Parser) Resume(dst []Event) (events []Event, ok bool) {
	s := p.saved
	if s == nil || p.failed != nil {
		return dst, false
	}
	p.closed, p.held, p.idle, p.extension = false, heldToken{}, 0, extension{}
	p.draft, p.text = s.draft, s.text
	p.w.buf, p.w.pos, p.w.atEOF = p.w.buf[:s.wholeEnd-p.w.base], s.start-p.w.base, false
	if p.draft.events = dst; s.voided != nil {
		p.draft.emit(*s.voided)
	}
	if err := guard(func() { p.abort(s.start) }); err != nil {
		p.guarded = false
		p.fail(err)
	}
	p.run()
	events, p.draft.events = p.draft.events, nil
	p.saved = nil
	b := p.block
	if p.failed != nil || b == nil || b.start != s.start || len(b.fields) != s.fields ||
		b.place != placeText || !b.live {
		p.closed = true
		p.releaseScanner()
		return events, false
	}
	return events, true
}
