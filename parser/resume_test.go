package parser_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// replay collects the events of a reply that is read in pieces, as text, and removes those that are
// withdrawn.
type replay struct {
	text, reasoning, dropped strings.Builder
	started, done            []string
	arguments                map[string]string
}

func newReplay() *replay { return &replay{arguments: map[string]string{}} }

func (t *replay) add(events []parser.Event) {
	for _, e := range events {
		argument := e.RequestID + " " + string(e.Name)
		switch e.Kind {
		case parser.EventText:
			t.text.Write(e.Data)
		case parser.EventReasoning:
			t.reasoning.Write(e.Data)
		case parser.EventDropped:
			t.dropped.Write(e.Data)
		case parser.EventRequestStarted:
			t.started = append(t.started, argument)
		case parser.EventRequestDone:
			t.done = append(t.done, e.RequestID)
		case parser.EventArgumentDelta:
			t.arguments[argument] += string(e.Data)
		case parser.EventArgumentVoided:
			delete(t.arguments, argument)
		}
	}
}

func (t *replay) String() string {
	return fmt.Sprintf("text %q reasoning %q dropped %q started %q done %q arguments %q",
		t.text.String(), t.reasoning.String(), t.dropped.String(), t.started, t.done, t.arguments)
}

// checkResume feeds a parser input[:at] and the text other, as a reply that the token limit
// truncated. The continuation is the rest of the input, from the offset that Truncation.At names.
// checkResume compares the result with that of the whole input. It returns false if the reply
// cannot be continued, or if a part of other was read as a field.
func checkResume(t testing.TB, proto protocol.Protocol, input string, at int, other string, o parser.Options) bool {
	t.Helper()
	p, err := parser.New(proto, o)
	if err != nil {
		t.Fatal(err)
	}
	resumed := newReplay()
	resumed.add(p.Feed(nil, []byte(input[:at]+other)))
	_, truncated := p.Close(nil, protocol.FinishLength)
	events, ok := p.Resume(nil)
	if !ok {
		if _, again := p.Close(nil, protocol.FinishStop); len(again.Requests) > 0 {
			t.Fatalf("Close still returns requests after Resume returned false; input %q truncated at %d", input, at)
		}
		return false
	}
	cut := truncated.Requests[len(truncated.Requests)-1].Truncation
	if cut == nil {
		t.Fatalf("a reply is continued that was not truncated in a request; input %q truncated at %d", input, at)
	}
	if cut.At > at {
		return false // a part of the other text was read as a field
	}
	resumed.add(events)
	for i := cut.At; i < len(input); i += 7 {
		resumed.add(p.Feed(nil, []byte(input[i:min(len(input), i+7)])))
	}
	last, got := p.Close(nil, o.Finish)
	resumed.add(last)

	whole := newReplay()
	q, _ := parser.New(proto, o)
	for i := 0; i < len(input); i += 5 {
		whole.add(q.Feed(nil, []byte(input[i:min(len(input), i+5)])))
	}
	last, want := q.Close(nil, o.Finish)
	whole.add(last)
	compare := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Fatalf("truncated at %d and continued at %d, the %s differ (-whole +resumed):\n%s\ninput %q, options %+v",
				at, cut.At, what, cmp.Diff(want, got), input, o)
		}
	}
	compare("replies", string(got.AppendJSON(nil)), string(want.AppendJSON(nil)))
	compare("events", resumed.String(), whole.String())
	return true
}

// runeStart returns the offset of the rune that contains the byte s[at]. A program that feeds a
// parser waits for whole runes, so no reply is truncated inside a rune.
func runeStart(s string, at int) int {
	for at > 0 && at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}

// A reply that was truncated and continued reads as the reply in one piece.
func TestAResumedReplyReadsAsInOnePiece(t *testing.T) {
	for _, s := range subjects {
		t.Run(s.proto.ID(), func(t *testing.T) {
			continued := 0
			for i := range longtest.Count(600, 20_000) {
				rnd := rand.New(rand.NewPCG(11, uint64(i)))
				input := s.draw(t, rnd).text
				if rnd.IntN(3) == 0 {
					input = drawFrom(rnd, s.pieces) + s.call + drawFrom(rnd, s.pieces)
				}
				o := drawOptions(rnd)
				for range 8 {
					other := ""
					if rnd.IntN(2) == 0 {
						other = drawFrom(rnd, s.pieces)
					}
					if checkResume(t, s.proto, input, runeStart(input, rnd.IntN(len(input)+1)), other, o) {
						continued++
					}
				}
			}
			if least := 100; continued < least {
				t.Errorf("only %d replies could be continued, want at least %d", continued, least)
			}
		})
	}
}

// FuzzResume checks that a reply that was truncated and continued reads as the reply in one piece.
func FuzzResume(f *testing.F) {
	for _, s := range subjects {
		f.Add("Well. "+s.call+" and "+s.call, uint16(60), "x", uint64(0))
	}
	f.Fuzz(func(t *testing.T, input string, at uint16, other string, random uint64) {
		rnd := rand.New(rand.NewPCG(random, 1))
		for _, s := range subjects {
			o := drawOptions(rnd)
			drawLimited(rnd.Uint64(), &o)
			checkResume(t, s.proto, input, runeStart(input, int(at)%(len(input)+1)), other, o)
		}
	})
}

func TestResumeNeedsATruncatedRequest(t *testing.T) {
	for _, s := range subjects {
		for name, c := range map[string]struct {
			text   string
			finish protocol.FinishReason
		}{
			"text":                         {"Well.", protocol.FinishLength},
			"a whole request":              {s.call, protocol.FinishLength},
			"a reply that the model ended": {s.call[:len(s.call)-2], protocol.FinishStop},
			"a lost connection":            {s.call[:len(s.call)-2], protocol.FinishUnknown},
			"a quoted request":             {"```\n" + s.call[:len(s.call)-2], protocol.FinishLength},
			"before a first field":         {s.call[:22], protocol.FinishLength}, // in each form the tool name follows later
		} {
			t.Run(s.proto.ID()+"/"+name, func(t *testing.T) {
				p, err := parser.New(s.proto, parser.Options{})
				if err != nil {
					t.Fatal(err)
				}
				p.Feed(nil, []byte(c.text))
				p.Close(nil, c.finish)
				if events, ok := p.Resume(nil); ok || len(events) > 0 {
					t.Errorf("the reply was continued (%t) with the events %v", ok, events)
				}
			})
		}
	}
}
