package builtin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin/internal/chart"
)

// The limits of a chart.
const (
	maxChartGroups = 30
	maxChartSeries = 8
)

// chartFile returns a chart of the result as a file: lines over time, or bars for groups.
func (r *aggregateResult) chartFile(ctx context.Context) (tool.File, []*message.Text, error) {
	if err := ctx.Err(); err != nil {
		return tool.File{}, nil, err
	}
	c, remarks := r.chart()
	name := strings.TrimSuffix(path.Base(r.name), path.Ext(r.name)) + "-" + r.in.Measure + "." + r.in.Format
	if r.in.Format != "png" {
		return tool.File{Name: name, MediaType: "image/svg+xml", Data: c.SVG()}, remarks, nil
	}
	data, err := c.PNG(r.font)
	var missing *chart.MissingLettersError
	switch {
	case errors.As(err, &missing):
		return tool.File{}, nil, errorf("the font of PNG charts has no letters %s; set format to svg, which needs "+
			"no font, or ask the user to set chartFont to a font with these letters",
			missing.Letters)
	case err != nil:
		return tool.File{}, nil, errorf("the chart cannot be drawn as PNG: %v; set format to svg", err)
	}
	return tool.File{Name: name, MediaType: "image/png", Data: data}, remarks, nil
}

// chart returns the chart, and remarks about what it does not show.
func (r *aggregateResult) chart() (c chart.Chart, remarks []*message.Text) {
	list := measures[r.in.Measure]
	what := r.in.Measure + " of " + r.Column
	switch r.in.Measure {
	case "all": // sums are so large that means and counts beside them could not be seen
		list = []measure{meanMeasure}
		what = "mean of " + r.Column
	case "quantiles":
		what = r.Column
	}
	c = chart.Chart{Kind: chart.Bar, Title: what, X: strings.Join(r.By, ", "), Y: r.Column}
	if !r.From.IsZero() {
		c.Title += fmt.Sprintf(", %s to %s", r.From.Format(time.DateOnly), r.To.Format(time.DateOnly))
	}
	if r.query.Period == "" {
		groups := r.Groups.Groups
		if len(groups) > maxChartGroups {
			remarks = append(remarks, sentence("the chart shows the first %d of %d groups", maxChartGroups, len(groups)))
			groups = groups[:maxChartGroups]
		}
		for i := range groups {
			c.Labels = append(c.Labels, cmp.Or(strings.Join(groups[i].Keys, ", "), r.Column))
		}
		for _, m := range list {
			s := chart.Series{Name: m.name}
			for i := range groups {
				s.Values = append(s.Values, m.value(&groups[i]))
			}
			c.Series = append(c.Series, s)
		}
		return c, remarks
	}
	return r.lines(c, list)
}

// lines returns c as a line chart over time, with one line for each group and each measure. Only
// the lines in the chart get a value for each period, because the values of all lines could be as
// many as the square of the number of groups.
func (r *aggregateResult) lines(c chart.Chart, list []measure) (_ chart.Chart, remarks []*message.Text) {
	c.Kind, c.X = chart.Line, string(r.query.Period)
	type point struct {
		line   string
		period int // its index on the axis
		value  float64
	}
	var points []point
	var names []string
	weight := map[string]float64{} // of each line: the sum of the magnitudes of its values
	for i := range r.Groups.Groups {
		g := &r.Groups.Groups[i]
		period := r.query.Period.Name(g.Start)
		if n := len(c.Labels); n == 0 || c.Labels[n-1] != period { // the groups are sorted by period
			c.Labels = append(c.Labels, period)
		}
		for _, m := range list {
			name := strings.Join(g.Keys, ", ")
			if len(list) > 1 {
				name = strings.TrimPrefix(name+", "+m.name, ", ")
			}
			if _, known := weight[name]; !known {
				names = append(names, name)
			}
			value := m.value(g)
			points = append(points, point{name, len(c.Labels) - 1, value})
			if math.IsNaN(value) {
				value = 0
			}
			weight[name] += math.Abs(value)
		}
	}
	if len(names) > maxChartSeries {
		remarks = append(remarks, sentence("the chart shows the %d largest of %d lines", maxChartSeries, len(names)))
		slices.SortStableFunc(names, func(x, y string) int { return cmp.Compare(weight[y], weight[x]) })
		names = names[:maxChartSeries]
	}
	for _, name := range names {
		s := chart.Series{Name: name, Values: slices.Repeat([]float64{math.NaN()}, len(c.Labels))}
		for _, p := range points {
			if p.line == name {
				s.Values[p.period] = p.value
			}
		}
		c.Series = append(c.Series, s)
	}
	return c, remarks
}
