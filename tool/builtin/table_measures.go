package builtin

import (
	"fmt"
	"math"

	"github.com/vcpgo/vcp/tool/builtin/internal/tabular"
)

// measure is a number that is calculated for each group, such as the sum of its values.
type measure struct {
	name      string
	calculate func(*tabular.Group) float64
}

// quantile returns the function that calculates a quantile. share is from 0 to 1.
func quantile(share float64) func(*tabular.Group) float64 {
	return func(g *tabular.Group) float64 { return g.Quantile(share) }
}

var (
	sumMeasure    = measure{"sum", func(g *tabular.Group) float64 { return g.Sum }}
	countMeasure  = measure{"count", func(g *tabular.Group) float64 { return float64(g.Count) }}
	meanMeasure   = measure{"mean", (*tabular.Group).Mean}
	minMeasure    = measure{"min", func(g *tabular.Group) float64 { return g.Min }}
	maxMeasure    = measure{"max", func(g *tabular.Group) float64 { return g.Max }}
	medianMeasure = measure{"median", quantile(0.5)}

	// measures maps each value of the parameter measure to the measures that it selects.
	measures = map[string][]measure{
		"sum": {sumMeasure}, "count": {countMeasure}, "mean": {meanMeasure},
		"min": {minMeasure}, "max": {maxMeasure}, "median": {medianMeasure},
		"quantiles": {
			{"5 %", quantile(0.05)},
			{"25 %", quantile(0.25)},
			{"50 %", quantile(0.5)},
			{"75 %", quantile(0.75)},
			{"95 %", quantile(0.95)},
		},
		"all": {countMeasure, sumMeasure, meanMeasure, minMeasure, medianMeasure, maxMeasure},
	}
)

// value returns the measure of a group. For a group without numbers, the sum and the count are 0,
// and the other measures are NaN.
func (m measure) value(g *tabular.Group) float64 {
	if g.Count == 0 && m.name != "count" && m.name != "sum" {
		return math.NaN()
	}
	return m.calculate(g)
}

// formatValue returns a number as text. The result is "" for NaN.
func formatValue(n float64) string {
	if math.IsNaN(n) {
		return ""
	}
	return tabular.FormatNumber(n)
}

// formatMean returns a mean as text, with seven digits. Further digits would seldom be significant.
func formatMean(n float64) string { return formatValue(tabular.Round(n, 7)) }

// growth returns by how many percent a value grew from first to second. The result is "" if the
// first value is not above 0, or if one of the values is NaN.
func growth(first, second float64) string {
	if math.IsNaN(first) || math.IsNaN(second) || first <= 0 {
		return ""
	}
	return fmt.Sprintf("%+.1f %%", 100*(second-first)/first)
}
