package chart_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/tool/builtin/internal/chart"
)

func sales(kind chart.Kind) chart.Chart {
	return chart.Chart{
		Kind: kind, Title: "Sales", X: "month", Y: "amount", Labels: []string{"2026-04", "2026-05", "2026-06"},
		Series: []chart.Series{{"North", []float64{10, 20, 15}}, {"South", []float64{5, math.NaN(), -3}}},
	}
}

// elements returns how often each element occurs in an SVG, and the texts of the SVG. No attribute
// may contain NaN or Inf.
func elements(t require.TestingT, svg []byte) (count map[string]int, texts []string) {
	count = map[string]int{}
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return count, texts
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			count[token.Name.Local]++
			for _, a := range token.Attr {
				require.NotContains(t, a.Value, "NaN")
				require.NotContains(t, a.Value, "Inf")
			}
		case xml.CharData:
			texts = append(texts, string(token))
		}
	}
}

func TestAnSVGShowsEachValueAndName(t *testing.T) {
	count, texts := elements(t, sales(chart.Line).SVG())
	require.Equal(t, 2, count["path"])
	require.Equal(t, 5, count["circle"], "a missing value has no point")
	require.Subset(t, texts, []string{"Sales", "month", "amount", "2026-04", "2026-06", "North", "South", "North, 2026-05: 20"})

	count, texts = elements(t, sales(chart.Bar).SVG())
	require.Equal(t, 1+5+2, count["rect"], "the background, the bars and the legend")
	require.Contains(t, texts, "0")
}

// TestALegendFitsTheImage estimates the widths of names as the chart does: 7.5 units for a letter,
// and 15 for a Chinese character.
func TestALegendFitsTheImage(t *testing.T) {
	entry := regexp.MustCompile(`<text x="([0-9.]+)" y="46">([^<]+)</text>`)
	for _, name := range []string{"a product with a long name", "名字很长的产品很难显示完整", "名字 with a long name", "12号店"} {
		for n := 2; n <= chart.MaxSeries; n++ {
			c := chart.Chart{Kind: chart.Bar, Labels: []string{"a"}}
			for range n {
				c.Series = append(c.Series, chart.Series{Name: name, Values: []float64{1}})
			}
			entries := entry.FindAllStringSubmatch(string(c.SVG()), -1)
			require.Len(t, entries, n)
			right, err := strconv.ParseFloat(entries[n-1][1], 64)
			require.NoError(t, err)
			for _, r := range entries[n-1][2] {
				if right += 7.5; r >= 0x1100 && r != '…' {
					right += 7.5
				}
			}
			require.NotEqual(t, "…", entries[n-1][2], "%d series named %s", n, name)
			require.LessOrEqual(t, right, 800.0, "%d series named %s", n, name)
		}
	}
}

// TestLawAnSVGContainsNothingActive draws charts with hostile texts and values. Each SVG is
// well-formed, and contains only elements that do nothing. (A law is a property that rapid checks
// with generated inputs.)
func TestLawAnSVGContainsNothingActive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hostile := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			`</title><script>alert(1)</script>`, `" onload="alert(1)`, "]]>", "<!--", "\x00\x1b", "&#0;", "\ufffe",
			strings.Repeat("長", 500),
		}))
		c := chart.Chart{
			Kind:  rapid.SampledFrom([]chart.Kind{chart.Line, chart.Bar}).Draw(t, "kind"),
			Title: hostile.Draw(t, "title"), X: hostile.Draw(t, "x"), Y: hostile.Draw(t, "y"),
			Labels: rapid.SliceOfN(hostile, 0, 20).Draw(t, "labels"),
		}
		for range rapid.IntRange(0, 15).Draw(t, "series") {
			values := rapid.SliceOfN(rapid.OneOf(rapid.Float64(),
				rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.MaxFloat64, -math.MaxFloat64, 0})),
				0, 25).Draw(t, "values")
			c.Series = append(c.Series, chart.Series{Name: hostile.Draw(t, "name"), Values: values})
		}
		count, _ := elements(t, c.SVG())
		for name := range count {
			require.Contains(t, []string{"svg", "title", "rect", "text", "line", "path", "circle"}, name)
		}
	})
}

func TestAPNGShowsEachSeries(t *testing.T) {
	for _, kind := range []chart.Kind{chart.Line, chart.Bar} {
		data, err := sales(kind).PNG(nil)
		require.NoError(t, err)
		image, err := png.Decode(bytes.NewReader(data))
		require.NoError(t, err)
		require.Equal(t, 1200, image.Bounds().Dx())
		colored := map[uint32]int{} // the number of pixels, by color as 0xRRGGBB
		for x := range 1200 {
			for y := range image.Bounds().Dy() {
				r, g, b, _ := image.At(x, y).RGBA() // 16 bits each
				colored[r>>8<<16|g>>8<<8|b>>8]++
			}
		}
		require.Greater(t, colored[0x0072b2], 200, "the first series is drawn")
		require.Greater(t, colored[0xd55e00], 50, "the second series is drawn")
		require.Greater(t, colored[0xffffff], 300_000, "the background is white")
	}
}

func TestAPNGNeedsAFontWithAllItsLetters(t *testing.T) {
	c := sales(chart.Line)
	c.Title = "Sales 销售额"
	_, err := c.PNG(nil)
	var missing *chart.MissingLettersError
	require.ErrorAs(t, err, &missing)
	require.Equal(t, "销售额", missing.Letters)

	f, err := chart.ParseFont(liberationsansregular.TTF)
	require.NoError(t, err)
	_, err = c.PNG(f)
	require.ErrorAs(t, err, &missing, "the given font lacks the letters, too")
	c.Title, c.Labels[0] = "Sales", "April\n2026\t" // white space needs no letters
	_, err = c.PNG(f)
	require.NoError(t, err)
	_, err = chart.ParseFont([]byte("no font"))
	require.Error(t, err)
}

func TestEmptyAndExtremeChartsAreDrawn(t *testing.T) {
	many := make([]float64, 3000)
	for i := range many {
		many[i] = math.Sin(float64(i))
	}
	for name, c := range map[string]chart.Chart{
		"nothing":             {Kind: chart.Line},
		"one point":           {Kind: chart.Line, Labels: []string{"a"}, Series: []chart.Series{{"", []float64{7}}}},
		"only missing values": {Kind: chart.Bar, Labels: []string{"a"}, Series: []chart.Series{{"", []float64{math.NaN()}}}},
		"many points":         {Kind: chart.Line, Labels: make([]string, 3000), Series: []chart.Series{{"", many}}},
		"extreme values": {
			Kind: chart.Line, Labels: []string{"a", "b"},
			Series: []chart.Series{{"", []float64{-math.MaxFloat64, math.MaxFloat64}}},
		},
		"tiny values": {
			Kind: chart.Bar, Labels: []string{"a", "b"},
			Series: []chart.Series{{"", []float64{math.SmallestNonzeroFloat64, 0}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			svg := c.SVG()
			elements(t, svg)
			require.Less(t, len(svg), 1<<20)
			_, err := c.PNG(nil)
			require.NoError(t, err)
		})
	}
}
