package markdown

import (
	"cmp"
	"slices"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// pieceKind says what a piece of a reply is.
type pieceKind uint8

const (
	pieceText pieceKind = iota // Markdown
	pieceReasoning
	pieceRequest
	pieceDropped // a result that the model fabricated, and what follows it
	pieceNotice
)

// piece is a part of a reply: text, reasoning, a request, a dropped part or a notice. span is its
// position in the reply. A notice comes at the end and has no position.
type piece struct {
	kind pieceKind
	span parser.Span
	card *card  // of a request or a notice
	html []byte // the HTML that a Stream has rendered; nil if it may change
}

// reading collects the pieces of a reply: from the parser's events while the reply arrives, and at
// its end from the parsed reply, whose statuses are final. The final pieces do not depend on how
// the reply was divided into chunks.
type reading struct {
	pieces []piece
	open   map[string]*card // requests that are being written, by the parser's id
}

// read divides a whole reply into pieces.
func read(p protocol.Protocol, o parser.Options, text []byte, finish protocol.FinishReason) ([]piece, error) {
	prs, err := parser.New(p, o)
	if err != nil {
		return nil, err
	}
	var r reading
	r.take(prs.Feed(nil, text))
	events, reply := prs.Close(nil, finish)
	r.take(events)
	r.settle(&reply, prs.Err())
	return r.pieces, nil
}

// take updates the pieces for events of the parser.
func (r *reading) take(events []parser.Event) {
	for i := range events {
		e := &events[i]
		span := parser.Span{Start: e.At, End: e.At + len(e.Data)}
		switch e.Kind {
		case parser.EventText:
			r.add(piece{kind: pieceText, span: span})
		case parser.EventReasoning:
			r.add(piece{kind: pieceReasoning, span: span})
		case parser.EventDropped:
			r.add(piece{kind: pieceDropped, span: span})
		case parser.EventRequestStarted:
			r.start(e.RequestID, string(e.Name))
		case parser.EventArgumentDelta:
			if c := r.open[e.RequestID]; c != nil {
				c.append(string(e.Name), e.Data)
			}
		case parser.EventArgumentVoided:
			if c := r.open[e.RequestID]; c != nil {
				c.void(string(e.Name))
			}
		case parser.EventRequestDone:
			r.done(e.Request)
		case parser.EventReclassified:
			r.reclassify()
		default: // notices and errors are rendered at the end
		}
	}
}

// add adds a piece. A piece without a card that continues the last one becomes part of it.
func (r *reading) add(p piece) {
	if k := len(r.pieces); k > 0 && p.card == nil {
		if last := &r.pieces[k-1]; last.kind == p.kind && last.span.End == p.span.Start {
			last.span.End, last.html = p.span.End, nil
			return
		}
	}
	r.pieces = append(r.pieces, p)
}

// start adds a request that the model has begun to write.
func (r *reading) start(id, name string) {
	if r.open == nil {
		r.open = map[string]*card{}
	}
	c := &card{kind: cardRequest, id: id, name: name, status: statusWriting, busy: true}
	r.open[id] = c
	r.pieces = append(r.pieces, piece{kind: pieceRequest, card: c})
}

// done replaces the card of a request that was being written with the card of the whole request. A
// quoted request, or one in reasoning, has no card.
func (r *reading) done(q *parser.Request) {
	live := isLive(q)
	c := r.open[q.ID]
	delete(r.open, q.ID)
	switch {
	case c != nil && live:
		*c = *requestCard(q)
	case c != nil:
		r.pieces = slices.DeleteFunc(r.pieces, func(p piece) bool { return p.card == c })
	case live:
		r.pieces = append(r.pieces, piece{kind: pieceRequest, span: q.Span, card: requestCard(q)})
	}
}

// reclassify makes all text so far reasoning, and removes the requests.
func (r *reading) reclassify() {
	r.pieces = slices.DeleteFunc(r.pieces, func(p piece) bool { return p.kind == pieceRequest })
	for i := range r.pieces {
		p := &r.pieces[i]
		if p.html = nil; p.kind == pieceText {
			p.kind = pieceReasoning
		}
	}
	clear(r.open)
}

// settle divides the reply into pieces again, because its end can change the status of requests.
// failed is the error of the protocol; nil if the protocol did not fail.
func (r *reading) settle(reply *parser.Reply, failed error) {
	var cards []piece
	for i := range reply.Dropped {
		cards = append(cards, piece{kind: pieceDropped, span: reply.Dropped[i].Span})
	}
	for i := range reply.Requests {
		if q := &reply.Requests[i]; isLive(q) {
			cards = append(cards, piece{kind: pieceRequest, span: q.Span, card: requestCard(q)})
		}
	}
	slices.SortStableFunc(cards, func(a, b piece) int { return cmp.Compare(a.span.Start, b.span.Start) })
	texts := slices.DeleteFunc(r.pieces, func(p piece) bool { return p.kind == pieceRequest || p.kind == pieceDropped })
	*r = merged(texts, cards)
	for i := range reply.Notices {
		n := &reply.Notices[i]
		r.pieces = append(r.pieces, piece{kind: pieceNotice, card: noticeCard(string(n.Code), n.Message)})
	}
	if failed != nil {
		r.pieces = append(r.pieces, piece{kind: pieceNotice, card: noticeCard("protocol error", failed.Error())})
	}
}

// merged returns a reading of texts and cards, both in the order of the reply. It removes the spans
// of the cards from the texts. The requests of one batch have the same span.
func merged(texts, cards []piece) (r reading) {
	for _, t := range texts {
		t.html = nil
		for len(cards) > 0 && cards[0].span.Start < t.span.End {
			c := cards[0]
			if t.span.Start < c.span.Start {
				r.add(piece{kind: t.kind, span: parser.Span{Start: t.span.Start, End: c.span.Start}})
			}
			t.span.Start = max(t.span.Start, c.span.End)
			r.add(c)
			cards = cards[1:]
		}
		if t.span.Start < t.span.End {
			r.add(t)
		}
	}
	for _, c := range cards {
		r.add(c)
	}
	return r
}

// isLive reports whether a request was meant to run: it is neither quoted nor in reasoning.
func isLive(q *parser.Request) bool {
	return q.Status != parser.StatusQuoted && q.Status != parser.StatusReasoning
}
