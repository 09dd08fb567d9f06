package weakmodel_test

import (
	"testing"

	"github.com/vcpgo/vcp/eval"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/weakmodel"
	"github.com/vcpgo/vcp/protocol"
)

// suite returns the 44 tasks of docs/evaluation.md.
func suite(t *testing.T) *eval.Suite {
	t.Helper()
	s, err := eval.LoadSuite("../../testdata/eval/suite.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// run lets the model try the task once, and returns the try and how the task ended.
func run(t *testing.T, m *weakmodel.Model, task *eval.Task, p protocol.Protocol) (eval.Try, ending) {
	t.Helper()
	try, err := task.Run(t.Context(), eval.Variant{Name: p.ID(), Model: m, Protocol: p})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range try.Calls {
		if !m.Meant(c) {
			return try, wrong
		}
	}
	switch {
	case try.Wrong > 0:
		return try, wrong
	case try.Solved():
		return try, right
	case m.GaveUp():
		return try, honest
	}
	return try, lost
}

func TestEachTaskIsSolvedWithoutASlip(t *testing.T) {
	s := suite(t)
	if len(s.Tasks) != 44 {
		t.Errorf("%d tasks, want 44", len(s.Tasks))
	}
	for _, p := range protocols {
		for i := range s.Tasks {
			task := &s.Tasks[i]
			t.Run(p.ID()+" "+task.ID, func(t *testing.T) {
				try, end := run(t, weakmodel.New(task, p, weakmodel.None, 1), task, p)
				if end != right {
					t.Errorf("the task ends %s, want right: failures %v, stopped as %s, answer %q", end, try.Failures, try.Stop, try.Answer)
				}
			})
		}
	}
}

// TestUnracedTasksWithASlipEndAsDocumented compares the endings of tasks with the table of
// docs/evaluation.md. It fails if more tasks do not end right, or more end wrong, than the table
// says. It also fails if the table lacks a slip. If it runs all tasks, it fails if a slip is made
// in fewer tasks than the table says.
func TestUnracedTasksWithASlipEndAsDocumented(t *testing.T) {
	longtest.SkipIfRaced(t)
	if len(weakmodel.Slips) != 32 {
		t.Errorf("%d kinds of slip, want 32", len(weakmodel.Slips))
	}
	whole := *update || longtest.Enabled()
	measured := figures{}
	for _, p := range protocols {
		measured[p.ID()] = matrixOf(t, p, whole)
	}
	if *update {
		measured.write(t)
		return
	}
	table := readFigures(t)
	for _, p := range protocols {
		for slip, current := range measured[p.ID()] {
			documented, ok := table[p.ID()][slip]
			switch {
			case !ok:
				t.Errorf("%s, %s: %s has no row for this slip; run this test with -update", p.ID(), slip, evaluation)
			case whole && current.tasks < documented.tasks:
				t.Errorf("%s, %s: the slip was made in %d tasks, and in %d according to the table",
					p.ID(), slip, current.tasks, documented.tasks)
			case len(current.missed) > documented.tasks-documented.right || current.wrong > documented.wrong:
				t.Errorf("%s, %s: %d tasks do not end right, and %d of these end wrong; in the table these are %d and %d. The tasks are %v",
					p.ID(), slip, len(current.missed), current.wrong, documented.tasks-documented.right, documented.wrong, current.missed)
			}
		}
		sum := measured[p.ID()][all]
		lost := sum.tasks - sum.right - sum.honest - sum.wrong
		t.Logf("%s: of %d, right %d, honest %d, lost %d, wrong %d", p.ID(), sum.tasks, sum.right, sum.honest, lost, sum.wrong)
	}
}

// matrixOf makes each slip in each task in which it can be made, and returns how the tasks ended.
// If whole is false, it uses a sample of the pairs of slip and task.
func matrixOf(t *testing.T, p protocol.Protocol, whole bool) map[weakmodel.Slip]figure {
	t.Helper()
	type pair struct {
		slip weakmodel.Slip
		task *eval.Task
	}
	s := suite(t)
	var pairs []pair
	for _, slip := range weakmodel.Slips {
		for i := range s.Tasks {
			if weakmodel.New(&s.Tasks[i], p, slip, 1).CanSlip() {
				pairs = append(pairs, pair{slip, &s.Tasks[i]})
			}
		}
	}
	if !whole {
		pairs = longtest.Sample(100, pairs)
	}
	matrix := map[weakmodel.Slip]figure{}
	for _, pair := range pairs {
		_, end := run(t, weakmodel.New(pair.task, p, pair.slip, 1), pair.task, p)
		matrix[pair.slip] = matrix[pair.slip].plus(end, pair.task.ID)
		matrix[all] = matrix[all].plus(end, pair.task.ID)
	}
	return matrix
}
