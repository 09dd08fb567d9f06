package builtin_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/memorytest"
)

// TestUnracedMediansNeedLittleMemory sorts 1,000 groups by their medians. Each calculation of a
// median takes memory, so it must not be repeated for each comparison of two groups.
func TestUnracedMediansNeedLittleMemory(t *testing.T) {
	longtest.SkipIfRaced(t)
	k := newTableToolkit(t)
	var b strings.Builder
	b.WriteString("key,n\n")
	for i := range 20_000 {
		fmt.Fprintf(&b, "k%d,%d\n", i%1000, i*7919%10007)
	}
	k.write(t, "groups.csv", b.String())
	aggregate := func(measure string) int {
		return memorytest.Allocated(func() {
			_, err := k.call(t, "table_aggregate", args{"path": "groups.csv", "column": "n", "by": "key", "measure": measure})
			require.NoError(t, err)
		})
	}
	require.Less(t, aggregate("median"), aggregate("sum")+8<<20)
}

func TestASummaryNeedsNumbers(t *testing.T) {
	k := newTableToolkit(t)
	k.write(t, "gaps.csv", "day,kind,n,m\n2026-01-01,a,none,7\n2026-02-01,b,5,none\n")
	for _, tt := range []struct {
		name      string
		args      args
		want, not string
	}{
		{
			"groups without numbers",
			args{"column": "kind", "by": "day"},
			"have no number in kind", "All together",
		},
		{
			"a trend whose first period has no number",
			args{"column": "n", "measure": "mean", "period": "month"},
			"Mean of all rows: 5.", "the value went",
		},
		{
			"a trend whose last period has no number",
			args{"column": "m", "measure": "mean", "period": "month"},
			"Mean of all rows: 7.", "the value went",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.args["path"] = "gaps.csv"
			out, err := k.call(t, "table_aggregate", tt.args)
			require.NoError(t, err)
			require.Contains(t, out.Text, tt.want)
			require.NotContains(t, out.Text, tt.not)
		})
	}
}

func TestPeriodsWithoutRowsAreAllShownOrNone(t *testing.T) {
	k := newTableToolkit(t)
	for _, tt := range []struct {
		name, last string
		rows       int
		note       bool
	}{
		{"1000 periods", "2022-09-28", 1002, false},
		{"1001 periods", "2022-09-29", 2, true},
		{"a misspelled year", "9020-01-01", 2, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k.write(t, "days.csv", "day,n\n2020-01-01,1\n"+tt.last+",2\n")
			out, err := k.call(t, "table_aggregate", args{"path": "days.csv", "column": "n", "period": "day"})
			require.NoError(t, err)
			details, err := json.Marshal(out.Details)
			require.NoError(t, err)
			var result struct{ Rows [][]string }
			require.NoError(t, json.Unmarshal(details, &result))
			require.Len(t, result.Rows, tt.rows)
			const note = "more than 1000 periods between the first and the last have no rows"
			require.Equal(t, tt.note, strings.Contains(out.Text, note), out.Text)
		})
	}
}
