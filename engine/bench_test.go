package engine_test

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
)

// twoReplies asks for a tool where no result is the last message, and else is done.
type twoReplies struct{ first, second []engine.Delta }

func (m twoReplies) Stream(_ context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		deltas := m.first
		if n := len(req.Messages); n > 1 && req.Messages[n-2].Role == protocol.RoleAssistant {
			deltas = m.second
		}
		for _, d := range deltas {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// BenchmarkRun is one request and the reply to its result, over an in-process model, with conversations of growing length.
func BenchmarkRun(b *testing.B) {
	model := twoReplies{says("Let me see. ", block(b, "t_echo", "text", "hi")).deltas, says("It said hi.").deltas}
	for _, n := range []int{1, 10, 100, 1000} {
		b.Run(fmt.Sprintf("history=%d", n), func(b *testing.B) {
			s := session(b, registry(b), model)
			msgs := make([]protocol.Message, n)
			for i := range msgs {
				msgs[i] = protocol.Message{Role: protocol.RoleUser, Content: "question"}
			}
			b.ReportAllocs()
			for b.Loop() {
				for _, err := range s.Run(b.Context(), msgs) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
