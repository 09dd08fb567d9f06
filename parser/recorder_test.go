package parser_test

import (
	"fmt"
	"testing"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// merged is an event that owns its memory. Adjacent events with pieces of one text are joined.
type merged struct {
	Kind          parser.EventKind
	Request, Name string
	Data          string
	// Rest is the request, notice, reason or error of the event, as text.
	Rest string
}

// recorder collects the events of a reply.
type recorder struct {
	events []merged
	data   []byte // the data of the last event, to which further pieces are appended
}

func (r *recorder) add(events []parser.Event) {
	for _, e := range events {
		m := merged{Kind: e.Kind, Request: e.RequestID, Name: string(e.Name)}
		switch {
		case e.Request != nil:
			q := e.Request
			m.Rest = fmt.Sprintf("%s %v %v %v %q %v", q.Status, q.Span, q.Err, q.Repairs, q.Arguments, truncationOf(q))
		case e.Notice != nil:
			m.Rest = fmt.Sprint(*e.Notice)
		case e.Kind == parser.EventDropped || e.Kind == parser.EventError:
			m.Rest = fmt.Sprint(e.Reason, e.Err)
		}
		if n := len(r.events); n > 0 {
			last := &r.events[n-1]
			if isPiece(m.Kind) && last.Kind == m.Kind && last.Request == m.Request && last.Name == m.Name {
				r.data = append(r.data, e.Data...)
				continue
			}
		}
		r.endLast()
		r.data = append(r.data, e.Data...)
		r.events = append(r.events, m)
	}
}

// truncationOf returns where a request was truncated. At is -1 if it was not.
func truncationOf(q *parser.Request) parser.Truncation {
	if q.Truncation == nil {
		return parser.Truncation{At: -1}
	}
	return *q.Truncation
}

// endLast gives the last event its data.
func (r *recorder) endLast() {
	if n := len(r.events); n > 0 {
		r.events[n-1].Data = string(r.data)
		r.data = r.data[:0]
	}
}

// isPiece reports whether an event of kind k contains a piece of a longer text.
func isPiece(k parser.EventKind) bool {
	return k == parser.EventText || k == parser.EventReasoning || k == parser.EventArgumentDelta || k == parser.EventDropped
}

// feed reads input in pieces, cut at the offsets, and returns the events and the reply.
func feed(t testing.TB, proto protocol.Protocol, input string, cuts []int, o parser.Options) ([]merged, parser.Reply) {
	t.Helper()
	p, err := parser.New(proto, o)
	if err != nil {
		t.Fatal(err)
	}
	var r recorder
	var events []parser.Event
	start := 0
	for _, cut := range append(cuts, len(input)) {
		events = p.Feed(events[:0], []byte(input[start:cut]))
		r.add(events)
		start = cut
	}
	events, reply := p.Close(events[:0], o.Finish)
	r.add(events)
	r.endLast()
	return r.events, reply
}
