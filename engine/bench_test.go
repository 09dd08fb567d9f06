package engine_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// oneByOne is a model that makes one request in each reply, until it has made all.
type oneByOne struct {
	history  int // how many messages of the conversation come before the first reply
	requests []string
}

const lastWords = "They all said it."

func (m oneByOne) Stream(_ context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		text := lastWords
		// The prompt comes first, and each call adds two messages.
		if done := (len(req.Messages) - 1 - m.history) / 2; done < len(m.requests) {
			text = m.requests[done]
		}
		yield(engine.Delta{Text: text, Finished: true, Finish: protocol.FinishStop}, nil)
	}
}

// conversationOf returns a conversation of the given number of messages. It ends with a question.
func conversationOf(messages int) []protocol.Message {
	list := make([]protocol.Message, messages)
	for i := range list {
		list[i] = protocol.Message{Role: protocol.RoleUser, Content: "question"}
		if (messages-i)%2 == 0 {
			list[i] = protocol.Message{Role: protocol.RoleAssistant, Content: "answer"}
		}
	}
	return list
}

// turnFunc returns a function that runs a turn with the given number of calls. The conversation
// before the first reply has as many messages as history says.
func turnFunc(tb testing.TB, history, calls int) func() {
	return turnFuncAfter(tb, conversationOf(history), calls)
}

// turnFuncAfter returns a function that runs a turn with the given number of calls after msgs.
func turnFuncAfter(tb testing.TB, msgs []protocol.Message, calls int) func() {
	model := oneByOne{history: len(msgs)}
	for i := range calls {
		model.requests = append(model.requests, "Let me see. "+block(tb, "t_echo", "text", fmt.Sprint("call ", i)))
	}
	s := session(tb, registry(tb), model)
	return func() {
		lastText := ""
		for ev, err := range s.Run(tb.Context(), msgs) {
			if err != nil {
				tb.Fatal(err)
			}
			if ev.Kind == engine.EventIterationDone {
				lastText = ev.Iteration.Reply.Text.String()
			}
		}
		if lastText != lastWords {
			tb.Fatalf("the last reply is %q", lastText)
		}
	}
}

// leastIteration returns a function that does the least that an iteration needs: it reads a reply,
// and calls a function on a goroutine with a deadline. Benchmarks call its time the floor.
func leastIteration(tb testing.TB) func() {
	text := "Let me see. " + block(tb, "t_echo", "text", "call 1")
	return func() {
		reply, err := parser.ParseToolRequests(vcp.Protocol{}, text, parser.Options{Finish: protocol.FinishStop})
		if err != nil {
			tb.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(tb.Context(), time.Minute)
		defer cancel()
		done := make(chan string, 1)
		go func() { done <- reply.Requests[0].Arguments[0].Value }()
		select {
		case <-done:
		case <-ctx.Done():
			tb.Fatal(ctx.Err())
		}
	}
}

// manyCalls is how many calls the longer of two runs has.
const manyCalls = 8

// BenchmarkIteration measures one reply with one call, up to the next reply, over an in-process
// model. The result is the difference between a run with many calls and one with a single call,
// divided by the number of additional calls. Runs of both and of the floor take turns, and the
// fastest of each counts.
func BenchmarkIteration(b *testing.B) {
	for _, history := range []int{1, 10, 100, 1000} {
		b.Run(fmt.Sprintf("history=%d", history), func(b *testing.B) {
			const repeats = 8 // of each body before the next body runs
			bodies := []func(){turnFunc(b, history, 1), turnFunc(b, history, manyCalls), leastIteration(b)}
			var fastest [3]time.Duration
			for b.Loop() {
				for i, body := range bodies {
					start := time.Now()
					for range repeats {
						body()
					}
					if took := time.Since(start) / repeats; fastest[i] == 0 || took < fastest[i] {
						fastest[i] = took
					}
				}
			}
			const additionalCalls = manyCalls - 1
			allocs := func(i int) float64 { return testing.AllocsPerRun(100, bodies[i]) }
			b.ReportMetric(0, "ns/op") // omits this metric
			b.ReportMetric(float64(fastest[0]), "ns/run")
			b.ReportMetric(float64(fastest[1]-fastest[0])/additionalCalls, "ns/iteration")
			b.ReportMetric((allocs(1)-allocs(0))/additionalCalls, "allocs/iteration")
			b.ReportMetric(float64(fastest[2]), "ns/floor")
			b.ReportMetric(allocs(2), "allocs/floor")
		})
	}
}

// TestTheBenchmarksRun runs bodies of BenchmarkIteration once, to check that they work.
func TestTheBenchmarksRun(t *testing.T) {
	for _, history := range []int{1, 1000} {
		turnFunc(t, history, manyCalls)()
	}
	leastIteration(t)()
}

// TestAnIterationDoesNotCopyTheConversation checks that messages that the model has been shown are
// not copied for its next reply, even if there are many.
func TestAnIterationDoesNotCopyTheConversation(t *testing.T) {
	const calls = 4
	model := &script{}
	for i := range calls {
		model.replies = append(model.replies, says(block(t, "t_echo", "text", fmt.Sprint("call ", i))))
	}
	model.replies = append(model.replies, says(lastWords))
	msgs := conversationOf(1000)
	o := run(t, session(t, registry(t), model), msgs)
	require.Equal(t, engine.StopDone, o.stop)
	require.Len(t, model.asked, calls+1)
	first := model.asked[0].Messages
	for _, req := range model.asked[1:] {
		require.Same(t, &first[0], &req.Messages[0])
		require.True(t,
			slices.EqualFunc(first[1:], msgs, func(a, b protocol.Message) bool { return a.Content == b.Content }))
	}
}
