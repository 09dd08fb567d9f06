package protocoltest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// ownedEvent is an event that owns its memory. Adjacent pieces of the same text, reasoning,
// argument or dropped part are joined into one event.
type ownedEvent struct {
	kind                parser.EventKind
	request, name, data string
}

// stream is a reply that is being read.
type stream struct {
	parser *parser.Parser
	text   []byte // what was read
	events []ownedEvent
	buffer []parser.Event
}

func (s *subject) stream(o parser.Options) *stream { return &stream{parser: s.newParser(o)} }

// feed reads the next piece.
func (st *stream) feed(piece string) {
	st.text = append(st.text, piece...)
	st.buffer = st.parser.Feed(st.buffer[:0], []byte(piece))
	st.collect()
}

// end returns all events and the reply. It panics with a failure if the reply cannot be read.
func (st *stream) end(finish protocol.FinishReason) ([]ownedEvent, parser.Reply) {
	var reply parser.Reply
	st.buffer, reply = st.parser.Close(st.buffer[:0], finish)
	st.collect()
	if err := st.parser.Err(); err != nil {
		panic(failure{fmt.Errorf("reading %q in pieces failed: %w", st.text, err)})
	}
	return st.events, reply
}

// collect adds the events of the last piece.
func (st *stream) collect() {
	for _, e := range st.buffer {
		if n := len(st.events); n > 0 && st.events[n-1].joins(e) {
			st.events[n-1].data += string(e.Data)
			continue
		}
		st.events = append(st.events, ownedEvent{e.Kind, e.RequestID, string(e.Name), string(e.Data)})
	}
}

// feed reads a reply in pieces, split at the offsets in cuts, and returns the events and the reply.
func (s *subject) feed(text string, cuts []int, o parser.Options) ([]ownedEvent, parser.Reply) {
	st := s.stream(o)
	at := 0
	for _, cut := range append(slices.Clone(cuts), len(text)) {
		st.feed(text[at:cut])
		at = cut
	}
	return st.end(o.Finish)
}

// joins reports whether the next event continues e.
func (e *ownedEvent) joins(next parser.Event) bool {
	switch next.Kind {
	case parser.EventText, parser.EventReasoning, parser.EventArgumentDelta, parser.EventDropped:
		return e.kind == next.Kind && e.request == next.RequestID && e.name == string(next.Name)
	}
	return false
}

// interleaved reads several replies at the same time, byte by byte in turn, and compares each with
// the same reply read alone.
func interleaved(s *subject) error {
	const replies, rounds = 4, 8
	for range rounds {
		var texts [replies]string
		var streams [replies]*stream
		o := parser.Options{Finish: protocol.FinishStop, Logger: quiet}
		longest := 0
		for i := range texts {
			texts[i] = "Let me look.\n" + s.must(s.request()) + "\nDone."
			longest = max(longest, len(texts[i]))
			streams[i] = s.stream(o)
		}
		for at := range longest {
			for i, text := range texts {
				if at < len(text) {
					streams[i].feed(text[at : at+1])
				}
			}
		}
		for i, text := range texts {
			_, got := streams[i].end(o.Finish)
			want := s.read(text, o)
			if !sameReply(&want, &got) {
				return fmt.Errorf("read together with others, a reply reads differently\ninput    %q\nalone    %s\ntogether %s",
					text, want.AppendJSON(nil), got.AppendJSON(nil))
			}
		}
	}
	return nil
}

// sameReply reports whether two replies are equal, apart from Finish, Truncation and Fields.
func sameReply(a, b *parser.Reply) bool {
	sameRequests := slices.EqualFunc(a.Requests, b.Requests, func(q, r parser.Request) bool {
		return q.ID == r.ID && q.Span == r.Span && q.RawBlock == r.RawBlock && q.Status == r.Status &&
			q.ToolName == r.ToolName && q.Command == r.Command && q.Label == r.Label &&
			slices.Equal(q.Arguments, r.Arguments) && slices.Equal(q.Repairs, r.Repairs) &&
			(q.Err == nil) == (r.Err == nil) && (q.Err == nil || *q.Err == *r.Err)
	})
	return sameRequests && a.Text.Equal(b.Text) && a.Reasoning == b.Reasoning &&
		slices.Equal(a.Dropped, b.Dropped) && slices.Equal(a.Notices, b.Notices)
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

// sameRequest reports whether the request that was read means the request that was written. A
// protocol may turn a plain argument into a JSON string with that text. It may also turn a JSON
// string into its text, and any JSON value into plain text of the same bytes.
func sameRequest(written, read *protocol.ToolRequest) bool {
	if written.ToolName != read.ToolName || written.Command != read.Command || written.Label != read.Label ||
		len(written.Arguments) != len(read.Arguments) {
		return false
	}
	for i, a := range written.Arguments {
		b := read.Arguments[i]
		same := a.Value == b.Value
		switch {
		case a.Form == protocol.FormPlain && b.Form == protocol.FormJSON:
			same = isString(b.Value, a.Value)
		case a.Form == protocol.FormJSON && b.Form == protocol.FormPlain:
			same = same || isString(a.Value, b.Value)
		case a.Form == protocol.FormJSON:
			same = compact(a.Value) == compact(b.Value)
		}
		if a.Name != b.Name || !same {
			return false
		}
	}
	return true
}

// isString reports whether value is the JSON string that means text.
func isString(value, text string) bool {
	var got string
	return strings.HasPrefix(value, `"`) && json.Unmarshal([]byte(value), &got) == nil && got == text
}

// compact returns a JSON value without white space around its parts, and other text as it is.
func compact(value string) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(value)) != nil {
		return value
	}
	return b.String()
}
