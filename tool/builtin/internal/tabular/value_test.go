package tabular_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/tool/builtin/internal/tabular"
)

func TestOnlyNumbersInCommonFormsAreRead(t *testing.T) {
	for _, tt := range []struct {
		text         string
		decimalComma bool
		want         float64
		ok           bool
	}{
		{"12", false, 12, true},
		{" -3.5 ", false, -3.5, true},
		{"1e3", false, 1000, true},
		{"+7", false, 7, true},
		{"1,234.50", false, 1234.5, true},
		{"-1,234,567", false, -1234567, true},
		{"$12", false, 12, true},
		{"12 €", false, 12, true},
		{"-$1,000", false, -1000, true},
		{"￥8", false, 8, true},
		{"1.234,50", true, 1234.5, true},
		{"3,5", true, 3.5, true},
		{"3,5", false, 0, false},
		{"1,23,456", false, 0, false},
		{",123", false, 0, false},
		{"", false, 0, false},
		{"-", false, 0, false},
		{".", false, 0, false},
		{"NaN", false, 0, false},
		{"inf", false, 0, false},
		{"0x10", false, 0, false},
		{"1_000", false, 0, false},
		{"1e999", false, 0, false},
		{"e", false, 0, false},
		{"12kg", false, 0, false},
	} {
		got, ok := tabular.Number(tt.text, tt.decimalComma)
		require.Equal(t, []any{tt.want, tt.ok}, []any{got, ok}, "%q", tt.text)
	}
}

func TestOnlyUnambiguousDatesAreRead(t *testing.T) {
	for text, want := range map[string]string{
		"2026-04-03": "2026-04-03 00:00", "2026-4-3": "2026-04-03 00:00", "2026/4/3": "2026-04-03 00:00",
		"2026-04-03T23:30:00+09:00": "2026-04-03 23:30", "2026-04-03 12:30:15": "2026-04-03 12:30",
		"2026-04": "2026-04-01 00:00", "3.4.2026": "2026-04-03 00:00", "Apr 3, 2026": "2026-04-03 00:00",
		"2026年4月3日":  "2026-04-03 00:00",
		"2026-02-30": "", "03/04/2026": "", "2026": "", "20260403": "", "0000-01-01": "", "x": "", "2026-13-01": "",
	} {
		got, ok := tabular.Date(text)
		require.Equal(t, want != "", ok, text)
		if ok {
			require.Equal(t, want, got.Format("2006-01-02 15:04"), text)
		}
	}
}

// TestLawDatesAreReadAsByEachLayout compares Date with a loop that tries each layout. Some of the
// dates are damaged. (A law is a property that rapid checks with generated inputs.)
func TestLawDatesAreReadAsByEachLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const quarterHour = 15 * 60 // seconds
		zone := time.FixedZone("", quarterHour*rapid.IntRange(-40, 40).Draw(t, "zone"))
		date := time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "date"), 0).In(zone)
		text := date.Format(rapid.SampledFrom(tabular.Layouts).Draw(t, "layout"))
		fraction := rapid.SampledFrom([]string{"", "", ".5", ",25", ".123456789"}).Draw(t, "fraction")
		if strings.Count(text, ":") > 1 { // in most layouts with seconds, they end at the same byte
			end := min(len("2006-01-02 15:04:05"), len(text))
			text = text[:end] + fraction + text[end:]
		}
		if at := rapid.IntRange(-20, len(text)-1).Draw(t, "damage"); at >= 0 {
			text = text[:at] + rapid.SampledFrom([]string{"", " ", "0", "x", "-", "Z", "年"}).Draw(t, "by") +
				text[at+rapid.IntRange(0, 1).Draw(t, "over"):]
		}
		var want time.Time
		text = strings.TrimSpace(text)
		for _, layout := range tabular.Layouts {
			// Date refuses shorter and longer texts.
			if found, err := time.Parse(layout, text); err == nil && found.Year() > 0 && len(text) > 5 && len(text) <= 35 {
				want = time.Date(found.Year(), found.Month(), found.Day(),
					found.Hour(), found.Minute(), found.Second(), 0, time.UTC)
				break
			}
		}
		got, ok := tabular.Date(text)
		require.Equal(t, want, got, "%q", text)
		require.Equal(t, !want.IsZero(), ok, "%q", text)
	})
}
