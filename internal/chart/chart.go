// Package chart draws lines and bars: SVG by itself, and PNG with gonum/plot. SVG leaves the fonts
// to the viewer. PNG contains its letters as pixels, and needs a font that has them.
package chart

import (
	"math"
	"strconv"
)

// Kind is a form of chart.
type Kind string

// The kinds of charts.
const (
	Line Kind = "line"
	Bar  Kind = "bar"
)

// MaxPoints is how many points of a series are drawn; MaxSeries is how many series.
const (
	MaxPoints = 1000
	MaxSeries = 12
)

// Chart is what is drawn. Its texts may come from anyone.
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

// bounded returns a copy with at most as much as is drawn, and with short texts.
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

// drawable keeps numbers away from the limits of float64, near which scales cannot be calculated.
func drawable(v float64) float64 {
	switch a := math.Abs(v); {
	case a > 1e300:
		return math.NaN()
	case a < 1e-300:
		return 0
	}
	return v
}

func short(s string, most int) string {
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most-1]) + "…"
}

// extent returns the range of the values. For bars it includes 0.
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
		return low - most/2 - 1e-300, high + most/2 + 1e-300
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
	for i := math.Floor(low / step); len(list) < 12; i++ {
		list = append(list, i*step)
		if i*step >= high {
			break
		}
	}
	return list
}

// number writes a number on an axis.
func number(v float64) string {
	if v == 0 {
		return "0"
	}
	a := math.Abs(v)
	for _, unit := range []struct {
		size float64
		name string
	}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e4, "k"}} {
		if a >= unit.size && a < 1e15 {
			size := unit.size
			if unit.name == "k" {
				size = 1e3
			}
			return strconv.FormatFloat(v/size, 'g', 4, 64) + unit.name
		}
	}
	return strconv.FormatFloat(v, 'g', 5, 64)
}
