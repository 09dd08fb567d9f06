package longtest_test

import (
	"slices"
	"testing"

	"github.com/vcpgo/vcp/internal/longtest"
)

func numbers(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func TestAnEnabledSuiteRunsWhole(t *testing.T) {
	t.Setenv(longtest.Env, "1")
	if !longtest.Enabled() || longtest.Count(3, 100) != 100 {
		t.Error("a suite does not run whole")
	}
	if got := longtest.Sample(3, numbers(100)); !slices.Equal(got, numbers(100)) {
		t.Errorf("Sample returns %v of the list from 0 to 99", got)
	}
	if got := longtest.Offsets(3, 100, 50); !slices.Equal(got, numbers(100)) {
		t.Errorf("Offsets returns %v for 100 bytes", got)
	}
}

func TestASampleCoversTheList(t *testing.T) {
	t.Setenv(longtest.Env, "")
	if longtest.Enabled() || longtest.Count(3, 100) != 3 {
		t.Error("a suite runs whole")
	}
	sample := longtest.Sample(10, numbers(995))
	if len(sample) != 10 {
		t.Fatalf("a sample of 10 is %v", sample)
	}
	for i, n := range sample {
		if n < i*995/10 || n >= (i+1)*995/10 {
			t.Errorf("element %d of the sample is %d, which is not in its tenth of the list", i, n)
		}
	}
	if again := longtest.Sample(10, numbers(995)); !slices.Equal(again, sample) {
		t.Errorf("a second sample of the same list differs: %v and %v", sample, again)
	}
	if got := longtest.Sample(10, numbers(10)); !slices.Equal(got, numbers(10)) {
		t.Errorf("a sample of 10 from a list of 10 is %v", got)
	}
	if got := longtest.Sample(10, []int(nil)); got != nil {
		t.Errorf("a sample of an empty list is %v", got)
	}
}

func TestOffsetsContainTheEdges(t *testing.T) {
	t.Setenv(longtest.Env, "")
	// Each edge comes with its 4 neighbors on both sides.
	if got, want := longtest.Offsets(0, 100, 50, 98), slices.Concat(numbers(55)[46:], numbers(100)[94:]); !slices.Equal(got, want) {
		t.Errorf("at the edges 50 and 98 of 100: %v, want %v", got, want)
	}
	got := longtest.Offsets(10, 100, 0)
	if !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) || !slices.Equal(got[:5], numbers(5)) {
		t.Errorf("offsets are not sorted, not unique, or do not contain the edge at 0: %v", got)
	}
	if got := longtest.Offsets(10, 0, 3); len(got) != 0 {
		t.Errorf("an empty input has the offsets %v", got)
	}
}
