package parser_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/qwencoder"
)

// reportedRequest collects the events of one request.
type reportedRequest struct {
	name   string
	starts int
	done   []parser.Request
	// arguments are the deltas, by the argument's name. voided contains the names of those that
	// were withdrawn.
	arguments map[string]string
	voided    map[string]bool
}

// checkReported checks law 5 of docs/dialect.md, section 6. Apart from statuses, the events of a
// request agree with the request that Close returns, or with its beginning. The text of events is
// in the input, at the offset that they name.
func checkReported(t testing.TB, proto protocol.Protocol, input string, cuts []int, o parser.Options) {
	t.Helper()
	p, err := parser.New(proto, o)
	if err != nil {
		t.Fatal(err)
	}
	requests := map[string]*reportedRequest{}
	text := ""
	collect := func(events []parser.Event) {
		for _, e := range events {
			if e.Kind == parser.EventText || e.Kind == parser.EventReasoning || e.Kind == parser.EventDropped {
				text += string(e.Data)
				if input[e.At:e.At+len(e.Data)] != string(e.Data) {
					t.Fatalf("%v %q is not at the offset %d; input %q", e.Kind, e.Data, e.At, input)
				}
			}
			if e.RequestID == "" {
				continue
			}
			q := requests[e.RequestID]
			if q == nil {
				q = &reportedRequest{arguments: map[string]string{}, voided: map[string]bool{}}
				requests[e.RequestID] = q
			}
			if e.Kind != parser.EventRequestDone && len(q.done) > 0 {
				t.Fatalf("%v of request %s comes after %v; input %q",
					e.Kind, e.RequestID, parser.EventRequestDone, input)
			}
			q.add(&e)
		}
	}
	var events []parser.Event
	start := 0
	for _, cut := range append(cuts, len(input)) {
		events = p.Feed(events[:0], []byte(input[start:cut]))
		collect(events)
		start = cut
	}
	events, reply := p.Close(events[:0], o.Finish)
	collect(events)

	if !isSubsequence(text, input) {
		t.Fatalf("the reported text is not in the input:\n%q\ninput %q", text, input)
	}
	for i := range reply.Requests {
		q := &reply.Requests[i]
		if requests[q.ID] == nil {
			t.Fatalf("nothing was reported of request %s; input %q", q.ID, input)
		}
		inBatch := i > 0 && reply.Requests[i-1].Span == q.Span ||
			i+1 < len(reply.Requests) && reply.Requests[i+1].Span == q.Span
		requests[q.ID].check(t, q, inBatch, input)
		delete(requests, q.ID)
	}
	for id := range requests {
		t.Fatalf("request %s was reported, and is not in the reply; input %q", id, input)
	}
}

func (q *reportedRequest) add(e *parser.Event) {
	name := string(e.Name)
	switch e.Kind {
	case parser.EventRequestStarted:
		q.starts++
		q.name = name
	case parser.EventArgumentDelta:
		q.arguments[name] += string(e.Data)
	case parser.EventArgumentVoided:
		q.voided[name] = true
	case parser.EventRequestDone:
		q.done = append(q.done, *e.Request)
	}
}

// check compares the events with the request that Close returns.
func (q *reportedRequest) check(t testing.TB, final *parser.Request, inBatch bool, input string) {
	t.Helper()
	if len(q.done) != 1 || q.starts > 1 {
		t.Fatalf("request %s was reported as started %d times and as done %d times; input %q",
			final.ID, q.starts, len(q.done), input)
	}
	done := q.done[0]
	same := done.Span == final.Span && truncationOf(&done) == truncationOf(final) &&
		slices.Equal(done.Repairs, final.Repairs)
	if d := cmp.Diff(done.ToolRequest, final.ToolRequest, replyOptions); d != "" || !same {
		t.Fatalf("request %s changed after it was done (-done +final):\n%s\ninput %q", final.ID, d, input)
	}
	if q.starts == 1 && q.name != final.ToolName {
		t.Fatalf("request %s was started as %q and is %q; input %q", final.ID, q.name, final.ToolName, input)
	}
	// A batch reports its arguments with the ID of its first request. A request that is not ready
	// may have reported a part of them.
	if inBatch || final.Status != parser.StatusReady {
		return
	}
	for name, value := range q.arguments {
		if q.voided[name] {
			continue
		}
		values := valuesNamed(final, name)
		if len(values) != 1 || !isRepeated(values[0], value) {
			t.Fatalf("argument %q of request %s was reported as %q and read as %q; input %q",
				name, final.ID, value, values, input)
		}
	}
}

// isRepeated reports whether reported is value, once or repeated, because an argument that is
// written twice with one value is listed once (F7).
func isRepeated(value, reported string) bool {
	return reported == value || value != "" && strings.ReplaceAll(reported, value, "") == ""
}

// valuesNamed returns the values of the arguments with that name. The name is a key as written: one
// that means "command" has the value of the command.
func valuesNamed(q *parser.Request, name string) (values []string) {
	for _, a := range q.Arguments {
		if a.Name == name {
			values = append(values, a.Value)
		}
	}
	if key := strings.ToLower(strings.TrimRight(name, "0123456789")); len(values) == 0 && key == "command" {
		values = append(values, q.Command)
	}
	return values
}

// isSubsequence reports whether whole contains all bytes of part in order.
func isSubsequence(part, whole string) bool {
	for i := 0; i < len(whole) && part != ""; i++ {
		if whole[i] == part[0] {
			part = part[1:]
		}
	}
	return part == ""
}

// A parameter before the first function belongs to a call without a name (Q18).
func TestEventsOfACallWithoutANameAreFinal(t *testing.T) {
	const input = "<tool_call><parameter=y>\n2\n</parameter>\n<function=a_b>\n</function>\n</tool_call>"
	checkReported(t, qwencoder.Protocol{}, input, nil, parser.Options{})
}

func TestEventsOfGeneratedRequestsAreFinal(t *testing.T) {
	rnd := rand.New(rand.NewPCG(22, 23))
	for range longtest.Count(300, 2000) {
		for _, s := range subjects {
			for _, pieces := range [][]string{s.pieces, wholeLines(s.call)} {
				input, o := drawFrom(rnd, pieces), drawOptions(rnd)
				checkReported(t, s.proto, input, someCuts(rnd, input), o)
			}
			m := s.draw(t, rnd)
			checkReported(t, s.proto, m.text, someCuts(rnd, m.text), drawOptions(rnd))
		}
	}
}

// FuzzFinalAtClose checks that the events of a request stay valid (docs/dialect.md, section 6, law
// 5).
func FuzzFinalAtClose(f *testing.F) {
	seedAll(f)
	f.Fuzz(func(t *testing.T, input string, random uint64) {
		rnd := rand.New(rand.NewPCG(random, 0))
		o := drawOptions(rnd)
		drawLimited(random, &o)
		for _, s := range subjects {
			checkReported(t, s.proto, input, someCuts(rnd, input), o)
		}
	})
}
