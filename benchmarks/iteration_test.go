package benchmarks

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"
)

// BenchmarkQuestion measures a whole question, with one call and with several, for each side: the
// engine, each other agent library, and newFloor, which does only the minimum. Use it with a
// profiler; BenchmarkIteration compares the sides.
func BenchmarkQuestion(b *testing.B) {
	for _, calls := range []int{1, len(cities)} {
		list, err := sides(b.Context(), calls)
		if err != nil {
			b.Fatal(err)
		}
		for _, s := range list {
			b.Run(fmt.Sprintf("%s/calls=%d", s.name, calls), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					s.ask(b)
				}
			})
		}
	}
}

// ask checks that the side answers the question correctly.
func (s *side) ask(tb testing.TB) {
	if got, err := s.run(tb.Context()); err != nil || got != answer {
		tb.Fatalf("%s answers %q, %v", s.name, got, err)
	}
}

func TestEachSideAnswersCorrectly(t *testing.T) {
	for calls := range len(cities) + 1 {
		list, err := sides(t.Context(), calls)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range list {
			s.ask(t)
		}
	}
}

// batchSize is how many questions a side answers before the next side runs.
const batchSize = 16

// figures are the times and allocations of one side.
type figures struct {
	batches []time.Duration // the fastest first
	allocs  float64         // per question
}

// measure returns the figures of each side. It alternates the sides, so that other load of the
// machine affects all of them.
func measure(b *testing.B, list []side) []figures {
	all := make([]figures, len(list))
	for i := range list {
		all[i].allocs = testing.AllocsPerRun(100, func() { list[i].ask(b) })
	}
	for b.Loop() {
		for i := range list {
			start := time.Now()
			for range batchSize {
				list[i].ask(b)
			}
			all[i].batches = append(all[i].batches, time.Since(start))
		}
	}
	for i := range all {
		slices.SortFunc(all[i].batches, cmp.Compare)
	}
	return all
}

// quantile returns the quantile q of the batches, in nanoseconds per question.
func (f *figures) quantile(q float64) float64 {
	return float64(f.batches[int(q*float64(len(f.batches)-1))].Nanoseconds()) / batchSize
}

// BenchmarkIteration compares all sides. For each it reports the cost of a question with one call,
// and of one iteration: what each further call adds. Both are reported for the fastest batch, which
// mostly contains no garbage collection, and for the median batch.
func BenchmarkIteration(b *testing.B) {
	const severalCalls = len(cities)
	withOne, err := sides(b.Context(), 1)
	if err != nil {
		b.Fatal(err)
	}
	withSeveral, err := sides(b.Context(), severalCalls)
	if err != nil {
		b.Fatal(err)
	}
	all := measure(b, slices.Concat(withOne, withSeveral))
	b.ReportMetric(0, "ns/op") // 0 hides this metric, which would be of all sides together
	for i, s := range withOne {
		one, several := &all[i], &all[len(withOne)+i]
		b.ReportMetric(one.quantile(0), s.name+"-ns/question")
		b.ReportMetric(one.quantile(.5), s.name+"-median-ns/question")
		b.ReportMetric(one.allocs, s.name+"-allocs/question")
		b.ReportMetric((several.quantile(0)-one.quantile(0))/float64(severalCalls-1), s.name+"-ns/iteration")
		b.ReportMetric((several.quantile(.5)-one.quantile(.5))/float64(severalCalls-1), s.name+"-median-ns/iteration")
		b.ReportMetric((several.allocs-one.allocs)/float64(severalCalls-1), s.name+"-allocs/iteration")
	}
}
