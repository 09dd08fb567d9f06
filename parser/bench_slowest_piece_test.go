package parser_test

import (
	"slices"
	"testing"
	"time"

	"github.com/vcpgo/vcp/internal/workload"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// BenchmarkSlowestPiece reports how much longer the slowest piece takes than the median one, for
// the inputs that are read in pieces. The time of a piece is that of its fastest run, so that other
// load of the machine does not matter. But the median piece takes about one step of the clock, which
// one run cannot measure. For the median, the time of a piece is therefore the mean of the runs
// that are at most one step slower than its fastest run.
func BenchmarkSlowestPiece(b *testing.B) {
	for _, in := range workload.Ordinary() {
		if in.Piece == 0 {
			continue
		}
		b.Run(in.Name, func(b *testing.B) {
			pieces := workload.Pieces(in.Text, in.Piece)
			took := make([][]time.Duration, len(pieces))
			var clock []time.Duration // how long readings of the clock take, which is part of each measured time
			for b.Loop() {
				p, err := parser.New(vcp.Protocol{}, parser.Options{})
				if err != nil {
					b.Fatal(err)
				}
				var events []parser.Event
				for i, piece := range pieces {
					begin := time.Now()
					events = p.Feed(events[:0], piece)
					took[i] = append(took[i], time.Since(begin))
				}
				for range 100 {
					begin := time.Now()
					clock = append(clock, time.Since(begin))
				}
			}
			means, longest := make([]float64, len(pieces)), time.Duration(0)
			for i := range took {
				means[i] = meanOfFastest(took[i])
				longest = max(longest, slices.Min(took[i]))
			}
			slices.Sort(means)
			reading := meanOfFastest(clock)
			median, slowest := means[len(means)/2]-reading, float64(longest)-reading
			b.ReportMetric(median, "ns/median")
			b.ReportMetric(slowest, "ns/slowest")
			b.ReportMetric(slowest/max(median, 1), "slowest/median")
		})
	}
}

// clockStep is the usual step of clocks in virtual machines.
const clockStep = 10 * time.Nanosecond

// meanOfFastest returns the mean of the times that are at most clockStep longer than the shortest,
// in nanoseconds.
func meanOfFastest(took []time.Duration) float64 {
	least := slices.Min(took)
	sum, n := time.Duration(0), 0
	for _, t := range took {
		if t <= least+clockStep {
			sum += t
			n++
		}
	}
	return float64(sum) / float64(n)
}
