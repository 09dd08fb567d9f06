package builtin_test

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/memorytest"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin"
)

// newTableToolkit returns a toolkit with only the table tool, and the file data/orders.csv.
func newTableToolkit(t testing.TB) toolkit {
	t.Helper()
	k := newToolkitWith(t, func(root *os.Root) ([]tool.Tool, error) {
		table, err := builtin.Table(root, builtin.TableOptions{})
		return []tool.Tool{table}, err
	})
	k.write(t, "data/orders.csv", orders)
	return k
}

// orders end in the middle of May, so the last complete quarter is 2026-Q1.
const orders = `day,region,price,note
2025-12-30,North,1,x
2026-01-10,North,10,secret row
2026-01-20,South,20.5,x
2026-03-05,North,30,x
2026-03-31,South,n/a,x
2026-05-15,South,99,"a|b"
`

func TestAggregateWritesFigures(t *testing.T) {
	k := newTableToolkit(t)
	for _, tt := range []struct {
		name string
		args args
		want string
	}{
		{"a trend in the last quarter", args{
			"column": "price", "period": "month", "range": "last quarter",
		}, `sum of price in data/orders.csv, last quarter (2026-01-01 to 2026-03-31), of 4 rows of 6:
| month | sum of price | change |
| --- | --- | --- |
| 2026-01 | 30.5 |  |
| 2026-02 | 0 | -100.0 % |
| 2026-03 | 30 |  |

All together: sum 60.5, mean 20.16667.
From 2026-01 to 2026-03 the value went from 30.5 to 30 (-1.6 %).
(the dates end on 2026-05-15, so 2026-Q2 is not complete and the quarter before it is taken; set from and to for another range.)
(1 of the selected rows have no number in price, for example "n/a"; they are omitted.)`},
		{"groups, the largest first", args{
			"column": "Price", "by": "region", "where": "price > 5",
		}, `sum of price in data/orders.csv, where price > 5, of 4 rows of 6:
| region | sum of price |
| --- | --- |
| South | 119.5 |
| North | 40 |

All together: sum 159.5, mean 39.875.`},
		{"groups over time", args{
			"column": "price", "measure": "count", "by": "region", "period": "quarter", "from": "2026-01-01",
		}, `count of price in data/orders.csv, from 2026-01-01, of 5 rows of 6:
| quarter | region | count of price |
| --- | --- | --- |
| 2026-Q1 | North | 2 |
| 2026-Q1 | South | 1 |
| 2026-Q2 | South | 1 |

All together: count 4.
(1 of the selected rows have no number in price, for example "n/a"; they are omitted.)`},
		{"all figures up to a date", args{
			"column": "price", "measure": "all", "to": "2026-01-31",
		}, `figures of price in data/orders.csv, to 2026-01-31, of 3 rows of 6:
| count of price | sum of price | mean of price | min of price | median of price | max of price |
| --- | --- | --- | --- | --- | --- |
| 3 | 31.5 | 10.5 | 1 | 10 | 20.5 |`},
		{
			"no row",
			args{"column": "price", "period": "day", "from": "2027-01-01"},
			"None of 6 rows in data/orders.csv is selected. The dates in day go from 2025-12-30 to 2026-05-15.",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.args["path"] = "data/orders.csv"
			out, err := k.call(t, "table_aggregate", tt.args)
			require.NoError(t, err)
			require.Equal(t, tt.want, strings.TrimSpace(out.Text))
			require.NotContains(t, out.Text, "secret row")
			require.Empty(t, out.Files)
		})
	}
}

func TestAggregateDrawsCharts(t *testing.T) {
	k := newTableToolkit(t)
	a := args{"path": "data/orders.csv", "column": "price", "period": "month", "chart": "true"}
	out, err := k.call(t, "table_aggregate", a)
	require.NoError(t, err)
	require.Len(t, out.Files, 1)
	require.Equal(t, "orders-sum.svg", out.Files[0].Name)
	require.Contains(t, string(out.Files[0].Data), "2026-03: 30<")
	require.Contains(t, out.Text, "The chart orders-sum.svg is shown to the user.")

	a["format"], a["measure"] = "png", "quantiles"
	out, err = k.call(t, "table_aggregate", a)
	require.NoError(t, err)
	_, err = png.Decode(bytes.NewReader(out.Files[0].Data))
	require.NoError(t, err)

	k.write(t, "销售.csv", "月,金额\n2026-01-01,3\n")
	_, err = k.call(t, "table_aggregate",
		args{"path": "销售.csv", "column": "金额", "period": "month", "chart": "true", "format": "png"})
	require.ErrorContains(t, err, "set format to svg")
	out, err = k.call(t, "table_aggregate", args{"path": "销售.csv", "column": "金额", "period": "month", "chart": "true"})
	require.NoError(t, err)
	require.Contains(t, string(out.Files[0].Data), "sum of 金额")
}

func TestDescribeShowsColumns(t *testing.T) {
	out, err := newTableToolkit(t).call(t, "table_describe", args{"path": "data/orders.csv"})
	require.NoError(t, err)
	require.Equal(t, `data/orders.csv has 6 rows and 4 columns:
- day (date): 2025-12-30 to 2026-05-15
- region (text): 2 different values: "North" (3), "South" (3)
- price (text): 6 different values: "1" (1), "10" (1), "20.5" (1), "30" (1), "99" (1) and others
- note (text): 3 different values: "x" (4), "a|b" (1), "secret row" (1)`, out.Text)
}

func TestATableWithoutColumnsIsDescribed(t *testing.T) {
	k := newTableToolkit(t)
	k.write(t, "empty.json", "[]")
	found, err := k.Resolve("table_describe", "", nil)
	require.NoError(t, err)
	for _, room := range []int{0, 1000} {
		call := callFor(found, `{"path":"empty.json"}`)
		call.Fits = func(text string) bool { return len(text) <= room }
		out, err := found.Entry.Method.Handler(t.Context(), call)
		require.NoError(t, err)
		require.Equal(t, "empty.json has 0 rows and 0 columns:", out.Text)
	}
}

func TestRowsShowsSelectedRows(t *testing.T) {
	k := newTableToolkit(t)
	out, err := k.call(t, "table_rows", args{
		"path": "data/orders.csv", "where": "region = south", "columns": "price, note", "sort": "price",
		"descending": "true",
	})
	require.NoError(t, err)
	require.Equal(t, "| price | note |\n| --- | --- |\n| 99 | a\\|b |\n| 20.5 | x |\n| n/a | x |", out.Text)
	out, err = k.call(t, "table_rows",
		args{"path": "data/orders.csv", "limit": "2", "startRow": "3", "columns": "price"})
	require.NoError(t, err)
	require.Equal(t, "| price |\n| --- |\n| 20.5 |\n| 30 |\n\n(Rows 3 to 4 of 6; to continue, set startRow to 5.)", out.Text)
	out, err = k.call(t, "table_rows", args{"path": "data/orders.csv", "where": "region = West"})
	require.NoError(t, err)
	require.Equal(t, "None of 6 rows matches the condition in where. table_describe shows what is in the columns.\n", out.Text)
}

func TestTableRefusesBadRequests(t *testing.T) {
	k := newTableToolkit(t)
	k.write(t, "text.pdf", "x")
	for _, tt := range []struct {
		name, method string
		args         args
		want         string
	}{
		{"no such file", "table_describe", args{"path": "orders.csv"}, `did you mean "data/orders.csv"?`},
		{"a path above the root", "table_describe", args{"path": "../orders.csv"}, "is outside of the root directory"},
		{"a directory", "table_describe", args{"path": "data"}, "is a directory"},
		{"a file that is not a table", "table_describe", args{"path": "text.pdf"}, "does not have the extension of a table"},
		{"no such column", "table_aggregate", args{"path": "data/orders.csv", "column": "prize"}, `did you mean "price"?`},
		{
			"a text that is not a date", "table_aggregate",
			args{"path": "data/orders.csv", "column": "price", "from": "yesterday"},
			`from is "yesterday", which is not a date`,
		},
		{
			"a row past the end",
			"table_rows",
			args{"path": "data/orders.csv", "startRow": "9"},
			"6 rows match, so there is no row 9",
		},
		{
			"a group past the end", "table_aggregate",
			args{"path": "data/orders.csv", "column": "price", "startRow": "2"},
			"the result has 1 row, so there is no row 2",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := k.call(t, tt.method, tt.args)
			require.ErrorContains(t, err, tt.want)
			require.NotContains(t, err.Error(), k.dir)
		})
	}
}

// TestLongTablesComeInPages reads all groups page by page. Each page says how to read the next one.
func TestLongTablesComeInPages(t *testing.T) {
	k := newTableToolkit(t)
	var b strings.Builder
	b.WriteString("id,x\n")
	for i := range 400 {
		fmt.Fprintf(&b, "g%03d,%d\n", i, 1000-i)
	}
	k.write(t, "many.csv", b.String())
	found, err := k.Resolve("table_aggregate", "", nil)
	require.NoError(t, err)
	seen, start := 0, 1
	for start > 0 {
		object, err := typedObject(found,
			args{"path": "many.csv", "column": "x", "by": "id", "startRow": fmt.Sprint(start)})
		require.NoError(t, err)
		call := callFor(found, string(object))
		call.Fits = func(text string) bool { return len(text) <= 2000 }
		out, err := found.Entry.Method.Handler(context.Background(), call)
		require.NoError(t, err)
		require.LessOrEqual(t, len(out.Text), 2000)
		for strings.Contains(out.Text, fmt.Sprintf("| g%03d |", seen)) {
			seen++
		}
		start = 0
		if _, rest, more := strings.Cut(out.Text, "; to continue, set startRow to "); more {
			_, err = fmt.Sscan(rest, &start)
			require.NoError(t, err)
			require.Equal(t, seen+1, start)
		}
	}
	require.Equal(t, 400, seen)
}

// TestChartsNeedLittleMemory draws a chart over time of 3,000 groups, each with a period of its
// own.
func TestChartsNeedLittleMemory(t *testing.T) {
	k := newTableToolkit(t)
	var b strings.Builder
	b.WriteString("day,key,n\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "%s,k%d,%d\n", time.Date(2020, 1, 1+i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly), i, i)
	}
	k.write(t, "long.csv", b.String())
	draw := func(chart string) int {
		return memorytest.Allocated(func() {
			_, err := k.call(t, "table_aggregate", args{
				"path": "long.csv", "column": "n", "by": "key", "period": "day", "chart": chart,
			})
			require.NoError(t, err)
		})
	}
	require.Less(t, draw("true"), draw("false")+8<<20)
}
