package server_test

import (
	"context"
	"iter"
	"sync"
	"testing"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/requesttest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// script is an engine.Model that writes one reply after the other. All conversations share the list
// of replies.
type script struct {
	mu      sync.Mutex
	replies []func(ctx context.Context, yield func(string) bool)
	systems []string // the system prompts of the requests
}

func (s *script) Stream(ctx context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		s.mu.Lock()
		s.systems = append(s.systems, req.Messages[0].Content)
		write := says("Nothing more.")
		if len(s.replies) > 0 {
			write, s.replies = s.replies[0], s.replies[1:]
		}
		s.mu.Unlock()
		wanted := true
		write(ctx, func(text string) bool {
			wanted = wanted && yield(engine.Delta{Text: text}, nil)
			return wanted
		})
		if !wanted {
			return
		}
		if ctx.Err() != nil {
			yield(engine.Delta{}, context.Cause(ctx))
			return
		}
		yield(engine.Delta{Finished: true, Finish: protocol.FinishStop}, nil)
	}
}

// says returns a reply that writes the pieces one after the other.
func says(pieces ...string) func(context.Context, func(string) bool) {
	return func(_ context.Context, yield func(string) bool) {
		for _, p := range pieces {
			if !yield(p) {
				return
			}
		}
	}
}

// waits returns a reply that writes a beginning, and then waits until the turn is canceled or
// release is closed.
func waits(beginning string, release <-chan struct{}) func(context.Context, func(string) bool) {
	return func(ctx context.Context, yield func(string) bool) {
		if !yield(beginning) {
			return
		}
		select {
		case <-ctx.Done():
		case <-release:
		}
	}
}

// calls returns a reply that requests a method.
func calls(t testing.TB, name string, args ...string) func(context.Context, func(string) bool) {
	t.Helper()
	return says("Look:\n", requesttest.Text(t, vcp.Protocol{}, name, args...))
}
