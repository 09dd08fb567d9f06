package tabular_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/tool/builtin/internal/tabular"
)

func open(t require.TestingT, name, content string) tabular.Rows {
	rows, err := tabular.Open(context.Background(), strings.NewReader(content),
		tabular.Options{Name: name, Size: int64(len(content))})
	require.NoError(t, err)
	return rows
}

// readAll returns the columns and the rows of a table.
func readAll(t require.TestingT, rows tabular.Rows) (columns []string, list [][]string) {
	for {
		cells, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return rows.Columns(), list
		}
		require.NoError(t, err)
		list = append(list, slices.Clone(cells))
	}
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
		{"a header without rows", "a.csv", "a,b\n", []string{"a", "b"}, nil},
		{
			"one object per line", "a.jsonl", "{\"a\":1,\"b\":\"x\"}\n{\"b\":null,\"c\":{\"d\":[2]}}\n",
			[]string{"a", "b", "c"},
			[][]string{{"1", "x"}, {"", "", `{"d":[2]}`}},
		},
		{"an array of objects", "a.json", ` [{"a":true},{"a":1e3}]`, []string{"a"}, [][]string{{"true"}, {"1e3"}}},
		{"an empty array", "a.json", "[]", nil, nil},
		{"XLSX", "a.xlsx", workbook(t), []string{"day", "amount"}, [][]string{{"2026-04-03", "12.5"}, {"2026-04-04", "7"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rows := open(t, tt.file, tt.content)
			columns, got := readAll(t, rows)
			require.Equal(t, tt.columns, columns)
			require.Empty(t, cmp.Diff(tt.rows, got))
		})
	}
	rows, err := tabular.Open(t.Context(), strings.NewReader(workbook(t)),
		tabular.Options{Name: "a.xlsx", Size: int64(len(workbook(t))), Sheet: "other"})
	require.NoError(t, err)
	columns, _ := readAll(t, rows)
	require.Equal(t, []string{"name"}, columns)
	require.Contains(t, rows.Notes()[0].String(), `"Other"`)
}

func TestInvalidTablesAreRefused(t *testing.T) {
	for _, tt := range []struct{ name, file, content, want string }{
		{"another extension", "a.pdf", "x", "does not have the extension of a table"},
		{"an empty file", "a.csv", "", "is empty"},
		{"an empty JSON file", "a.jsonl", " \n", "is empty"},
		{"a binary file", "a.csv", "a\x00b", "is not text in UTF-8"},
		{
			"a row without end",
			"a.csv", "a,b\n1,2\n\"" + strings.Repeat("x", 3<<20), "has a row of more than 1048576 bytes after line 2",
		},
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
			var format *tabular.Error
			require.ErrorAs(t, err, &format)
			require.ErrorContains(t, err, tt.want)
		})
	}
}

func TestTextThatIsNotUTF8IsRefused(t *testing.T) {
	rows := strings.Repeat("北京,1\n", 20000) // more than any buffer
	objects := strings.Repeat("{\"a\":\"北京\"}\n", 20000)
	for _, tt := range []struct{ name, file, content, want string }{
		{"the header", "a.csv", "\xb1\xb1\xbe\xa9,b\n1,2\n", "at line 1;"},
		{"the second line", "a.csv", "a,b\n\xb1\xb1\xbe\xa9,2\n", "at line 2;"},
		{"a late line", "a.csv", "a,b\n" + rows + "\xb1\xb1,2\n" + rows, "at line 20002;"},
		{"a late cell in a row of several lines", "a.csv", "a,b\n" + rows + "\"\n\n\xff\",2\n", "at line 20004;"},
		{"a late object", "a.jsonl", objects + "{\"a\":\"\xb1\xb1\"}\n" + objects, "at line 20001;"},
		{"a character that is not complete", "a.csv", "a,b\n1,\xe4\xb8", "at line 2;"},
		{"half of a surrogate pair", "a.csv", "a,b\n1,\xed\xa0\x80\n", "at line 2;"},
		{"text in UTF-8 is not refused", "a.csv", "a,b\n" + rows, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for pieces, file := range map[string]tabular.File{
				"whole": strings.NewReader(tt.content),
				"byte by byte": struct {
					io.Reader
					io.ReaderAt
				}{iotest.OneByteReader(strings.NewReader(tt.content)), strings.NewReader(tt.content)},
			} {
				rows, err := tabular.Open(t.Context(), file, tabular.Options{Name: tt.file, Size: int64(len(tt.content))})
				for err == nil {
					_, err = rows.Next()
				}
				if tt.want == "" {
					require.ErrorIs(t, err, io.EOF, pieces)
					continue
				}
				var format *tabular.Error
				require.ErrorAs(t, err, &format, pieces)
				require.ErrorContains(t, err, "is not text in UTF-8 "+tt.want, pieces)
			}
		})
	}
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
			Name: "amount", Kind: tabular.Numbers, Filled: 100, Other: 1, Example: "unknown", Sum: 4900,
			Mean: 4900.0 / 99, Min: 0, Median: 49, Max: 99,
		},
		{Name: "note", Kind: tabular.Texts, Filled: 100, More: true},
		{Name: "nothing", Kind: tabular.Blank, Empty: 100},
		{Name: "id", Kind: tabular.Texts, Filled: 99, Empty: 1, More: true},
	}
	require.Empty(t, cmp.Diff(want, got.Columns))
}

func TestReadingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	content := "a\n" + strings.Repeat("1\n", 1<<20)
	rows, err := tabular.Open(ctx, strings.NewReader(content),
		tabular.Options{Name: "t.csv", Size: int64(len(content))})
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
		d, err := tabular.Describe(t.Context(), rows)
		if err == nil && len(d.Columns) != len(rows.Columns()) {
			t.Fatalf("%d of %d columns are described", len(d.Columns), len(rows.Columns()))
		}
	})
}
