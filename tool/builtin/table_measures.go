package builtin

import (
	"fmt"
	"math"

	"github.com/vcpgo/vcp/internal/tabular"
)

// measure is one figure of a group.
type measure struct {
	name string
	of   func(*tabular.Group) float64
}

func quantile(share float64) func(*tabular.Group) float64 {
	return func(g *tabular.Group) float64 { return g.Quantile(share) }
}

var (
	sumMeasure   = measure{"sum", func(g *tabular.Group) float64 { return g.Sum }}
	countMeasure = measure{"count", func(g *tabular.Group) float64 { return float64(g.Count) }}
	meanMeasure  = measure{"mean", (*tabular.Group).Mean}
	minMeasure   = measure{"min", func(g *tabular.Group) float64 { return g.Min }}
	maxMeasure   = measure{"max", func(g *tabular.Group) float64 { return g.Max }}
	median       = measure{"median", quantile(0.5)}

	measures = map[string][]measure{
		"sum": {sumMeasure}, "count": {countMeasure}, "mean": {meanMeasure}, "min": {minMeasure}, "max": {maxMeasure}, "median": {median},
		"quantiles": {{"5 %", quantile(0.05)}, {"25 %", quantile(0.25)}, {"50 %", quantile(0.5)}, {"75 %", quantile(0.75)}, {"95 %", quantile(0.95)}},
		"all":       {countMeasure, sumMeasure, meanMeasure, minMeasure, median, maxMeasure},
	}
)

// value returns a figure. It is NaN if the group has no numbers. Sums and counts of nothing are 0.
func (m measure) value(g *tabular.Group) float64 {
	if g.Count == 0 && m.name != "count" && m.name != "sum" {
		return math.NaN()
	}
	return m.of(g)
}

func figure(n float64) string {
	if math.IsNaN(n) {
		return ""
	}
	return tabular.FormatNumber(n)
}

// growth writes by how many percent a figure grew. The result is "" if the first figure is not
// above 0.
func growth(from, to float64) string {
	if math.IsNaN(from) || math.IsNaN(to) || from <= 0 {
		return ""
	}
	return fmt.Sprintf("%+.1f %%", 100*(to-from)/from)
}
