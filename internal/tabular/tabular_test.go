package tabular_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"
	"pgregory.net/rapid"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/internal/tabular"
)

func open(t require.TestingT, name, content string) tabular.Rows {
	rows, err := tabular.Open(context.Background(), strings.NewReader(content),
		tabular.Options{Name: name, Size: int64(len(content))})
	require.NoError(t, err)
	return rows
}

// all returns the columns and the rows of a table.
func all(t require.TestingT, rows tabular.Rows) (columns []string, list [][]string) {
	for {
		cells, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return rows.Columns(), list
		}
		require.NoError(t, err)
		list = append(list, slices.Clone(cells))
	}
}

// workbook is an XLSX file with two sheets.
func workbook(t testing.TB) string {
	t.Helper()
	f := excelize.NewFile()
	date, err := f.NewStyle(&excelize.Style{NumFmt: 14})
	require.NoError(t, err)
	day := func(d int) time.Time { return time.Date(2026, 4, d, 0, 0, 0, 0, time.UTC) }
	for row, cells := range [][]any{{"day", "amount"}, {day(3), 12.5}, {day(4), 7}} {
		for col, cell := range cells {
			name, _ := excelize.CoordinatesToCellName(col+1, row+1)
			require.NoError(t, f.SetCellValue("Sheet1", name, cell))
		}
	}
	require.NoError(t, f.SetCellStyle("Sheet1", "A2", "A3", date))
	_, err = f.NewSheet("Other")
	require.NoError(t, err)
	require.NoError(t, f.SetSheetRow("Other", "A1", &[]string{"name"}))
	require.NoError(t, f.SetSheetRow("Other", "A2", &[]string{"x"}))
	var b bytes.Buffer
	require.NoError(t, f.Write(&b))
	require.NoError(t, f.Close())
	return b.String()
}

func TestEachFormatIsRead(t *testing.T) {
	for _, tt := range []struct {
		name, file, content string
		columns             []string
		rows                [][]string
	}{
		{"commas", "a.csv", "a,b\n1,\"x, y\"\n", []string{"a", "b"}, [][]string{{"1", "x, y"}}},
		{"a byte order mark and carriage returns", "a.csv", "\ufeffa,b\r\n1,2\r\n", []string{"a", "b"}, [][]string{{"1", "2"}}},
		{"semicolons", "a.csv", "a;b\n1,5;2\n", []string{"a", "b"}, [][]string{{"1,5", "2"}}},
		{"tabs", "a.tsv", "a\tb\n1\t2,3\n", []string{"a", "b"}, [][]string{{"1", "2,3"}}},
		{"bars", "a.txt", "a|b\n1|2\n", []string{"a", "b"}, [][]string{{"1", "2"}}},
		{"line breaks in a cell", "a.csv", "a,b\n\"1\n2\",3\n", []string{"a", "b"}, [][]string{{"1\n2", "3"}}},
		{"uneven rows", "a.csv", "a,b\n1\n1,2,3\n", []string{"a", "b"}, [][]string{{"1", ""}, {"1", "2"}}},
		{
			"names that are empty or repeated", "a.csv", "a,,a,a\n1,2,3,4\n",
			[]string{"a", "column 2", "a 2", "a 3"},
			[][]string{{"1", "2", "3", "4"}},
		},
		{
			"names that are equal when they are shortened", "a.csv", strings.Repeat("a", 199) + "é," + strings.Repeat("a", 199) + "\n1,2\n",
			[]string{strings.Repeat("a", 199), strings.Repeat("a", 199) + " 2"},
			[][]string{{"1", "2"}},
		},
		{"a header alone", "a.csv", "a,b\n", []string{"a", "b"}, nil},
		{
			"one object a line", "a.jsonl", "{\"a\":1,\"b\":\"x\"}\n{\"b\":null,\"c\":{\"d\":[2]}}\n",
			[]string{"a", "b", "c"},
			[][]string{{"1", "x"}, {"", "", `{"d":[2]}`}},
		},
		{"an array of objects", "a.json", ` [{"a":true},{"a":1e3}]`, []string{"a"}, [][]string{{"true"}, {"1e3"}}},
		{"an empty array", "a.json", "[]", nil, nil},
		{"XLSX", "a.xlsx", workbook(t), []string{"day", "amount"}, [][]string{{"2026-04-03", "12.5"}, {"2026-04-04", "7"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rows := open(t, tt.file, tt.content)
			columns, got := all(t, rows)
			require.NoError(t, rows.Close())
			require.Equal(t, tt.columns, columns)
			require.Empty(t, cmp.Diff(tt.rows, got))
		})
	}
	rows, err := tabular.Open(t.Context(), strings.NewReader(workbook(t)),
		tabular.Options{Name: "a.xlsx", Size: int64(len(workbook(t))), Sheet: "other"})
	require.NoError(t, err)
	columns, _ := all(t, rows)
	require.Equal(t, []string{"name"}, columns)
	require.Contains(t, rows.Notes()[0].String(), `"Other"`)
}

func TestInvalidTablesAreRefused(t *testing.T) {
	for _, tt := range []struct{ name, file, content, want string }{
		{"another extension", "a.pdf", "x", "is not a table by its name"},
		{"an empty file", "a.csv", "", "is empty"},
		{"an empty JSON file", "a.jsonl", " \n", "is empty"},
		{"a binary file", "a.csv", "a\x00b", "is not text in UTF-8"},
		{"a row without end", "a.csv", "a,b\n1,2\n\"" + strings.Repeat("x", 3<<20), "has a row of more than 1048576 bytes after line 2"},
		{
			"a JSON row without end", "a.jsonl", "{\"a\":1}\n{\"a\":\"" + strings.Repeat("x", 3<<20),
			"has a row of more than 1048576 bytes after row 1",
		},
		{"too many columns", "a.csv", strings.Repeat("a,", 1001), "at most 1000 are read"},
		{"a list", "a.jsonl", "[1]", "not a JSON object"},
		{"no JSON", "a.jsonl", "{\"a\":1}\n{a:2}", "is not JSON after row 1"},
		{"a truncated array", "a.json", `[{"a":1},`, "ends too early after row 1"},
		{"no XLSX", "a.xlsx", "PK\x03\x04 not a zip", "cannot be read as XLSX"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rows, err := tabular.Open(t.Context(), strings.NewReader(tt.content),
				tabular.Options{Name: tt.file, Size: int64(len(tt.content))})
			for err == nil {
				_, err = rows.Next()
			}
			var format *tabular.FormatError
			require.ErrorAs(t, err, &format)
			require.ErrorContains(t, err, tt.want)
		})
	}
}

func TestNumbersInCommonFormsAreRead(t *testing.T) {
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

func TestUnambiguousDatesAreRead(t *testing.T) {
	for text, want := range map[string]string{
		"2026-04-03": "2026-04-03 00:00", "2026-4-3": "2026-04-03 00:00", "2026/4/3": "2026-04-03 00:00", "2026-04": "2026-04-01 00:00",
		"2026-04-03T23:30:00+09:00": "2026-04-03 23:30", "2026-04-03 12:30:15": "2026-04-03 12:30", "3.4.2026": "2026-04-03 00:00",
		"Apr 3, 2026": "2026-04-03 00:00", "2026年4月3日": "2026-04-03 00:00",
		"2026-02-30": "", "03/04/2026": "", "2026": "", "20260403": "", "0000-01-01": "", "x": "", "2026-13-01": "",
	} {
		got, ok := tabular.Date(text)
		require.Equal(t, want != "", ok, text)
		if ok {
			require.Equal(t, want, got.Format("2006-01-02 15:04"), text)
		}
	}
}

// TestLawDatesAreReadAsByEachLayout reads dates in all forms, some of them damaged, as trying each
// form does.
func TestLawDatesAreReadAsByEachLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		date := time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "date"), 0).In(time.FixedZone("", 900*rapid.IntRange(-40, 40).Draw(t, "zone")))
		text := date.Format(rapid.SampledFrom(tabular.Layouts).Draw(t, "layout"))
		if fraction := rapid.SampledFrom([]string{"", "", ".5", ",25", ".123456789"}).Draw(t, "fraction"); strings.Count(text, ":") > 1 {
			text = text[:min(19, len(text))] + fraction + text[min(19, len(text)):]
		}
		if at := rapid.IntRange(-20, len(text)-1).Draw(t, "damage"); at >= 0 {
			text = text[:at] + rapid.SampledFrom([]string{"", " ", "0", "x", "-", "Z", "年"}).Draw(t, "by") +
				text[at+rapid.IntRange(0, 1).Draw(t, "over"):]
		}
		var want time.Time
		text = strings.TrimSpace(text)
		for _, layout := range tabular.Layouts {
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

func TestWhereSelectsRows(t *testing.T) {
	const table = "name,unit price,day,region\nLee and Co,10,2026-04-03,North\nkim,9.5,2026-04-04T10:00:00Z,north\n\"O'Hara, \"\"x\"\"\",,2026-05-01,South\nMax,1000,,\n"
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
	for where, want := range map[string]string{
		"region":              "is not a condition",
		"regio = x":           `did you mean "region"?`,
		"colour = red":        "the columns are name, unit price, day, region",
		"region = a or b = c": "joined with and only",
		strings.Repeat("region = x and ", 30) + "name = y": "at most 20",
	} {
		_, err := tabular.Select(t.Context(), open(t, "t.csv", table), tabular.Selection{Where: where, Start: 1, Limit: 1})
		var query *tabular.QueryError
		require.ErrorAs(t, err, &query)
		require.ErrorContains(t, err, want)
	}
}

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
				rapid.SampledFrom([]string{"N", "S", "", "東"}).Draw(t, "region"), float64(rapid.IntRange(-50, 50).Draw(t, "amount")) / 4,
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

		// The range of the last period, calculated separately.
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

// TestLawQuantilesStayWithinTheirError compares the estimates with the sorted numbers: the rank is
// off by at most what the sketch says.
func TestLawQuantilesStayWithinTheirError(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60_000).Draw(t, "n")
		step := rapid.SampledFrom([]int{1, 7919, 104729}).Draw(t, "step")
		level := rapid.SampledFrom([]int{33, 64, 4096}).Draw(t, "level")
		numbers := make([]float64, n)
		for i := range numbers {
			numbers[i] = float64(i*step%n) - 100
		}
		quantile, off := tabular.Quantiles(numbers, level)
		slices.Sort(numbers)
		require.LessOrEqual(t, off, 0.5)
		for _, q := range []float64{0, 0.05, 0.25, 0.5, 0.9, 1} {
			at, _ := slices.BinarySearch(numbers, quantile(q))
			rank := float64(at)
			for at < n && numbers[at] == quantile(q) {
				at++
			}
			slack := off*float64(n) + 1
			require.True(t, rank-slack <= q*float64(n) && q*float64(n) <= float64(at)+slack,
				"q=%g rank=%g..%d of %d, off %g", q, rank, at, n, off)
		}
	})
}

func TestSumsAreExact(t *testing.T) {
	content := "x\n1e16\n" + strings.Repeat("0.1\n", 10_000) + "-1e16\n"
	got, err := tabular.Aggregate(t.Context(), open(t, "t.csv", content), tabular.Query{Column: "x"})
	require.NoError(t, err)
	require.Equal(t, "1000", tabular.FormatNumber(got.Groups[0].Sum))
	require.Equal(t, "0", tabular.FormatNumber(math.Copysign(0, -1)))
	require.Equal(t, "0.3", tabular.FormatNumber(0.1+0.2))
	require.Equal(t, "1234567.89", tabular.FormatNumber(1234567.89))
}

func TestOmittedRowsAreNoted(t *testing.T) {
	got, err := tabular.Aggregate(t.Context(),
		open(t, "t.csv", "day,x\n2026-04-03,1\n2026-04-03,\n2026-04-03,n/a\n03/04/2026,5\n2026-04-04\n"),
		tabular.Query{Column: "X", Period: tabular.Month})
	require.NoError(t, err)
	require.Equal(t, []int{5, 4, 2, 1, 1}, []int{got.Rows, got.Selected, got.Empty, got.NotNumbers, got.NotDates})
	notes := fmt.Sprint(got.Notes)
	for _, want := range []string{
		"have no number in x, for example \"n/a\"", "have nothing in x", "have no date in day",
		"03/04/2026 could be read in two ways", "more or fewer cells",
	} {
		require.Contains(t, notes, want)
	}
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
			"a column to group by", "a,b\n1,2\n",
			tabular.Query{Column: "a", By: []string{"c"}},
			`there is no column "c"; the columns are a, b`,
		},
		{"periods without dates", "a,b\n1,2\n", tabular.Query{Column: "a", Period: tabular.Month}, "no column has dates"},
		{"two ranges", "a\n1\n", tabular.Query{Column: "a", Last: tabular.Month, From: time.Unix(0, 0)}, "cannot be used together"},
		{"too many groups", groups.String(), tabular.Query{Column: "x", By: []string{"id"}}, "more than 10000 groups"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tabular.Aggregate(t.Context(), open(t, "t.csv", tt.content), tt.query)
			var query *tabular.QueryError
			require.ErrorAs(t, err, &query)
			require.ErrorContains(t, err, tt.want)
		})
	}
}

func TestDescribeSummarizesColumns(t *testing.T) {
	var b strings.Builder
	b.WriteString("day,region,amount,note,nothing,id\n")
	for i := range 100 {
		amount := fmt.Sprint(i)
		if i == 50 {
			amount = "unknown"
		}
		fmt.Fprintf(&b, "2026-04-%02d,%s,%s,%s,,%s\n", 1+i%30, []string{"North", "South", "South"}[i%3], amount,
			strings.Repeat("x", i+50), strings.Repeat("id", i))
	}
	got, err := tabular.Describe(t.Context(), open(t, "t.csv", b.String()))
	require.NoError(t, err)
	require.Equal(t, 100, got.Rows)
	day := func(d int) time.Time { return time.Date(2026, 4, d, 0, 0, 0, 0, time.UTC) }
	want := []tabular.ColumnSummary{
		{Name: "day", Kind: tabular.Dates, Filled: 100, First: day(1), Last: day(30)},
		{
			Name: "region", Kind: tabular.Texts, Filled: 100, Different: 2,
			Top: []tabular.ValueCount{{Value: "South", Count: 66}, {Value: "North", Count: 34}},
		},
		{
			Name: "amount", Kind: tabular.Numbers, Filled: 100, Other: 1, Example: "unknown", Sum: 4900, Mean: 4900.0 / 99,
			Min: 0, Median: 49, Max: 99,
		},
		{Name: "note", Kind: tabular.Texts, Filled: 100, More: true},
		{Name: "nothing", Kind: tabular.Blank, Empty: 100},
		{Name: "id", Kind: tabular.Texts, Filled: 99, Empty: 1, More: true},
	}
	for i := range want {
		if want[i].Kind == tabular.Dates || want[i].Kind == tabular.Numbers {
			got.Columns[i].Different, got.Columns[i].Top, got.Columns[i].More = 0, nil, false
		}
	}
	require.Empty(t, cmp.Diff(want, got.Columns))
}

func TestLawSelectSortsAndLimitsRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cells := rapid.SliceOfN(rapid.SampledFrom([]string{
			"", "3", "12", "-1", "b", "a", "2026-04-03", "2026-01-01",
			"12.0",
		}), 0, 40).Draw(t, "cells")
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

func TestReadingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	content := "a\n" + strings.Repeat("1\n", 1<<20)
	rows, err := tabular.Open(ctx, strings.NewReader(content), tabular.Options{Name: "t.csv", Size: int64(len(content))})
	require.NoError(t, err)
	cancel()
	_, err = tabular.Describe(ctx, rows)
	require.ErrorIs(t, err, context.Canceled)
}

func FuzzOpen(f *testing.F) {
	f.Add("a.csv", "a,b\n1,2\n")
	f.Add("a.jsonl", `{"a":1}`)
	f.Add("a.json", `[{"a":1}]`)
	f.Add("a.xlsx", workbook(f))
	f.Fuzz(func(t *testing.T, name, content string) {
		rows, err := tabular.Open(t.Context(), strings.NewReader(content),
			tabular.Options{Name: name, Size: int64(len(content))})
		if err != nil {
			return
		}
		defer rows.Close()
		d, err := tabular.Describe(t.Context(), rows)
		if err == nil && len(d.Columns) != len(rows.Columns()) {
			t.Fatalf("%d of %d columns are described", len(d.Columns), len(rows.Columns()))
		}
	})
}
