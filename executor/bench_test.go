package executor_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/tool"
)

// withDeadline calls nop with a deadline and does nothing else. It needs a goroutine, a context and
// a channel. Its time is the floor, the lower bound for a call.
func withDeadline(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	done := make(chan tool.Output, 1)
	go func() {
		out, _ := nop(ctx, nil)
		done <- out
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// compare reports the time of call, the time of floor, and their ratio. It runs both in turns, so
// that other work on the machine slows both.
func compare(b *testing.B, call, floor func()) {
	const repeats = 64 // for each reading of the clock, so that its time does not count
	var callTime, floorTime time.Duration
	for b.Loop() {
		start := time.Now()
		for range repeats {
			call()
		}
		middle := time.Now()
		for range repeats {
			floor()
		}
		callTime, floorTime = callTime+middle.Sub(start), floorTime+time.Since(middle)
	}
	report(b, callTime, floorTime, repeats)
}

// report reports the time of one call, the time of one floor, and their ratio. calls is how many of
// each ran in one iteration of the benchmark.
func report(b *testing.B, callTime, floorTime time.Duration, calls int) {
	n := float64(b.N * calls)
	b.ReportMetric(float64(callTime)/n, "ns/call")
	b.ReportMetric(float64(floorTime)/n, "ns/floor")
	b.ReportMetric(float64(callTime)/float64(floorTime), "ratio")
	b.ReportMetric(0, "ns/op") // 0 hides this metric, which would include the floor
}

// BenchmarkExecute compares calls of a method that does nothing with withDeadline. The method is
// declared in several ways.
func BenchmarkExecute(b *testing.B) {
	for _, bb := range []struct {
		name    string
		options executor.Options
		opts    []tool.Option
	}{
		{"plain", executor.Options{}, nil},
		{"limited", executor.Options{MaxConcurrent: 16}, []tool.Option{tool.Concurrency(4)}},
		{"with a resource", executor.Options{}, []tool.Option{tool.Uses("disk", "text")}},
		{"idempotent", executor.Options{}, []tool.Option{tool.Idempotent()}},
		{"cached", executor.Options{}, []tool.Option{tool.Cacheable(time.Hour)}},
		{"approved", askOptions(allows), nil},
	} {
		b.Run(bb.name, func(b *testing.B) {
			bb.options.Logger = quiet
			x := executor.New(registry(b, method(b, "nop", nop, bb.opts...)), bb.options)
			reqs, scope := []executor.Request{request("1", "t_nop")}, allVisible()
			compare(b, func() { x.Execute(b.Context(), scope, executor.Observer{}, reqs) },
				func() { withDeadline(b.Context()) })
		})
	}
}

// BenchmarkTenThousandCalls compares ten thousand parallel calls with as many goroutines that have
// deadlines. Both run at most 16 at once.
func BenchmarkTenThousandCalls(b *testing.B) {
	const calls, limit = 10_000, 16
	x := executor.New(registry(b, method(b, "nop", nop, tool.Concurrency(limit))),
		executor.Options{Parallel: true, Logger: quiet})
	reqs := requests(calls, "t_nop")
	var callTime, floorTime time.Duration
	for b.Loop() {
		start := time.Now()
		x.Execute(b.Context(), allVisible(), executor.Observer{}, reqs)
		middle := time.Now()
		var wg sync.WaitGroup
		slots := make(chan struct{}, limit)
		for range calls {
			wg.Go(func() {
				slots <- struct{}{}
				withDeadline(b.Context())
				<-slots
			})
		}
		wg.Wait()
		callTime, floorTime = callTime+middle.Sub(start), floorTime+time.Since(middle)
	}
	report(b, callTime, floorTime, calls)
}
