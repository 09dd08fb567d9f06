package executor_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/tool"
)

// withDeadline does the least that a call with a deadline needs: a goroutine, a context and a
// channel.
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

// compare runs one and other in turns, so that other work on the machine slows both, and reports
// how much longer one takes.
func compare(b *testing.B, one, other func()) {
	const turn = 64
	var first, second time.Duration
	for b.Loop() {
		start := time.Now()
		for range turn {
			one()
		}
		middle := time.Now()
		for range turn {
			other()
		}
		first, second = first+middle.Sub(start), second+time.Since(middle)
	}
	n := float64(b.N * turn)
	b.ReportMetric(float64(first)/n, "ns/call")
	b.ReportMetric(float64(second)/n, "ns/floor")
	b.ReportMetric(float64(first)/float64(second), "ratio")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkExecute runs a method that does nothing through the executor, with several declarations
// of the method. It compares that with withDeadline alone.
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
		{"approved", asking(approver(allows)), nil},
	} {
		b.Run(bb.name, func(b *testing.B) {
			bb.options.Logger = quiet
			x := executor.New(registry(b, method(b, "nop", nop, bb.opts...)), bb.options)
			reqs, scope := []executor.Request{request("1", "t_nop")}, all()
			compare(b, func() { x.Execute(b.Context(), scope, executor.Observer{}, reqs) }, func() { withDeadline(b.Context()) })
		})
	}
}

// BenchmarkTenThousandCalls runs ten thousand parallel calls, of which 16 may run at once. It
// compares them with as many goroutines with deadlines, which a channel limits to 16 at once.
func BenchmarkTenThousandCalls(b *testing.B) {
	const calls, limit = 10_000, 16
	x := executor.New(registry(b, method(b, "nop", nop, tool.Concurrency(limit))), executor.Options{Parallel: true, Logger: quiet})
	reqs := requests(calls, "t_nop")
	var one, other time.Duration
	for b.Loop() {
		start := time.Now()
		x.Execute(b.Context(), all(), executor.Observer{}, reqs)
		middle := time.Now()
		var wg sync.WaitGroup
		places := make(chan struct{}, limit)
		for range calls {
			wg.Go(func() {
				places <- struct{}{}
				withDeadline(b.Context())
				<-places
			})
		}
		wg.Wait()
		one, other = one+middle.Sub(start), other+time.Since(middle)
	}
	n := float64(b.N * calls)
	b.ReportMetric(float64(one)/n, "ns/call")
	b.ReportMetric(float64(other)/n, "ns/floor")
	b.ReportMetric(float64(one)/float64(other), "ratio")
	b.ReportMetric(0, "ns/op")
}
