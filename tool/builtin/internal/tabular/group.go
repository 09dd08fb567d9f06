package tabular

import (
	"math"
	"time"
)

// Group is a group of rows with its figures.
type Group struct {
	// Keys are the values of Query.By.
	Keys []string
	// Start is the first day of the period; zero without Query.Period.
	Start time.Time
	// Count is how many numbers the group has. Without numbers, Sum, Min and Max are 0.
	Count         int
	Sum, Min, Max float64

	sum    sum
	sketch *sketch
}

// Mean is the arithmetic mean of the numbers. It is NaN, which is 0/0, if the group has no numbers.
func (g *Group) Mean() float64 {
	return g.Sum / float64(g.Count)
}

// Quantile returns the q-quantile of the numbers, for q from 0 (the smallest) to 1 (the largest);
// 0.5 yields the median. It returns NaN if the group has no numbers, or Query.Quantiles was not
// set.
func (g *Group) Quantile(q float64) float64 {
	if g.Count == 0 || g.sketch == nil {
		return math.NaN()
	}
	return g.sketch.quantile(q)
}

func (g *Group) add(n float64) {
	if g.Count++; g.Count == 1 {
		g.Min, g.Max = n, n
	}
	g.Min, g.Max = min(g.Min, n), max(g.Max, n)
	g.sum.add(n)
	g.Sum = g.sum.value()
	if g.sketch != nil {
		g.sketch.add(n)
	}
}
