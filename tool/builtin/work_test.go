package builtin_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin"
)

// countingContext counts the calls of its method Err. It ends at the call with the number end; 0
// means that it never ends.
type countingContext struct {
	context.Context
	checks, end int
}

func (c *countingContext) Err() error {
	if c.checks++; c.end > 0 && c.checks >= c.end {
		return context.Canceled
	}
	return nil
}

func (c *countingContext) Done() <-chan struct{} {
	done := make(chan struct{})
	if c.Err() != nil {
		close(done)
	}
	return done
}

// hostileCalls are calls that need much work, at least one for each method that only reads.
var hostileCalls = []struct {
	name, method string
	args         map[string]any
	// work is the minimum number of steps of the call, such as 1200 instructions of an expression
	// for each of 1<<10 bytes; see stepsPerCheck. A multiple of MaxSteps means that the call must
	// check its context so many times. 0 means unknown.
	work int
}{
	{
		"a large expression on a long line",
		"files_search",
		map[string]any{"query": "(a?){300}b", "regexp": true, "path": "line"},
		1200 << 10,
	},
	{
		"a large expression on many lines",
		"files_search",
		map[string]any{"query": "(x?){300}y", "regexp": true, "path": "lines"},
		1200 << 10,
	},
	{
		"a large expression in many files",
		"files_search",
		map[string]any{"query": "(x?){300}y", "regexp": true, "path": "many"},
		1200 << 10,
	},
	{
		"a long text in any letter case", "files_search",
		map[string]any{"query": strings.Repeat("a", 999) + "b", "ignoreCase": true, "path": "line"},
		1000 << 10,
	},
	{"many files", "files_search", map[string]any{"query": "absent", "path": "many"}, 100 * builtin.MaxSteps},
	{
		"a pattern of stars and deep directories", "files_search",
		map[string]any{"query": "absent", "glob": strings.Repeat("**/*a*a*a*a*/", 8) + "b"},
		0,
	},
	{"many entries", "files_list", map[string]any{"path": "many", "recursive": true}, 100 * builtin.MaxSteps},
	{"a pattern of stars and deep directories", "files_list", map[string]any{"glob": strings.Repeat("**/", 8) + "b"}, 0},
	{
		"a pattern with many alternatives", "files_list",
		map[string]any{"glob": strings.Repeat("{*a*,*b*}", 6) + strings.Repeat("*a", 400), "recursive": true},
		0,
	},
	{
		"the last line of a long file",
		"files_read",
		map[string]any{"path": "long", "startLine": 1 << 16, "endLine": 1 << 16},
		128 * builtin.MaxSteps,
	},
	{
		"large fractions",
		"calculator_evaluate",
		map[string]any{"expression": strings.Repeat("7^2900/3^5000+", 40) + "1"},
		40 * builtin.MaxSteps,
	},
	{
		"many large arguments", "calculator_evaluate",
		map[string]any{"expression": "sum(" + strings.Repeat("7^2900/3^5000,", 80) + "1)"},
		80 * builtin.MaxSteps,
	},
	{
		"many common divisors", "calculator_evaluate",
		map[string]any{"expression": "gcd(" + strings.Repeat("7^5000,", 100) + "1)"},
		40 * builtin.MaxSteps,
	},
	{
		"large powers",
		"calculator_evaluate",
		map[string]any{"expression": strings.Repeat("1.01^900+", 40) + "1"},
		40 * builtin.MaxSteps,
	},
	{
		"factorials",
		"calculator_evaluate",
		map[string]any{"expression": strings.Repeat("factorial(1700)/", 40) + "1"},
		40 * builtin.MaxSteps,
	},
	{"large angles", "calculator_evaluate", map[string]any{"expression": strings.Repeat("sin(1e22)+", 50) + "1"}, 0},
	{
		"deep parentheses",
		"calculator_evaluate",
		map[string]any{"expression": strings.Repeat("(", 90) + "1" + strings.Repeat(")", 90)},
		0,
	},
	{"an unknown zone", "clock_now", map[string]any{"timeZone": "Nowhere/City"}, 0},
	{"an unknown zone", "clock_convert", map[string]any{"time": "12:00", "from": "Nowhere/City", "to": "UTC"}, 0},
	{"a long table", "table_describe", map[string]any{"path": "table.csv"}, 0},
	{"a long table", "table_aggregate", map[string]any{
		"path": "table.csv", "column": "x", "measure": "quantiles", "by": "g", "chart": true,
		"format": "svg", "startRow": 1,
	}, 0},
	{
		"a long table",
		"table_rows",
		map[string]any{"path": "table.csv", "sort": "x", "descending": true, "startRow": 1, "limit": 200},
		0,
	},
	{"two dates", "clock_between", map[string]any{"from": "0001-01-01", "to": "9999-12-31"}, 0},
}

// TestUnracedHandlersReturnWhenTheContextEnds checks that each method checks its context often
// while it works, and that it returns soon after its context has ended. It does not run under the
// race detector.
func TestUnracedHandlersReturnWhenTheContextEnds(t *testing.T) {
	longtest.SkipIfRaced(t)
	k := newFullToolkit(t)
	var table strings.Builder
	table.WriteString("x,g\n")
	for i := range 4_000 {
		fmt.Fprintf(&table, "%d,%d\n", i*7919%10007, i%500)
	}
	k.write(t, "table.csv", table.String())
	k.write(t, "line", strings.Repeat("a", 1<<10))
	k.write(t, "lines", strings.Repeat(strings.Repeat("x", 127)+"\n", 8))
	k.write(t, "long", strings.Repeat("0123456789abcde\n", 1<<16))
	for i := range 128 {
		k.write(t, fmt.Sprintf("many/%d/f", i), strings.Repeat("x", 8))
	}
	k.write(t, strings.Repeat("aaaaaaaaaaaaaaaaaaaaaaaaaaa/", 40)+"f", "")
	called := map[string]bool{}
	for _, test := range hostileCalls {
		called[test.method] = true
		t.Run(test.method+" "+test.name, func(t *testing.T) {
			found, err := k.Resolve(test.method, "", nil)
			require.NoError(t, err)
			// The defaults of the parameters that the case does not set.
			arguments := map[string]any{"path": ".", "regexp": false, "ignoreCase": false, "recursive": false, "startLine": 1}
			for name := range arguments {
				if !strings.Contains(string(found.Entry.Method.Parameters.JSON()), `"`+name+`"`) {
					delete(arguments, name)
				}
			}
			for name, value := range test.args {
				arguments[name] = value
			}
			object, err := json.Marshal(arguments)
			require.NoError(t, err)
			require.NoError(t, found.Entry.Method.Parameters.Validate(object))
			call := func(end int) (checks int, err error) {
				ctx := &countingContext{Context: t.Context(), end: end}
				_, err = found.Entry.Method.Handler(ctx, callFor(found, string(object)))
				return ctx.checks, err
			}
			total, err := call(0)
			if test.name != "an unknown zone" { // which is an error
				require.NoError(t, err)
			}
			require.LessOrEqual(t, test.work/total, builtin.MaxSteps,
				"%d steps and %d checks of the context", test.work, total)
			for _, end := range []int{1, 2, total / 2, total} {
				if end < 1 || end > total {
					continue
				}
				checks, err := call(end)
				require.ErrorIs(t, err, context.Canceled, "check %d of %d", end, total)
				// The callers of the check may check the context again.
				require.LessOrEqual(t, checks, end+3, "check %d of %d: the method continues after the end", end, total)
			}
		})
	}
	for _, e := range k.Entries() {
		if e.Risk() == tool.RiskRead { // methods that write have tests of their own
			require.True(t, called[e.FullName], "%s has no hostile call", e.FullName)
		}
	}
}

// patternMatches defines which paths a pattern matches: "**" matches any number of names.
func patternMatches(pattern, names []string) bool {
	switch {
	case len(pattern) == 0:
		return len(names) == 0
	case pattern[0] == "**":
		return patternMatches(pattern[1:], names) || len(names) > 0 && patternMatches(pattern, names[1:])
	case len(names) == 0:
		return false
	}
	ok, _ := path.Match(pattern[0], names[0])
	return ok && patternMatches(pattern[1:], names[1:])
}

// TestLawGlobMatchesItsDefinition compares patterns with patternMatches. (A law is a property that
// rapid checks with generated inputs.)
func TestLawGlobMatchesItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.SliceOfN(rapid.SampledFrom([]string{"**", "*", "a", "b", "a*", "?"}), 2, 6).Draw(t, "pattern")
		names := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "ab", "ba"}), 1, 6).Draw(t, "names")
		got, err := builtin.GlobMatches(t.Context(), strings.Join(pattern, "/"), strings.Join(names, "/"))
		if err != nil {
			t.Fatal(err)
		}
		if want := patternMatches(pattern, names); got != want {
			t.Fatalf("%q matches %q: got %v, want %v", pattern, names, got, want)
		}
	})
}

// TestALongPatternIsRefusedAtOnce would exceed the time limit of the tests if braces were expanded
// before the length of the pattern is checked.
func TestALongPatternIsRefusedAtOnce(t *testing.T) {
	_, err := builtin.GlobMatches(t.Context(), strings.Repeat("{a}", 1_000_000), "a")
	require.ErrorContains(t, err, "is too long")
}

func TestLawLongLinesMatchLikeShortOnes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		expression := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
			"a", "b", ".", "x*", "(?:ab)+", "^", "$", `\b`, `\B`, "長", "[^a]", "a|b", `\x{FFFD}`, `\pL`, "(?i)A",
		}), 1, 5).Draw(t, "expression"), "")
		line := []byte(strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{
			"a", "b", " ", "長", "\xff", "\xe9\x95", "A", "ab",
		})).Draw(t, "line"), ""))
		got, err := builtin.MatchLong(t.Context(), expression, line)
		if err != nil {
			t.Fatal(err)
		}
		if want := regexp.MustCompile(expression).Match(line); got != want {
			t.Fatalf("%q in %q: got %v, want %v", expression, line, got, want)
		}
	})
}
