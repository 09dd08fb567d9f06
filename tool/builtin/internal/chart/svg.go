package chart

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The size of an SVG in its own units, and the edges of the plot area in it.
const (
	width, height = 800.0, 450.0
	left, right   = 84.0, 776.0
	top, bottom   = 56.0, 360.0

	letterWidth = 7.5 // about that of most letters
)

// colors are the colors of the series. People with color blindness can tell the first six apart
// (Okabe and Ito).
var colors = []string{
	"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c564b", "#7f7f7f", "#bcbd22", "#17becf", "#9467bd", "#000000",
}

// SVG returns the chart as an SVG document. It contains no script, no style sheet and no link.
func (c Chart) SVG() []byte {
	c = c.bounded()
	d := drawing{chart: c}
	low, high := c.extent()
	d.ticks = ticks(low, high)
	d.low, d.high = d.ticks[0], d.ticks[len(d.ticks)-1]
	d.writef(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" role="img" `+
		`font-family="system-ui, 'Noto Sans', 'Noto Sans CJK SC', 'Microsoft YaHei', 'PingFang SC', sans-serif" `+
		`font-size="12" fill="#222">`, width, height)
	d.writef("\n<title>%s</title>\n", escape(c.Title))
	d.writef(`<rect width="%g" height="%g" fill="#fff"/>`+"\n", width, height)
	d.writef(`<text x="%g" y="26" font-size="17" font-weight="600">%s</text>`+"\n", left, escape(c.Title))
	d.axes()
	for i := range c.Series {
		if c.Kind == Bar {
			d.bars(i)
		} else {
			d.line(i)
		}
	}
	d.legend()
	d.writef("</svg>\n")
	return d.out.Bytes()
}

// drawing is an SVG that is being written.
type drawing struct {
	out       bytes.Buffer
	chart     Chart
	ticks     []float64 // values at the vertical axis
	low, high float64   // the first and the last of ticks
}

func (d *drawing) writef(format string, args ...any) { fmt.Fprintf(&d.out, format, args...) }

func escape(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // writing to a Buffer never fails
	return b.String()
}

// coordinate returns a coordinate with at most one decimal place.
func coordinate(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }

// y returns the vertical position of a value.
func (d *drawing) y(v float64) float64 {
	return bottom - (v-d.low)/(d.high-d.low)*(bottom-top)
}

// slot returns the width that each point has on the horizontal axis.
func (d *drawing) slot() float64 { return (right - left) / float64(max(1, len(d.chart.Labels))) }

// x returns the horizontal position of the point with the given index.
func (d *drawing) x(i int) float64 { return left + d.slot()*(float64(i)+0.5) }

func (d *drawing) axes() {
	for _, tick := range d.ticks {
		y := coordinate(d.y(tick))
		stroke := "#ddd"
		if tick == 0 {
			stroke = "#888"
		}
		d.writef(`<line x1="%g" x2="%g" y1="%s" y2="%s" stroke="%s"/><text x="%g" y="%s" text-anchor="end" dy="4">%s</text>`+"\n",
			left, right, y, y, stroke, left-8, y, number(tick))
	}
	longest := 0
	for _, l := range d.chart.Labels {
		longest = max(longest, columns(l))
	}
	perLabel := d.slot() / letterWidth // how many letters fit
	turned := float64(longest) > perLabel
	every := 1
	if turned {
		every = int(math.Ceil(16 / d.slot())) // a turned label takes 16 units
	}
	for i := 0; i < len(d.chart.Labels); i += every {
		x := coordinate(d.x(i))
		if turned {
			// 12 letters fit below the plot area.
			d.writef(`<text x="%s" y="%g" text-anchor="end" transform="rotate(-40 %s %g)">%s</text>`+"\n", x, bottom+16,
				x, bottom+16, escape(short(d.chart.Labels[i], 12)))
		} else {
			d.writef(`<text x="%s" y="%g" text-anchor="middle">%s</text>`+"\n", x, bottom+18, escape(d.chart.Labels[i]))
		}
	}
	d.writef(`<text x="%g" y="%g" text-anchor="middle" fill="#555">%s</text>`+"\n", (left+right)/2, height-10, escape(d.chart.X))
	d.writef(`<text x="18" y="%g" text-anchor="middle" fill="#555" transform="rotate(-90 18 %g)">%s</text>`+"\n",
		(top+bottom)/2, (top+bottom)/2, escape(d.chart.Y))
}

// columns returns about how wide a text is, in letters. A Chinese character is as wide as two
// letters.
func columns(s string) int {
	n := utf8.RuneCountInString(s)
	for _, r := range s {
		if r >= 0x1100 && r != '…' { // Hangul; the wide scripts come after it
			n++
		}
	}
	return n
}

// tooltip returns the text that a viewer shows when the pointer is on a point.
func (d *drawing) tooltip(series, i int) string {
	name := d.chart.Series[series].Name
	if name != "" {
		name += ", "
	}
	return escape(fmt.Sprintf("%s%s: %s", name, d.chart.Labels[i],
		strconv.FormatFloat(d.chart.Series[series].Values[i], 'g', 15, 64)))
}

func (d *drawing) line(series int) {
	color := colors[series%len(colors)]
	var path strings.Builder
	values := d.chart.Series[series].Values
	for i, v := range values {
		if math.IsNaN(v) {
			continue
		}
		command := "L"
		if i == 0 || math.IsNaN(values[i-1]) {
			command = "M"
		}
		path.WriteString(command + coordinate(d.x(i)) + " " + coordinate(d.y(v)))
	}
	d.writef(`<path d="%s" fill="none" stroke="%s" stroke-width="2" stroke-linejoin="round"/>`+"\n", path.String(), color)
	radius := coordinate(min(3.5, max(1, d.slot()/4))) // smaller if the points are close together
	for i, v := range values {
		if !math.IsNaN(v) {
			d.writef(`<circle cx="%s" cy="%s" r="%s" fill="%s"><title>%s</title></circle>`+"\n",
				coordinate(d.x(i)), coordinate(d.y(v)), radius, color, d.tooltip(series, i))
		}
	}
}

func (d *drawing) bars(series int) {
	group := d.slot() * 0.8 // the width of all bars of one point
	barWidth := group / float64(len(d.chart.Series))
	for i, v := range d.chart.Series[series].Values {
		if math.IsNaN(v) {
			continue
		}
		y0, y1 := d.y(0), d.y(v)
		d.writef(`<rect x="%s" y="%s" width="%s" height="%s" fill="%s"><title>%s</title></rect>`+"\n",
			coordinate(d.x(i)-group/2+barWidth*float64(series)), coordinate(min(y0, y1)),
			coordinate(max(barWidth-1, 0.5)), // with a gap, if there is room
			coordinate(math.Abs(y1-y0)),
			colors[series%len(colors)], d.tooltip(series, i))
	}
}

func (d *drawing) legend() {
	if len(d.chart.Series) < 2 {
		return
	}
	const square = 28.0 // the width of a square with its gaps
	room := (right-left)/float64(len(d.chart.Series)) - square
	limit := min(14, int(room/letterWidth)) // columns of a name
	x := left
	for i, s := range d.chart.Series {
		name := short(s.Name, limit)
		for length := limit; columns(name) > limit && length > 1; length-- { // some characters fill two columns
			name = short(s.Name, length)
		}
		d.writef(`<rect x="%s" y="36" width="12" height="12" fill="%s"/><text x="%s" y="46">%s</text>`+"\n",
			coordinate(x), colors[i%len(colors)], coordinate(x+16), escape(name))
		x += square + letterWidth*float64(columns(name))
	}
}
