package tabular_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/memorytest"
	"github.com/vcpgo/vcp/tool/builtin/internal/tabular"
)

// The tests start their own binary as a child process. These are names of environment variables. If
// the first is set to a path, the binary reads the table at that path and runs no tests. The second
// names the task; "" means to describe and to aggregate the table.
const childTable, childTask = "VCP_TABULAR_CHILD", "VCP_TABULAR_TASK"

func TestMain(m *testing.M) {
	path := os.Getenv(childTable)
	if path == "" {
		os.Exit(m.Run())
	}
	tasks := map[string][]func(context.Context, tabular.Rows) error{
		"": {countDescribed, countAggregated}, "aggregate": {aggregateSales}, "describe": {describeSales},
	}
	for _, task := range tasks[os.Getenv(childTask)] {
		if err := withTable(path, task); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// withTable runs a task with the table at path.
func withTable(path string, task func(context.Context, tabular.Rows) error) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	rows, err := tabular.Open(context.Background(), f, tabular.Options{Name: path, Size: info.Size()})
	if err != nil {
		return err
	}
	return task(context.Background(), rows)
}

func countDescribed(ctx context.Context, rows tabular.Rows) error {
	d, err := tabular.Describe(ctx, rows)
	if err == nil {
		fmt.Println(d.Rows)
	}
	return err
}

func countAggregated(ctx context.Context, rows tabular.Rows) error {
	g, err := tabular.Aggregate(ctx, rows,
		tabular.Query{Column: "amount", By: []string{"region"}, Period: tabular.Month, Quantiles: true})
	if err == nil {
		fmt.Println(g.Rows)
	}
	return err
}

// writeTable writes a CSV file, and returns the number of its rows. size is the minimum size of the
// file, in bytes.
func writeTable(t testing.TB, path string, size int) int {
	t.Helper()
	f, err := os.Create(path)
	require.NoError(t, err)
	w := bufio.NewWriter(f)
	n, err := fmt.Fprintln(w, "id,day,region,amount,note")
	require.NoError(t, err)
	rows := 0
	for ; n < size; rows++ {
		m, err := fmt.Fprintf(w, "%d,2026-%02d-%02d,%s,%d.%02d,note number %d of an order\n", rows, 1+rows%12, 1+rows%28,
			[]string{"North", "South", "East", "West"}[rows%4], rows*7919%10007, rows%100, rows)
		require.NoError(t, err)
		n += m
	}
	require.NoError(t, w.Flush())
	require.NoError(t, f.Close())
	return rows
}

// peakMemory describes and aggregates a table in a child process, and returns the peak of the
// child's memory in bytes. rows is the number of rows that the child must report.
func peakMemory(t *testing.T, path string, rows int) int64 {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childTable+"="+path, "GOGC=50") // less garbage than by default
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, strconv.Itoa(rows)+"\n"+strconv.Itoa(rows)+"\n", string(out))
	return maxRSS(t, cmd.ProcessState)
}

// TestMemoryDoesNotGrowWithTheRows describes and aggregates a short table and a long one, each in a
// process of its own. The long table has 16 MiB, or 100 MiB in the long suite.
func TestMemoryDoesNotGrowWithTheRows(t *testing.T) {
	long := 16 << 20
	if longtest.Enabled() {
		long = 100 << 20
	}
	dir := t.TempDir()
	peak := func(name string, size int) int64 {
		path := filepath.Join(dir, name)
		return peakMemory(t, path, writeTable(t, path, size))
	}
	const short = 4 << 20
	shortPeak, longPeak := peak("short.csv", short), peak("long.csv", long)
	t.Logf("peaks: %d and %d bytes", shortPeak, longPeak)
	require.Less(t, longPeak, shortPeak+24<<20, "only the sketches for medians grow, up to a limit")
	require.Less(t, longPeak, int64(64<<20))
}

func TestUnracedLongNamesOfMembersAreNotKept(t *testing.T) {
	longtest.SkipIfRaced(t)
	var b strings.Builder
	long := strings.Repeat("x", 20<<10)
	for i := range 100 {
		fmt.Fprintf(&b, "{\"%s%d\":1}\n", long, i)
	}
	inUse := func() int64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return int64(stats.HeapAlloc) //nolint:gosec // far below the limit
	}
	rows := open(t, "t.jsonl", b.String())
	before := inUse()
	columns, _ := readAll(t, rows)
	require.Len(t, columns, 100)
	require.Less(t, inUse()-before, int64(512<<10))
	runtime.KeepAlive(rows)
}

// TestUnracedSimilarNamesNeedLittleWork reads a row whose members have names with the same 200
// bytes at the beginning, of which the columns keep only these. The memory shows whether very many
// names were tried.
func TestUnracedSimilarNamesNeedLittleWork(t *testing.T) {
	longtest.SkipIfRaced(t)
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, ",\"%s%d\":1", strings.Repeat("x", 200), i)
	}
	row := "{" + b.String()[1:] + "}"
	var columns []string
	used := memorytest.Allocated(func() { columns = open(t, "t.jsonl", row).Columns() })
	require.Len(t, columns, 300)
	require.Less(t, used, 4<<20)
}

// TestUnracedALongConditionNeedsLittleWorkForEachRow counts memory, because converting a text to
// lower case takes memory.
func TestUnracedALongConditionNeedsLittleWorkForEachRow(t *testing.T) {
	longtest.SkipIfRaced(t)
	table := "a\n" + strings.Repeat("text\n", 2000)
	where := "a contains " + strings.Repeat("X", 10<<10)
	used := memorytest.Allocated(func() {
		got, err := tabular.Select(t.Context(), open(t, "t.csv", table), tabular.Selection{Where: where, Start: 1, Limit: 1})
		require.NoError(t, err)
		require.Zero(t, got.Matching)
	})
	require.Less(t, used, 4<<20)
}

func BenchmarkDescribe(b *testing.B) {
	benchmark(b, func(rows tabular.Rows) error {
		_, err := tabular.Describe(b.Context(), rows)
		return err
	})
}

func BenchmarkAggregate(b *testing.B) {
	benchmark(b, func(rows tabular.Rows) error {
		_, err := tabular.Aggregate(b.Context(), rows,
			tabular.Query{Column: "amount", By: []string{"region"}, Period: tabular.Month})
		return err
	})
}

// benchmark measures how fast a CSV file of 8 MiB is read from memory.
func benchmark(b *testing.B, read func(tabular.Rows) error) {
	b.Helper()
	path := filepath.Join(b.TempDir(), "t.csv")
	writeTable(b, path, 8<<20)
	data, err := os.ReadFile(path)
	require.NoError(b, err)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		require.NoError(b, read(open(b, path, string(data))))
	}
}
