package engine_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/tool"
)

// activity records who is at work (the model, the approver or tools), and when the model was asked.
// It is safe for concurrent use.
type activity struct {
	mu     sync.Mutex
	active map[string]int // how many of each are at work
	asked  []time.Time
	calls  map[string]int // how many times a tool was called, by request ID
}

func (a *activity) begin(who string) (end func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.active[who]++
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.active[who]--
	}
}

// current returns who is at work. If several are, it returns the one that the others wait for.
func (a *activity) current() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, who := range []string{"tool", "approver", "model"} {
		if a.active[who] > 0 {
			return who
		}
	}
	return "nobody"
}

// watched is a model that records when it was asked.
type watched struct {
	engine.Model
	activity *activity
}

func (w watched) Stream(ctx context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		w.activity.mu.Lock()
		w.activity.asked = append(w.activity.asked, time.Now())
		w.activity.mu.Unlock()
		defer w.activity.begin("model")()
		for d, err := range w.Model.Stream(ctx, req) {
			if !yield(d, err) {
				return
			}
		}
	}
}

// TestARunStopsAtAnyMoment cancels a run over HTTP at 100 random moments, which a fixed seed
// determines. At such a moment a model streams, an approval is awaited or tools run; some tools end
// with their context and some do not. The model is not asked again, and each call that has begun
// has one result. Nothing keeps running: a goroutine that kept running would make synctest fail.
func TestARunStopsAtAnyMoment(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	atWork := map[string]int{} // at how many of the moments the model, the approver or a tool was at work
	for range 100 {
		parallel := random.IntN(2) == 0
		// A run takes at least three times 340 ms, and everything in it happens at multiples of
		// 10 ms. Half of the moments are such multiples and may coincide with other events.
		moment := time.Duration(random.IntN(99)) * 10 * time.Millisecond
		if random.IntN(2) == 0 {
			moment += time.Duration(random.IntN(10_000)) * time.Microsecond
		}
		t.Run(fmt.Sprintf("%v parallel %t", moment, parallel), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { atWork[stopAt(t, moment, parallel)]++ })
		})
	}
	for _, who := range []string{"model", "approver", "tool"} {
		require.GreaterOrEqual(t, atWork[who], 15, "moments while the %s is at work, of %v", who, atWork)
	}
}

// stopAt cancels a run after the time moment, and returns who was at work.
func stopAt(t *testing.T, moment time.Duration, parallel bool) (who string) {
	var script []modelserver.Reply
	for n := range 3 {
		text := "One. " + block(t, "t_work", "text", strconv.Itoa(n)) + block(t, "t_erase", "text", "b") +
			block(t, "t_deaf", "text", "c") + " That is all."
		first, rest, _ := strings.Cut(text, "t_erase") // within a request
		reply := modelserver.Pieces("Now. ", first, "t_erase"+rest)
		reply.Pause = 20 * time.Millisecond
		script = append(script, reply)
	}
	server, httpClient := modelserver.Pipe(t, script...)
	client, err := model.New(model.Options{
		BaseURL: server.URL, Model: "scripted", HTTPClient: httpClient, Logger: quiet,
	})
	require.NoError(t, err)

	a := &activity{active: map[string]int{}, calls: map[string]int{}}
	works := func(d time.Duration) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (tool.Output, error) {
			defer a.begin("tool")()
			a.mu.Lock()
			a.calls[c.ID]++
			a.mu.Unlock()
			c.Progress("at work")
			select {
			case <-time.After(d):
				return tool.Output{Text: "done"}, nil
			case <-ctx.Done():
				return tool.Output{}, ctx.Err()
			}
		}
	}
	ignoresCancel := func(handler tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (tool.Output, error) {
			return handler(context.WithoutCancel(ctx), c)
		}
	}
	reg := registry(t, method(t, "work", works(100*time.Millisecond)),
		method(t, "deaf", ignoresCancel(works(60*time.Millisecond))),
		method(t, "erase", works(40*time.Millisecond), tool.WithRisk(tool.RiskDangerous)))
	session := session(t, reg, watched{client, a}, func(o *engine.Options) {
		o.Config.ParallelExecution = parallel
		o.Approver = executor.Approver(func(ctx context.Context, q executor.Question) (executor.Answer, error) {
			defer a.begin("approver")()
			select {
			case <-time.After(180 * time.Millisecond):
				return q.Allow(), nil
			case <-ctx.Done():
				return executor.Answer{}, ctx.Err()
			}
		})
	})

	ctx, cancel := context.WithCancelCause(t.Context())
	pressed := errors.New("stop was pressed")
	var stopped time.Time
	time.AfterFunc(moment, func() {
		stopped, who = time.Now(), a.current()
		cancel(pressed)
	})
	started, done := map[string]int{}, map[string]int{}
	var o outcome
	for ev, err := range session.Run(ctx, question) {
		o.add(ev)
		o.err = err
		switch ev.Kind {
		case engine.EventToolStarted:
			started[ev.RequestID]++
		case engine.EventToolDone:
			done[ev.RequestID]++
		}
	}
	require.Equal(t, engine.StopCanceled, o.stop)
	require.ErrorIs(t, o.err, pressed)

	a.mu.Lock()
	defer a.mu.Unlock()
	for _, at := range a.asked {
		require.False(t, at.After(stopped), "the model was asked %v after stop was pressed", at.Sub(stopped))
	}
	require.LessOrEqual(t, len(server.Requests()), len(a.asked))
	require.Equal(t, map[string]int{}, positive(a.active), "who is still at work")
	ran := maps.Clone(started)
	for _, iteration := range o.iterations {
		for _, r := range iteration.Results {
			if r.ErrorType == executor.ErrorCanceled && strings.Contains(r.ToolResult.Result, "before it ran") {
				delete(ran, r.ID) // canceled after its start was reported and before the tool was called
			}
		}
	}
	require.Equal(t, ran, a.calls, "each reported call ran once")
	for id := range started {
		require.Equal(t, 1, done[id], "results of %s", id)
	}
	for _, iteration := range o.iterations {
		if len(iteration.Results) == 0 {
			require.NotContains(t, iteration.Assistant.Content, "TOOL_REQUEST", "no request stays without its result")
			continue
		}
		require.Len(t, iteration.Results, len(iteration.Requests))
		require.Len(t, results(t, *iteration.ResultMessage), len(iteration.Requests))
		for _, r := range iteration.Results {
			require.Equal(t, 1, done[r.ID])
		}
	}
	return who
}

// positive returns the counts that are not 0.
func positive(counts map[string]int) map[string]int {
	out := map[string]int{}
	for name, n := range counts {
		if n != 0 {
			out[name] = n
		}
	}
	return out
}
