package weakmodel_test

import (
	"fmt"
	"strings"
	"testing"

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

func TestEachTaskIsSolvedWithoutASlip(t *testing.T) {
	for _, p := range protocols {
		for i := range suite(t).Tasks {
			task := &suite(t).Tasks[i]
			t.Run(p.ID()+" "+task.ID, func(t *testing.T) {
				if _, try, end := run(t, task, p, weakmodel.None); end != right {
					t.Errorf("%s: %v, after %v %s, %v", end, try.Failures, try.Calls, try.Stop, try.Answer)
				}
			})
		}
	}
}

func TestMatrixOfSlips(t *testing.T) {
	s := suite(t)
	for _, p := range protocols {
		var table strings.Builder
		total := map[ending]int{}
		for _, slip := range weakmodel.Slips {
			count, ids := map[ending]int{}, map[ending][]string{}
			for i := range s.Tasks {
				m, _, end := run(t, &s.Tasks[i], p, slip)
				if !m.Slipped() {
					continue
				}
				count[end]++
				total[end]++
				ids[end] = append(ids[end], s.Tasks[i].ID)
			}
			fmt.Fprintf(&table, "%-18s %5d %6d %4d %5d  %v\n", slip, count[right], count[honest], count[lost], count[wrong], ids[wrong])
		}
		t.Logf("%s  %v\n%s", p.ID(), total, table.String())
	}
}
