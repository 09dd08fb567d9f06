package tabular_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/tool/builtin/internal/tabular"
)

// writeSales writes a CSV file with sales, as a shop exports them. size is the minimum size of the
// file, in bytes.
func writeSales(t testing.TB, path string, size int) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(20261122, 7))
	pick := func(list ...string) string { return list[rnd.IntN(len(list))] }
	f, err := os.Create(path)
	require.NoError(t, err)
	w := bufio.NewWriter(f)
	n, err := fmt.Fprintln(w, "order,date,region,product,units,revenue,customer")
	require.NoError(t, err)
	for order := 1; n < size; order++ {
		day := time.Date(2024, 1, 1+rnd.IntN(1000), 0, 0, 0, 0, time.UTC)
		units := 1 + rnd.IntN(15)
		m, err := fmt.Fprintf(w, "O-%08d,%s,%s,%s,%d,%d.%02d,%s %d\n", order, day.Format(time.DateOnly),
			pick("North", "South", "East", "West"),
			pick("Lamp", "Desk", `"Chair, oak"`, "Shelf", `"Table 36"" round"`), units,
			units*(20+rnd.IntN(300)), rnd.IntN(100),
			pick("Aiko", "Bruno", "Farah", "李雷"), rnd.IntN(50_000))
		require.NoError(t, err)
		n += m
	}
	require.NoError(t, w.Flush())
	require.NoError(t, f.Close())
}

// monthsByRegion is a query for the same figures that aggregateSales prints: for each month and
// region the count, the sum, the minimum and the maximum of the revenue.
const monthsByRegion = `SELECT substr(date,1,7), region, count(*), printf('%.2f', sum(CAST(revenue AS REAL))),
	printf('%.2f', min(CAST(revenue AS REAL))), printf('%.2f', max(CAST(revenue AS REAL))) FROM sales GROUP BY 1, 2 ORDER BY 1, 2;`

// columnFigures is a query for figures of the columns like those that Describe calculates. Describe
// also calculates medians and the most frequent values.
const columnFigures = `SELECT count(*), count(DISTINCT "order"), min(date), max(date),
	count(DISTINCT region), count(DISTINCT product), count(DISTINCT customer),
	sum(CAST(units AS REAL)), min(CAST(units AS REAL)), max(CAST(units AS REAL)),
	sum(CAST(revenue AS REAL)), min(CAST(revenue AS REAL)), max(CAST(revenue AS REAL)) FROM sales;`

// aggregateSales prints the figures of monthsByRegion in the format of the sqlite3 command.
func aggregateSales(ctx context.Context, rows tabular.Rows) error {
	g, err := tabular.Aggregate(ctx, rows,
		tabular.Query{Column: "revenue", By: []string{"region"}, Period: tabular.Month})
	if err != nil {
		return err
	}
	for _, x := range g.Groups {
		fmt.Printf("%s|%s|%d|%.2f|%.2f|%.2f\n", tabular.Month.Name(x.Start), x.Keys[0], x.Count, x.Sum, x.Min, x.Max)
	}
	return nil
}

func describeSales(ctx context.Context, rows tabular.Rows) error {
	_, err := tabular.Describe(ctx, rows)
	return err
}

// TestFiguresEqualThoseOfSQLite compares the output of aggregateSales with that of the sqlite3
// command, and limits the memory of aggregateSales and describeSales. Each program runs in a
// process of its own; the log shows the fastest runs. In the long suite the file has 100 MB.
func TestFiguresEqualThoseOfSQLite(t *testing.T) {
	sqlite, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("sqlite3 is not installed")
	}
	size, runs := 1<<20, 1
	if longtest.Enabled() {
		size, runs = 100_000_000, 2
	}
	path := filepath.Join(t.TempDir(), "sales.csv")
	writeSales(t, path, size)
	for _, tt := range []struct{ task, query string }{
		{"aggregate", monthsByRegion},
		{"describe", columnFigures},
	} {
		t.Run(tt.task, func(t *testing.T) {
			var ours, theirs measurement
			for range runs {
				ours.run(t, exec.Command(os.Args[0]), childTable+"="+path, childTask+"="+tt.task)
				imported := exec.Command(sqlite, "-batch", ":memory:", ".import --csv '"+path+"' sales", tt.query)
				theirs.run(t, imported)
			}
			t.Logf("%d bytes, fastest of %d: %v with %d MB, sqlite3 %v with %d MB, ratio %.2f", size, runs,
				ours.time, ours.memory>>20, theirs.time, theirs.memory>>20, ours.time.Seconds()/theirs.time.Seconds())
			require.Less(t, ours.memory, int64(64<<20))
			if tt.task == "aggregate" {
				require.Equal(t, theirs.output, ours.output)
				require.Greater(t, strings.Count(ours.output, "\n"), 100)
			}
		})
	}
}

// measurement measures several runs of a program.
type measurement struct {
	time   time.Duration // of the fastest run
	memory int64         // the highest peak of a run, in bytes
	output string        // of the last run
}

func (m *measurement) run(t *testing.T, cmd *exec.Cmd, environment ...string) {
	t.Helper()
	cmd.Env = append(append(os.Environ(), "GOGC=50"), environment...) // less garbage than by default
	cmd.Stderr = os.Stderr
	begin := time.Now()
	out, err := cmd.Output()
	took := time.Since(begin)
	require.NoError(t, err, "%s", out)
	if m.time == 0 || took < m.time {
		m.time = took
	}
	m.memory, m.output = max(m.memory, maxRSS(t, cmd.ProcessState)), string(out)
}
