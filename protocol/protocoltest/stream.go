package protocoltest

import (
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// told is an event that owns its memory. Adjacent pieces of one thing are joined.
type told struct {
	kind                parser.EventKind
	request, name, data string
}

// feed reads a reply in pieces, cut at the offsets, and returns the events and the reply.
func (s *subject) feed(text string, cuts []int, o parser.Options) ([]told, parser.Reply, error) {
	p, err := parser.New(s.Protocol, o)
	if err != nil {
		return nil, parser.Reply{}, err
	}
	var all []told
	var events []parser.Event
	note := func() {
		for _, e := range events {
			if n := len(all); n > 0 && all[n-1].joins(e) {
				all[n-1].data += string(e.Data)
				continue
			}
			all = append(all, told{e.Kind, e.RequestID, string(e.Name), string(e.Data)})
		}
	}
	at := 0
	for _, cut := range append(slices.Clone(cuts), len(text)) {
		events = p.Feed(events[:0], []byte(text[at:cut]))
		note()
		at = cut
		if s.yields {
			runtime.Gosched()
		}
	}
	events, reply := p.Close(events[:0], o.Finish)
	note()
	return all, reply, p.Err()
}

func (t *told) joins(e parser.Event) bool {
	switch e.Kind {
	case parser.EventText, parser.EventReasoning, parser.EventArgumentDelta, parser.EventDropped:
		return t.kind == e.Kind && t.request == e.RequestID && t.name == string(e.Name)
	}
	return false
}

// sameReply compares everything in two replies.
func sameReply(a, b *parser.Reply) bool {
	return a.Text.Equal(b.Text) && a.Reasoning == b.Reasoning && slices.Equal(a.Dropped, b.Dropped) && slices.Equal(a.Notices, b.Notices) &&
		slices.EqualFunc(a.Requests, b.Requests, func(q, r parser.Request) bool {
			return q.ID == r.ID && q.Span == r.Span && q.RawBlock == r.RawBlock && q.Status == r.Status && q.ToolName == r.ToolName &&
				q.Command == r.Command && q.Label == r.Label && slices.Equal(q.Arguments, r.Arguments) && slices.Equal(q.Repairs, r.Repairs) &&
				(q.Err == nil) == (r.Err == nil) && (q.Err == nil || *q.Err == *r.Err)
		})
}

func everyOffset(text string) []int {
	var cuts []int
	for i := 1; i < len(text); i++ {
		cuts = append(cuts, i)
	}
	return cuts
}

func someOffsets(rnd *rand.Rand, text string) []int {
	var cuts []int
	for at := rnd.IntN(9); at < len(text); at += 1 + rnd.IntN(30) {
		cuts = append(cuts, at)
	}
	return cuts
}

// ready returns the requests of a reply that may run.
func ready(r *parser.Reply) []protocol.ToolRequest {
	var list []protocol.ToolRequest
	for _, q := range r.Ready() {
		list = append(list, q.ToolRequest)
	}
	return list
}
