package weakmodel_test

import (
	"context"
	"flag"
	"iter"
	"testing"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/eval"
	"github.com/vcpgo/vcp/internal/weakmodel"
)

var (
	transcriptTask     = flag.String("task", "", "the task that TestTranscript shows")
	transcriptSlip     = flag.String("slip", "", "the slip that TestTranscript shows")
	transcriptProtocol = flag.String("protocol", "vcp", "the protocol that TestTranscript shows")
)

// loggingModel logs what a model reads and writes.
type loggingModel struct {
	t     *testing.T
	model engine.Model
}

func (l loggingModel) Stream(ctx context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	l.t.Logf("reads:\n%s", req.Messages[len(req.Messages)-1].Content)
	return func(yield func(engine.Delta, error) bool) {
		for delta, err := range l.model.Stream(ctx, req) {
			if delta.Text != "" {
				l.t.Logf("writes:\n%s", delta.Text)
			}
			if !yield(delta, err) {
				return
			}
		}
	}
}

// TestTranscript logs the conversation of one task:
//
//	go test ./internal/weakmodel -run Transcript -v -task en-weather -slip fenced -protocol vcp
func TestTranscript(t *testing.T) {
	if *transcriptTask == "" {
		t.Skip("no task is named")
	}
	s := suite(t)
	for _, p := range protocols {
		for i := range s.Tasks {
			if s.Tasks[i].ID != *transcriptTask || p.ID() != *transcriptProtocol {
				continue
			}
			m := weakmodel.New(&s.Tasks[i], p, weakmodel.Slip(*transcriptSlip), 1)
			try, err := s.Tasks[i].Run(t.Context(), eval.Variant{Model: loggingModel{t, m}, Protocol: p})
			t.Log(try.Stop, try.Failures, err)
		}
	}
}
