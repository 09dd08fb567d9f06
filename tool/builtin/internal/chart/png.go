package chart

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Font is a font for the texts of a PNG. It is safe for concurrent use.
type Font struct{ parsed *opentype.Font }

// ParseFont reads a TrueType or OpenType font, or the first of a collection.
func ParseFont(data []byte) (*Font, error) {
	collection, err := opentype.ParseCollection(data) // a font by itself counts as a collection
	if err != nil {
		return nil, fmt.Errorf("the font cannot be read: %w", err)
	}
	f, err := collection.Font(0)
	if err != nil {
		return nil, fmt.Errorf("the font cannot be read: %w", err)
	}
	return &Font{f}, nil
}

// MissingLettersError is the error for a text with letters that the font lacks. Letters contains up
// to 10 of these letters.
type MissingLettersError struct{ Letters string }

func (e *MissingLettersError) Error() string {
	return fmt.Sprintf("the font of PNG charts has no letters %s", e.Letters)
}

const (
	titleSize, textSize = vg.Length(15), vg.Length(10) // points
	linesPerPath        = 8                            // a line joins two points
	maxDots             = 100                          // more points get no dots, which would hide the line
)

// PNG draws the chart as an image of 1200 by 675 pixels. If f is nil, the font has the letters of
// Latin, Greek and Cyrillic scripts. The error is a *MissingLettersError if a text has letters that
// the font lacks.
func (c Chart) PNG(f *Font) ([]byte, error) {
	c = c.bounded()
	cache, key := font.DefaultCache, plot.DefaultFont
	if f != nil {
		key = font.Font{Typeface: "chart"}
		cache = font.NewCache(font.Collection{{Font: key, Face: f.parsed}})
	}
	if err := c.checkLetters(cache.Lookup(key, textSize).Face); err != nil {
		return nil, err
	}
	p := plot.New()
	handler := text.Plain{Fonts: cache}
	style := func(s *text.Style, size vg.Length) {
		s.Handler, s.Font = handler, font.From(key, size)
	}
	p.TextHandler = handler
	style(&p.Title.TextStyle, titleSize)
	style(&p.X.Label.TextStyle, textSize)
	style(&p.Y.Label.TextStyle, textSize)
	style(&p.X.Tick.Label, textSize)
	style(&p.Y.Tick.Label, textSize)
	style(&p.Legend.TextStyle, textSize)
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.Title, c.X, c.Y
	p.Title.Padding, p.Legend.Top = vg.Length(10), true
	p.X.Tick.Marker, p.Y.Tick.Marker = c.labelTicks(), valueTicks{}
	p.X.Min, p.X.Max = -0.5, float64(max(1, len(c.Labels)))-0.5 // from half a label before the first point to half a label after the last
	low, high := c.extent()
	axisTicks := ticks(low, high)
	grid := plotter.NewGrid()
	grid.Vertical.Color = nil
	grid.Horizontal.Color = color.Gray{0xdd}
	p.Add(grid)
	for i := range c.Series {
		if err := c.plotSeries(p, i); err != nil {
			return nil, err
		}
	}
	// Adding the series has changed the range of the axis, so it is set after that.
	p.Y.Min, p.Y.Max = axisTicks[0], axisTicks[len(axisTicks)-1]
	// A point is 1/72 inch, so 144 dots per inch are two pixels for each point.
	image := vgimg.NewWith(vgimg.UseWH(vg.Length(600), vg.Length(337.5)), vgimg.UseDPI(144))
	p.Draw(draw.Crop(draw.New(image), 10, -14, 8, -8)) // with margins
	var out bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: image}).WriteTo(&out); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// plotSeries adds the series with the index i to a plot.
func (c Chart) plotSeries(p *plot.Plot, i int) error {
	s, ink := c.Series[i], inkOf(colors[i%len(colors)])
	if c.Kind == Bar {
		values := make(plotter.Values, len(s.Values))
		for j, v := range s.Values {
			if !math.IsNaN(v) {
				values[j] = v
			}
		}
		// The plot area is about 500 points wide. The bars of one label fill 0.8 of the
		// width for a label.
		group := vg.Length(500) * 0.8 / vg.Length(max(1, len(c.Labels)))
		barWidth := group / vg.Length(len(c.Series))
		if len(values) == 0 {
			return nil
		}
		bars, err := plotter.NewBarChart(values, max(barWidth-1, 0.3)) // with a gap, if there is room
		if err != nil {
			return err
		}
		bars.Color, bars.LineStyle.Width = ink, 0
		bars.Offset = barWidth * vg.Length(float64(i)-float64(len(c.Series)-1)/2)
		p.Add(bars)
		if len(c.Series) > 1 {
			p.Legend.Add(s.Name, bars)
		}
		return nil
	}
	for start := 0; start < len(s.Values); start++ {
		var points plotter.XYs
		for ; start < len(s.Values) && !math.IsNaN(s.Values[start]); start++ {
			points = append(points, plotter.XY{X: float64(start), Y: s.Values[start]})
		}
		// The time to draw a path grows faster than its length, so a long one is drawn in pieces.
		for first := 0; first < len(points); first += linesPerPath {
			line, dots, err := plotter.NewLinePoints(points[first:min(len(points), first+linesPerPath+1)])
			if err != nil {
				return err
			}
			line.Color, line.Width = ink, 2
			dots.Color, dots.Shape, dots.Radius = ink, draw.CircleGlyph{}, 2.5
			if p.Add(line); len(s.Values) <= maxDots {
				p.Add(dots)
			}
		}
	}
	if len(c.Series) > 1 {
		p.Legend.Add(s.Name, &plotter.Line{LineStyle: draw.LineStyle{Color: ink, Width: 2}})
	}
	return nil
}

// checkLetters returns a *MissingLettersError if a text has letters that the font lacks.
func (c Chart) checkLetters(f *opentype.Font) error {
	texts := append([]string{c.Title, c.X, c.Y}, c.Labels...)
	for _, s := range c.Series {
		texts = append(texts, s.Name)
	}
	var missing []rune
	var buffer sfnt.Buffer
	for _, t := range texts {
		for _, r := range t {
			i, err := f.GlyphIndex(&buffer, r)
			lacks := err != nil || i == 0 // glyph 0 is drawn for letters that the font lacks
			if lacks && len(missing) < 10 && !slices.Contains(missing, r) {
				missing = append(missing, r)
			}
		}
	}
	if missing != nil {
		return &MissingLettersError{string(missing)}
	}
	return nil
}

// labelTicks returns the labels of the points, as many as there is room for.
func (c Chart) labelTicks() plot.ConstantTicks {
	longest := 1
	for _, l := range c.Labels {
		longest = max(longest, columns(l))
	}
	every := max(1, (len(c.Labels)*(longest+2)+79)/80) // 80 letters fit, with 2 between labels
	var list plot.ConstantTicks
	for i := 0; i < len(c.Labels); i += every {
		list = append(list, plot.Tick{Value: float64(i), Label: c.Labels[i]})
	}
	return list
}

// valueTicks is a plot.Ticker with round numbers.
type valueTicks struct{}

// Ticks implements plot.Ticker.
func (valueTicks) Ticks(low, high float64) (list []plot.Tick) {
	for _, v := range ticks(low, high) {
		list = append(list, plot.Tick{Value: v, Label: number(v)})
	}
	return list
}

// inkOf returns the color that a text such as "#0072b2" describes.
func inkOf(hex string) color.Color {
	n, _ := strconv.ParseUint(hex[1:], 16, 32) // cannot fail: hex is an element of colors
	return color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 0xff}
}
