package tabular_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/tool/builtin/internal/tabular"
)

// TestLawGroupsHaveExactFigures compares Aggregate with a simple calculation over all rows. (A law
// is a property that rapid checks with generated inputs.)
func TestLawGroupsHaveExactFigures(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type row struct {
			day    time.Time
			region string
			amount float64
		}
		var rows []row
		var b strings.Builder
		b.WriteString("region,amount,day\n")
		for range rapid.IntRange(0, 60).Draw(t, "rows") {
			r := row{
				time.Date(2026, 1, 1+rapid.IntRange(0, 400).Draw(t, "day"), 0, 0, 0, 0, time.UTC),
				rapid.SampledFrom([]string{"N", "S", "", "東"}).Draw(t, "region"),
				float64(rapid.IntRange(-50, 50).Draw(t, "amount")) / 4,
			}
			rows = append(rows, r)
			fmt.Fprintf(&b, "%s,%g,%s\n", r.region, r.amount, r.day.Format(time.DateOnly))
		}
		q := tabular.Query{Column: "amount", Quantiles: true}
		if rapid.Bool().Draw(t, "by") {
			q.By = []string{"region"}
		}
		q.Period = rapid.SampledFrom([]tabular.Period{"", tabular.Week, tabular.Month, tabular.Quarter}).Draw(t, "period")
		q.Last = rapid.SampledFrom([]tabular.Period{"", "", tabular.Month, tabular.Quarter, tabular.Year}).Draw(t, "last")
		if q.Last == "" && rapid.Bool().Draw(t, "from") {
			q.From = time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC)
			q.To = time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC)
		}
		q.Date = "day"
		got, err := tabular.Aggregate(context.Background(), open(t, "t.csv", b.String()), q)
		require.NoError(t, err)

		// The first day of the last period is calculated separately.
		from, to := q.From, q.To
		if q.Last != "" {
			require.Equal(t, len(rows) == 0, got.From.IsZero())
			from, to = got.From, got.To
			var newest time.Time
			for _, r := range rows {
				if r.day.After(newest) {
					newest = r.day
				}
			}
			if len(rows) > 0 {
				start := q.Last.Start(newest)
				if q.Last.Next(start).AddDate(0, 0, -1).After(newest) {
					earlier := q.Last.Start(start.AddDate(0, 0, -1))
					if slices.ContainsFunc(rows, func(r row) bool { return q.Last.Start(r.day).Equal(earlier) }) {
						start = earlier
					}
				}
				require.Equal(t, start, from)
			}
		}
		want := map[string][]float64{}
		for _, r := range rows {
			if !from.IsZero() && (r.day.Before(from) || r.day.After(to)) {
				continue
			}
			key := ""
			if q.Period != "" {
				key = q.Period.Name(q.Period.Start(r.day))
			}
			if q.By != nil {
				key += "/" + r.region
			}
			want[key] = append(want[key], r.amount)
		}
		require.Len(t, got.Groups, len(want))
		for _, g := range got.Groups {
			key := ""
			if q.Period != "" {
				key = q.Period.Name(g.Start)
			}
			if q.By != nil {
				key += "/" + g.Keys[0]
			}
			numbers := want[key]
			slices.Sort(numbers)
			sum := 0.0
			for _, n := range numbers {
				sum += n
			}
			require.Equal(t, []float64{float64(len(numbers)), sum, numbers[0], numbers[len(numbers)-1]},
				[]float64{float64(g.Count), g.Sum, g.Min, g.Max}, key)
			require.InDelta(t, sum/float64(len(numbers)), g.Mean(), 1e-12)
			middle := (numbers[(len(numbers)-1)/2] + numbers[len(numbers)/2]) / 2
			require.InDelta(t, middle, g.Quantile(0.5), 1e-12, "%v", numbers)
		}
	})
}

// TestLawQuantilesStayWithinTheirError compares the estimates with the sorted numbers: a rank is
// off by at most the error that the sketch returns. (A law is a property that rapid checks with
// generated inputs.)
func TestLawQuantilesStayWithinTheirError(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60_000).Draw(t, "n")
		step := rapid.SampledFrom([]int{1, 7919, 104729}).Draw(t, "step") // the primes shuffle the numbers
		levelSize := rapid.SampledFrom([]int{33, 64, 4096}).Draw(t, "level size")
		numbers := make([]float64, n)
		for i := range numbers {
			numbers[i] = float64(i*step%n) - 100
		}
		quantile, rankError := tabular.Quantiles(numbers, levelSize)
		slices.Sort(numbers)
		require.LessOrEqual(t, rankError, 0.5)
		for _, q := range []float64{0, 0.05, 0.25, 0.5, 0.9, 1} {
			at, _ := slices.BinarySearch(numbers, quantile(q))
			rank := float64(at)
			for at < n && numbers[at] == quantile(q) {
				at++
			}
			slack := rankError*float64(n) + 1
			require.True(t, rank-slack <= q*float64(n) && q*float64(n) <= float64(at)+slack,
				"q=%g rank=%g..%d of %d, rank error %g", q, rank, at, n, rankError)
		}
	})
}

func TestValuesWithNULDoNotShareAGroup(t *testing.T) {
	content := `{"a":"x\u0000y","b":"z","n":1} {"a":"x","b":"y\u0000z","n":2}`
	got, err := tabular.Aggregate(t.Context(), open(t, "t.jsonl", content),
		tabular.Query{Column: "n", By: []string{"a", "b"}})
	require.NoError(t, err)
	require.Len(t, got.Groups, 2)
}

func TestSumsAreExact(t *testing.T) {
	content := "x\n1e16\n" + strings.Repeat("0.1\n", 10_000) + "-1e16\n"
	got, err := tabular.Aggregate(t.Context(), open(t, "t.csv", content), tabular.Query{Column: "x"})
	require.NoError(t, err)
	require.Equal(t, "1000", tabular.FormatNumber(got.Groups[0].Sum))
}

func TestASumThatIsTooLargeIsInfinite(t *testing.T) {
	got, err := tabular.Aggregate(t.Context(), open(t, "t.csv", "x\n1e308\n1e308\n1\n"), tabular.Query{Column: "x"})
	require.NoError(t, err)
	require.Equal(t, "+Inf", tabular.FormatNumber(got.Groups[0].Sum))
}

func TestNumbersAreShownWithoutErrorsOfRounding(t *testing.T) {
	require.Equal(t, "0", tabular.FormatNumber(math.Copysign(0, -1)))
	require.Equal(t, "0.3", tabular.FormatNumber(0.1+0.2))
	require.Equal(t, "1234567.89", tabular.FormatNumber(1234567.89))
}
