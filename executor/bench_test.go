package executor_test

import (
	"context"
	"testing"
	"time"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/tool"
)

// BenchmarkExecute is a method that does nothing through the whole executor, beside what any deadline costs: a goroutine, a context
// and a channel.
func BenchmarkExecute(b *testing.B) {
	nop := func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, nil }
	b.Run("executor", func(b *testing.B) {
		x := executor.New(registry(b, method(b, "nop", nop)), executor.Options{Logger: quiet})
		reqs := []executor.Request{request("1", "t_nop")}
		b.ReportAllocs()
		for b.Loop() {
			x.Execute(b.Context(), all{}, executor.Observer{}, reqs)
		}
	})
	b.Run("floor", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
			done := make(chan tool.Output, 1)
			go func() {
				out, _ := nop(ctx, nil)
				done <- out
			}()
			select {
			case <-done:
			case <-ctx.Done():
			}
			cancel()
		}
	})
}
