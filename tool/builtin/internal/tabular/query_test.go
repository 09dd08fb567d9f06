package tabular_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/tool/builtin/internal/tabular"
)

func TestPeriodsHaveNamesAndEnds(t *testing.T) {
	for _, tt := range []struct {
		date   string
		period tabular.Period
		name   string
		end    string
	}{
		{"2026-04-03", tabular.Day, "2026-04-03", "2026-04-03"},
		{"2026-01-01", tabular.Week, "2026-W01", "2026-01-04"},
		{"2027-01-03", tabular.Week, "2026-W53", "2027-01-03"},
		{"2028-02-29", tabular.Month, "2028-02", "2028-02-29"},
		{"2026-06-30", tabular.Quarter, "2026-Q2", "2026-06-30"},
		{"2026-12-31", tabular.Quarter, "2026-Q4", "2026-12-31"},
		{"2026-05-05", tabular.Year, "2026", "2026-12-31"},
	} {
		date, ok := tabular.Date(tt.date)
		require.True(t, ok)
		start := tt.period.Start(date)
		require.Equal(t, []string{tt.name, tt.end},
			[]string{tt.period.Name(start), tt.period.Next(start).AddDate(0, 0, -1).Format(time.DateOnly)}, "%+v", tt)
	}
}

// salesColumns is the first row of the tables for conditions.
const salesColumns = "name,unit price,day,region"

func TestWhereSelectsRows(t *testing.T) {
	const table = salesColumns + "\nLee and Co,10,2026-04-03,North\nkim,9.5,2026-04-04T10:00:00Z,north\n" +
		"\"O'Hara, \"\"x\"\"\",,2026-05-01,South\nMax,1000,,\n"
	for _, tt := range []struct{ where, want string }{
		{"", "Lee and Co|kim|O'Hara, \"x\"|Max"},
		{"region = north", "Lee and Co|kim"},
		{"Region != north", "O'Hara, \"x\"|Max"},
		{"unit price >= 10", "Lee and Co|Max"},
		{"unit_price<10", "kim"},
		{"unit price > 9 and region = North", "Lee and Co|kim"},
		{"unit price > 9 AND region = North && day = 2026-04-04", "kim"},
		{"name contains hara", "O'Hara, \"x\""},
		{`name = "Lee and Co"`, "Lee and Co"},
		{"name = 'Lee and Co'", "Lee and Co"},
		{"day < 2026-05-01", "Lee and Co|kim"},
		{"region = \"\"", "Max"},
		{`"unit price" = "10"`, "Lee and Co"},
	} {
		t.Run(tt.where, func(t *testing.T) {
			got, err := tabular.Select(t.Context(), open(t, "t.csv", table),
				tabular.Selection{Where: tt.where, Columns: []string{"name"}, Start: 1, Limit: 10})
			require.NoError(t, err)
			var names []string
			for _, row := range got.Rows {
				names = append(names, row[0])
			}
			require.Equal(t, tt.want, strings.Join(names, "|"))
		})
	}
}

func TestInvalidConditionsAreRefused(t *testing.T) {
	for where, want := range map[string]string{
		"region":                      "is not a condition",
		"regio = x":                   `did you mean "region"?`,
		"colour = red":                "the columns are name, unit price, day, region",
		"region = a or b = c":         "joined with `and` only",
		"region = a and and name = b": `there is no column "and name"`,
		strings.Repeat("region = x and ", 30) + "name = y": "at most 20",
		strings.Repeat("regio = x and ", 30) + "name = y":  "at most 20", // before any is read
	} {
		_, err := tabular.Select(t.Context(), open(t, "t.csv", salesColumns+"\n"),
			tabular.Selection{Where: where, Start: 1, Limit: 1})
		var query *tabular.Error
		require.ErrorAs(t, err, &query)
		require.ErrorContains(t, err, want)
	}
	_, err := tabular.Select(t.Context(), open(t, "t.csv", salesColumns+"\n"),
		tabular.Selection{Columns: slices.Repeat([]string{"day"}, 1001), Start: 1, Limit: 1})
	require.ErrorContains(t, err, "at most 1000 are allowed")
}

func TestInvalidQueriesAreRefused(t *testing.T) {
	var groups strings.Builder
	groups.WriteString("id,x\n")
	for i := range tabular.MaxGroups + 1 {
		fmt.Fprintf(&groups, "%d,1\n", i)
	}
	for _, tt := range []struct {
		name, content string
		query         tabular.Query
		want          string
	}{
		{"an unknown column", "revenue\n1\n", tabular.Query{Column: "revenu"}, `did you mean "revenue"?`},
		{
			"an unknown column to group by", "a,b\n1,2\n",
			tabular.Query{Column: "a", By: []string{"c"}},
			`there is no column "c"; the columns are a, b`,
		},
		{
			"too many columns to group by", "a\n1\n",
			tabular.Query{Column: "a", By: slices.Repeat([]string{"a"}, 1001)},
			"at most 1000 are allowed",
		},
		{"periods without dates", "a,b\n1,2\n", tabular.Query{Column: "a", Period: tabular.Month}, "no column has dates"},
		{
			"two ranges",
			"a\n1\n",
			tabular.Query{Column: "a", Last: tabular.Month, From: time.Unix(0, 0)},
			"cannot be used together",
		},
		{"too many groups", groups.String(), tabular.Query{Column: "x", By: []string{"id"}}, "more than 10000 groups"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tabular.Aggregate(t.Context(), open(t, "t.csv", tt.content), tt.query)
			var query *tabular.Error
			require.ErrorAs(t, err, &query)
			require.ErrorContains(t, err, tt.want)
		})
	}
}

// TestLawSelectSortsAndLimitsRows compares Select with a simple sort of all rows. (A law is a
// property that rapid checks with generated inputs.)
func TestLawSelectSortsAndLimitsRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sample := rapid.SampledFrom([]string{"", "3", "12", "12.0", "-1", "b", "a", "2026-04-03", "2026-01-01"})
		cells := rapid.SliceOfN(sample, 0, 40).Draw(t, "cells")
		var b strings.Builder
		b.WriteString("n,v\n")
		for i, c := range cells {
			fmt.Fprintf(&b, "%d,%s\n", i, c)
		}
		s := tabular.Selection{
			Sort: "v", Descending: rapid.Bool().Draw(t, "descending"),
			Start: rapid.IntRange(1, 10).Draw(t, "start"), Limit: rapid.IntRange(1, 50).Draw(t, "limit"),
		}
		got, err := tabular.Select(context.Background(), open(t, "t.csv", b.String()), s)
		require.NoError(t, err)
		// class is the class of a cell in the sort order, and value gives the order within the
		// class.
		class := func(c string) int { return map[string]int{"": 3, "b": 2, "a": 2, "2026-04-03": 1, "2026-01-01": 1}[c] }
		value := map[string]int{"3": 3, "12": 12, "12.0": 12, "-1": -1, "b": 2, "a": 1, "2026-04-03": 2, "2026-01-01": 1}
		order := make([]int, len(cells))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(i, j int) int {
			a, b := cells[i], cells[j]
			if class(a) != class(b) {
				return class(a) - class(b)
			}
			if s.Descending {
				return value[b] - value[a]
			}
			return value[a] - value[b]
		})
		order = order[min(s.Start-1, len(order)):]
		order = order[:min(s.Limit, len(order))]
		var want, have []string
		for _, i := range order {
			want = append(want, fmt.Sprint(i))
		}
		for _, row := range got.Rows {
			have = append(have, row[0])
		}
		require.Equal(t, want, have)
		require.Equal(t, len(cells), got.Matching)
	})
}
