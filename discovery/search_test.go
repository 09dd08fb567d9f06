package discovery_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/discovery"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/schematest"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin"
)

// realMethods returns a method for each definition in testdata/definitions.
func realMethods(t testing.TB) []*tool.Entry {
	t.Helper()
	registry := tool.NewRegistry()
	for _, server := range schematest.Servers(t, "../testdata/definitions") {
		for _, d := range server.Tools {
			m, err := tool.HostRun("call", d.Description, d.InputSchema,
				tool.FullName(server.ID+"/"+d.Name), tool.Title(d.Title), tool.AgentCallable())
			require.NoError(t, err, d.Name)
			one := tool.Tool{ID: d.Name + "-of-" + server.ID, Methods: []tool.Method{m}}
			require.NoError(t, registry.Register(one), d.Name)
		}
	}
	return registry.Entries()
}

// query is a query of testdata/search. It should find at least one of its targets.
type query struct {
	text    string
	targets []string // full names of methods, or the parts of full names after the slash
}

// realQueries returns the queries of a file in testdata/search.
func realQueries(t testing.TB, file string) (list []query) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "testdata", "search", file))
	require.NoError(t, err)
	for line := range strings.Lines(string(raw)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		targets, text, ok := strings.Cut(line, " | ")
		require.True(t, ok, line)
		list = append(list, query{text, strings.Split(targets, ",")})
	}
	return list
}

func isTarget(target, fullName string) bool {
	return fullName == target || strings.HasSuffix(fullName, "/"+target)
}

// recall returns the share of queries that find a target among the first n matches.
func recall(t *testing.T, index *discovery.Index, methods []*tool.Entry, queries []query, n int) float64 {
	t.Helper()
	found := 0
	for _, q := range queries {
		for _, target := range q.targets {
			exists := slices.ContainsFunc(methods, func(e *tool.Entry) bool { return isTarget(target, e.FullName) })
			require.True(t, exists, "no method %s", target)
		}
		var got []string
		hit := false
		for _, m := range index.Search(q.text, n) {
			name := m.Method.FullName
			got = append(got, name)
			hit = hit || slices.ContainsFunc(q.targets, func(target string) bool { return isTarget(target, name) })
		}
		if hit {
			found++
		} else {
			t.Logf("%q finds %v, not %v", q.text, got, q.targets)
		}
	}
	return float64(found) / float64(len(queries))
}

func TestUnracedSearchFindsRealMethods(t *testing.T) {
	longtest.SkipIfRaced(t) // because of the prefix TestUnraced, "make test" runs this test without the race detector
	methods := realMethods(t)
	require.GreaterOrEqual(t, len(methods), 300, "among few methods a search is easy")
	index := discovery.NewIndex(methods)
	for _, c := range []struct {
		file  string
		least float64 // the required recall at 5
	}{{"words.txt", 0.95}, {"paraphrases.txt", 0.6}, {"chinese.txt", 0.6}} {
		t.Run(c.file, func(t *testing.T) {
			queries := realQueries(t, c.file)
			at1, at5 := recall(t, index, methods, queries, 1), recall(t, index, methods, queries, 5)
			t.Logf("%d queries, %d methods: recall at 1 %.3f, at 5 %.3f", len(queries), len(methods), at1, at5)
			assert.GreaterOrEqual(t, at5, c.least)
		})
	}
}

// described returns the methods of tools with the given ids and descriptions.
func described(t testing.TB, descriptions map[string]string) []*tool.Entry {
	t.Helper()
	registry := tool.NewRegistry()
	for id, text := range descriptions {
		m, err := tool.HostRun("run", text, nil, tool.AgentCallable())
		require.NoError(t, err)
		require.NoError(t, registry.Register(tool.Tool{ID: id, Methods: []tool.Method{m}}))
	}
	return registry.Entries()
}

func TestSearchFindsWords(t *testing.T) {
	index := discovery.NewIndex(described(t, map[string]string{
		"getUserList": "Returns people.", "weather": "查询一个城市的天气预报", "stocks": "查询股票价格",
		"notes": "Writes notes into files, one per line.",
	}))
	for name, c := range map[string]struct{ query, want string }{
		"in another form":            {"writing a note", "notes_run"},
		"in camel case":              {"list of users", "getUserList_run"},
		"in Chinese":                 {"明天北京天气怎么样", "weather_run"},
		"in Chinese with a particle": {"股票的价格", "stocks_run"},
	} {
		t.Run(name, func(t *testing.T) {
			found := index.Search(c.query, 5)
			require.NotEmpty(t, found)
			assert.Equal(t, c.want, found[0].Method.FullName)
		})
	}
}

func TestSearchFindsNothing(t *testing.T) {
	index := discovery.NewIndex(described(t, map[string]string{"notes": "Writes notes into a file."}))
	t.Run("if no method has a word of the query", func(t *testing.T) { assert.Empty(t, index.Search("quantum the of", 5)) })
	t.Run("if the query has no words", func(t *testing.T) { assert.Empty(t, index.Search("…", 5)) })
	t.Run("if there are no methods", func(t *testing.T) { assert.Empty(t, discovery.NewIndex(nil).Search("notes", 5)) })
}

// If an index added the weights of terms in the random order of a map, rounding would give equal
// definitions different scores. To show that, the description has many terms of different weights,
// and the test makes many indexes.
func TestMethodsWithEqualDefinitionsAreSortedByName(t *testing.T) {
	const parameters = `{"type":"object","properties":{"a":{"type":"string","description":"one two two three three three ` +
		`four four four four five six seven eight nine nine ten eleven twelve red green blue black white"}}}`
	for range 100 {
		registry := tool.NewRegistry()
		for _, id := range []string{"left", "right"} {
			m, err := tool.HostRun("run", "Writes notes.", []byte(parameters), tool.AgentCallable())
			require.NoError(t, err)
			require.NoError(t, registry.Register(tool.Tool{ID: id, Methods: []tool.Method{m}}))
		}
		found := discovery.NewIndex(registry.Entries()).Search("notes", 5)
		require.Equal(t, "left_run", found[0].Method.FullName)
	}
}

func TestSearchFindsTranslatedMethods(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	require.NoError(t, err)
	defer root.Close()
	tools, err := builtin.Tools(root)
	require.NoError(t, err)
	registry := tool.NewRegistry()
	require.NoError(t, registry.Register(tools...))
	index := discovery.NewIndex(registry.Entries())
	for query, want := range map[string]string{
		"现在几点":      "clock_now",
		"两个日期相隔多少天": "clock_between",
		"时区换算":      "clock_convert",
		"计算表达式的值":   "calculator_evaluate",
		"读取文本文件的内容": "files_read",
		"目录里有哪些文件":  "files_list",
		"在文件中搜索文本":  "files_search",
	} {
		t.Run(query, func(t *testing.T) {
			found := index.Search(query, 5)
			require.NotEmpty(t, found)
			assert.Equal(t, want, found[0].Method.FullName)
		})
	}
}

// The words of this method are too common to count, but its title has a translation.
func TestSearchFindsAMethodByItsTranslationAlone(t *testing.T) {
	method, err := tool.HostRun("it", "", nil, tool.AgentCallable(),
		tool.Title("Do it"), tool.Translate("zh", map[string]string{"Do it": "执行任务"}))
	require.NoError(t, err)
	registry := tool.NewRegistry()
	require.NoError(t, registry.Register(tool.Tool{ID: "do", Methods: []tool.Method{method}}))
	found := discovery.NewIndex(registry.Entries()).Search("任务", 5)
	require.Len(t, found, 1)
	assert.InDelta(t, 1, found[0].Score, 1e-9)
}

func TestUnracedScoresAreShares(t *testing.T) {
	longtest.SkipIfRaced(t) // because of the prefix TestUnraced, "make test" runs this test without the race detector
	index := discovery.NewIndex(realMethods(t))
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("create list get page file 文件 日历 "))).Draw(t, "query")
		all := index.Search(text, 1000) // more than there are methods
		sum := 0.0
		for i, m := range all {
			sum += m.Score
			if m.Score < 0 || m.Score > 1 || i > 0 && m.Score > all[i-1].Score {
				t.Fatalf("score %d of %q is %v, want from 0 to 1, and at most the score before it", i, text, m.Score)
			}
		}
		if len(all) > 0 && (sum < 0.999 || sum > 1.001) {
			t.Fatalf("the scores of %q sum up to %v, want 1", text, sum)
		}
		for i, m := range index.Search(text, 3) {
			if m != all[i] {
				t.Fatalf("match %d of %q depends on the number of requested matches", i, text)
			}
		}
	})
}
