package weakmodel_test

import (
	"context"
	"flag"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/eval"
	"github.com/vcpgo/vcp/internal/weakmodel"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/vcp"
)

var protocols = []protocol.Protocol{vcp.Protocol{}, hermes.Protocol{}}

func suite(t *testing.T) *eval.Suite {
	t.Helper()
	s, err := eval.LoadSuite("../../testdata/eval/suite.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// An ending is what became of a task.
type ending string

const (
	right  ending = "right"
	honest ending = "honest" // the model has said that it could not
	lost   ending = "lost"
	wrong  ending = "wrong" // something ran that the model had not meant
)

func run(t *testing.T, task *eval.Task, p protocol.Protocol, slip weakmodel.Slip) (*weakmodel.Model, eval.Try, ending) {
	t.Helper()
	m := weakmodel.New(task, p, slip, 1)
	try, err := task.Run(t.Context(), eval.Variant{Name: p.ID(), Model: m, Protocol: p})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range try.Calls {
		if !m.Meant(c) {
			return m, try, wrong
		}
	}
	switch {
	case len(try.Wrong) > 0:
		return m, try, wrong
	case try.Solved():
		return m, try, right
	case m.GaveUp():
		return m, try, honest
	}
	return m, try, lost
}

// altered is a task whose text the protocol alters in a result, so that a copy of it is not exact.
var altered = map[string]bool{"vcp zh-marks": true}

func TestEachTaskIsSolvedWithoutASlip(t *testing.T) {
	s := suite(t)
	if len(s.Tasks) != 40 {
		t.Errorf("%d tasks, want 40", len(s.Tasks))
	}
	for _, p := range protocols {
		for i := range s.Tasks {
			task := &s.Tasks[i]
			t.Run(p.ID()+" "+task.ID, func(t *testing.T) {
				_, try, end := run(t, task, p, weakmodel.None)
				if end != right && !altered[p.ID()+" "+task.ID] {
					t.Errorf("%s: %v, after %s, %s", end, try.Failures, try.Stop, try.Answer)
				}
			})
		}
	}
}

// atLeast are the tasks of each slip that ended right when they were last counted, and atMostWrong
// those in which something ran that was not meant. Feedback may get better than that, not worse:
// whoever improves it raises the numbers.
var (
	atLeast = map[string]map[weakmodel.Slip]int{
		"vcp": {
			weakmodel.JSONBody: 29, weakmodel.ColonBody: 29, weakmodel.WrongMark: 29, weakmodel.MissingEnd: 29, weakmodel.MissingCloser: 29,
			weakmodel.Truncated: 29, weakmodel.UnknownTool: 29, weakmodel.ArgumentName: 29, weakmodel.ExtraArgument: 29,
			weakmodel.MissingArgument: 29, weakmodel.WrongType: 23, weakmodel.FabricatedResult: 29, weakmodel.Repeats: 28,
		},
		"hermes": {
			weakmodel.BareJSON: 30, weakmodel.JSONBody: 30, weakmodel.ColonBody: 30, weakmodel.WrongMark: 30, weakmodel.MissingEnd: 30,
			weakmodel.MissingCloser: 29, weakmodel.Truncated: 30, weakmodel.UnknownTool: 30, weakmodel.ArgumentName: 30,
			weakmodel.ExtraArgument: 30, weakmodel.MissingArgument: 30, weakmodel.WrongType: 24, weakmodel.FabricatedResult: 30,
			weakmodel.Repeats: 29,
		},
	}
	atMostWrong = map[string]int{"vcp": 23, "hermes": 11}
)

func TestMatrixOfSlips(t *testing.T) {
	if len(weakmodel.Slips) != 20 {
		t.Errorf("%d kinds of slip, want 20", len(weakmodel.Slips))
	}
	s := suite(t)
	for _, p := range protocols {
		t.Run(p.ID(), func(t *testing.T) {
			t.Parallel()
			var table strings.Builder
			total, all := map[ending]int{}, 0
			for _, slip := range weakmodel.Slips {
				count, missed := map[ending]int{}, []string{}
				for i := range s.Tasks {
					m, _, end := run(t, &s.Tasks[i], p, slip)
					if !m.Slipped() {
						continue // the slip cannot be made in this task
					}
					count[end]++
					total[end]++
					all++
					if end != right {
						missed = append(missed, s.Tasks[i].ID)
					}
				}
				fmt.Fprintf(&table, "| `%s` | %d | %d | %d | %d |\n", slip, count[right], count[honest], count[lost], count[wrong])
				if floor := atLeast[p.ID()][slip]; count[right] < floor {
					t.Errorf("%s: %d tasks end right, and there were %d; not right: %v", slip, count[right], floor, missed)
				}
			}
			if most, ok := atMostWrong[p.ID()]; ok && total[wrong] > most {
				t.Errorf("in %d tasks something ran that was not meant, and there were %d", total[wrong], most)
			}
			t.Logf("%s: of %d, right %d, honest %d, lost %d, wrong %d\n%s",
				p.ID(), all, total[right], total[honest], total[lost], total[wrong], table.String())
		})
	}
}

var (
	transcriptTask     = flag.String("task", "", "the task that TestTranscript shows")
	transcriptSlip     = flag.String("slip", "", "the slip that TestTranscript shows")
	transcriptProtocol = flag.String("protocol", "vcp", "the protocol that TestTranscript shows")
)

// spy shows what a model reads and writes.
type spy struct {
	t     *testing.T
	model engine.Model
}

func (s spy) Stream(ctx context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	s.t.Logf("reads:\n%s", req.Messages[len(req.Messages)-1].Content)
	return func(yield func(engine.Delta, error) bool) {
		for delta, err := range s.model.Stream(ctx, req) {
			if delta.Text != "" {
				s.t.Logf("writes:\n%s", delta.Text)
			}
			if !yield(delta, err) {
				return
			}
		}
	}
}

// TestTranscript shows one task: go test ./internal/weakmodel -run Transcript -v -task en-weather
// -slip fenced -protocol vcp.
func TestTranscript(t *testing.T) {
	s := suite(t)
	for _, p := range protocols {
		for i := range s.Tasks {
			if s.Tasks[i].ID != *transcriptTask || p.ID() != *transcriptProtocol {
				continue
			}
			m := weakmodel.New(&s.Tasks[i], p, weakmodel.Slip(*transcriptSlip), 1)
			try, err := s.Tasks[i].Run(t.Context(), eval.Variant{Model: spy{t, m}, Protocol: p})
			t.Log(try.Stop, try.Failures, err)
		}
	}
}
