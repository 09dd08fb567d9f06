// Package chart draws line and bar charts. It writes SVG itself, and PNG with gonum/plot. The
// viewer of an SVG chooses the fonts. A PNG contains letters as pixels, so drawing one needs a font
// that has these letters.
package chart

import (
	"math"
	"strconv"
	"strings"
)

// Kind is a form of chart.
type Kind string

// The kinds of charts.
const (
	Line Kind = "line"
	Bar  Kind = "bar"
)

// MaxPoints limits how many points of a series are drawn, and MaxSeries how many series.
const (
	MaxPoints = 1000
	MaxSeries = 12
)

// Chart describes a chart. Its texts may come from untrusted sources.
type Chart struct {
	Kind   Kind
	Title  string
	X, Y   string   // names of the axes
	Labels []string // one for each point, in order
	Series []Series
}

// Series is a line, or the bars of one color. A value that is NaN is a gap.
type Series struct {
	Name   string
	Values []float64 // one for each label
}

// bounded returns a copy of the chart within the limits, with texts that are short enough to fit
// the drawing.
func (c Chart) bounded() Chart {
	out := Chart{Kind: c.Kind, Title: short(c.Title, 120), X: short(c.X, 60), Y: short(c.Y, 60)}
	for _, l := range c.Labels[:min(len(c.Labels), MaxPoints)] {
		out.Labels = append(out.Labels, short(l, 24))
	}
	for _, s := range c.Series[:min(len(c.Series), MaxSeries)] {
		values := make([]float64, len(out.Labels))
		for i := range values {
			values[i] = math.NaN()
			if i < len(s.Values) {
				values[i] = drawable(s.Values[i])
			}
		}
		out.Series = append(out.Series, Series{short(s.Name, 30), values})
	}
	return out
}

// drawable returns v if an axis for it can be calculated. Otherwise it returns NaN, which is a gap,
// if v is too large, and 0 if v is too close to 0.
func drawable(v float64) float64 {
	switch a := math.Abs(v); {
	case a > 1e300:
		return math.NaN()
	case a < 1e-300:
		return 0
	}
	return v
}

// short returns s as one line of at most limit characters. The last character is an ellipsis if
// some are missing.
func short(s string, limit int) string {
	s = strings.Join(strings.Fields(s), " ") // fonts have no letters for line breaks and tabs
	r := []rune(s)
	if len(r) <= limit {
		return s
	}
	return string(r[:limit-1]) + "…"
}

// extent returns the range of the values, or 0 and 1 if there are none. The range includes 0 for
// bars, and for lines whose lowest value is positive and less than a third of the highest. If all
// values are almost equal, the range is extended on both sides, so that it is not empty.
func (c Chart) extent() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, s := range c.Series {
		for _, v := range s.Values {
			if !math.IsNaN(v) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	if math.IsInf(low, 1) {
		return 0, 1
	}
	if c.Kind == Bar || low > 0 && low < high/3 {
		low = min(low, 0)
		high = max(high, 0)
	}
	if most := max(math.Abs(low), math.Abs(high)); high-low <= most*1e-9 {
		return low - most/2 - 1e-300, high + most/2 + 1e-300 // most is 0 if all values are 0
	}
	return low, high
}

// ticks returns about five round numbers that cover a range.
func ticks(low, high float64) []float64 {
	rough := (high - low) / 5
	base := math.Pow(10, math.Floor(math.Log10(rough)))
	step := base
	for _, f := range []float64{1, 2, 2.5, 5, 10} {
		if step = base * f; step >= rough {
			break
		}
	}
	var list []float64
	for i := math.Floor(low / step); len(list) < 12; i++ { // 12 is only a guard: at most 7 are needed
		list = append(list, i*step)
		if i*step >= high {
			break
		}
	}
	return list
}

// number returns a number as it is written at an axis, such as 25k.
func number(v float64) string {
	if v == 0 {
		return "0"
	}
	a := math.Abs(v)
	for _, unit := range []struct {
		from, size float64
		name       string
	}{{1e12, 1e12, "T"}, {1e9, 1e9, "G"}, {1e6, 1e6, "M"}, {1e4, 1e3, "k"}} { // 9999 needs no unit
		if a >= unit.from && a < 1e15 { // from 1e15 on, an exponent is shorter
			return strconv.FormatFloat(v/unit.size, 'g', 4, 64) + unit.name
		}
	}
	return strconv.FormatFloat(v, 'g', 5, 64)
}
