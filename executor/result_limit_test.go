package executor_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// lines returns the lines of numbered with the numbers first to last.
func lines(first, last int) string {
	return strings.Join(strings.SplitAfter(numbered(last), "\n")[first-1:last], "")
}

// store keeps results by id.
type store map[string]executor.FullResult

func (s store) keep(_ context.Context, full executor.FullResult) int {
	s[full.ID] = full
	return len(full.Pages())
}

// limited runs the handler h under a result limit, and returns its result.
func limited(t testing.TB, limit executor.ResultLimit, h tool.Handler, opts ...tool.Option) executor.Result {
	t.Helper()
	x := executor.New(registry(t, method(t, "tool", h, opts...)), executor.Options{ResultLimit: limit, Logger: quiet})
	return execute(t, x, request("3.1", "t_tool"))
}

func TestLongResultBecomesAnExcerpt(t *testing.T) {
	kept := store{}
	limit := executor.ResultLimit{Tokens: 300, Keep: kept.keep, ReadMethod: "results_read"}
	r := limited(t, limit, says(numbered(1000)))
	head, rest, found := strings.Cut(r.ToolResult.Result, "[")
	require.True(t, found)
	note, tail, _ := strings.Cut(rest, "]\n")

	// The note costs some 43 tokens, so there is room for about 255: 27 lines of 9.2 tokens. Two
	// thirds of these are at the beginning, or somewhat fewer, because lengths are found by
	// guessing. The others are at the end.
	first, last := strings.Count(head, "\n"), strings.Count(tail, "\n")
	require.Equal(t, lines(1, first), head)
	require.Equal(t, lines(1001-last, 1000), tail)
	require.InDelta(t, 17, first, 1)
	require.InDelta(t, 9, last, 1)
	omitted := 1000 - first - last
	pages := kept["3.1"].Pages()
	require.Equal(t, fmt.Sprintf("Omitted here: %d lines (%d characters). "+
		"To read on, call results_read with id \"3.1\" and page 2; there are %d pages.", omitted, 32*omitted, len(pages)), note)
	require.LessOrEqual(t, r.Tokens, 300)
	require.Equal(t, protocol.EstimateTokens(r.ToolResult.Result), r.Tokens)
	require.Equal(t, 32_000, r.RawBytes)
	require.True(t, r.Excerpted)

	require.Equal(t, "t_tool", kept["3.1"].Method)
	require.Equal(t, numbered(1000), kept["3.1"].Text)
	require.Equal(t, numbered(1000), strings.Join(pages, ""))
	require.Equal(t, head, pages[0], "page 2 continues the beginning")
	for i, page := range pages {
		require.True(t, strings.HasSuffix(page, "\n"), "page %d ends between lines", i+1)
	}
}

func TestMethodBudgetOverridesTheExecutors(t *testing.T) {
	text := numbered(100) // 920 tokens
	whole := func(limit executor.ResultLimit, opts ...tool.Option) func(t *testing.T) {
		return func(t *testing.T) {
			r := limited(t, limit, says(text), opts...)
			require.Equal(t, text, r.ToolResult.Result)
			require.Equal(t, 920, r.Tokens)
			require.False(t, r.Excerpted)
		}
	}
	excerpted := func(maxTokens int, limit executor.ResultLimit, opts ...tool.Option) func(t *testing.T) {
		return func(t *testing.T) {
			r := limited(t, limit, says(text), opts...)
			require.True(t, r.Excerpted)
			require.LessOrEqual(t, r.Tokens, maxTokens)
			require.Greater(t, r.Tokens, maxTokens*3/4)
		}
	}
	t.Run("nothing is limited by default", whole(executor.ResultLimit{}))
	t.Run("a text that fits exactly is whole", whole(executor.ResultLimit{Tokens: 920}))
	t.Run("a text over the budget by one token is an excerpt", excerpted(919, executor.ResultLimit{Tokens: 919}))
	t.Run("a method may have more", whole(executor.ResultLimit{Tokens: 300}, tool.ResultTokens(1000)))
	t.Run("a method may have less", excerpted(300, executor.ResultLimit{Tokens: 1000}, tool.ResultTokens(300)))
	t.Run("a method may have a limit of its own", excerpted(300, executor.ResultLimit{}, tool.ResultTokens(300)))
	t.Run("a method may have no limit", whole(executor.ResultLimit{Tokens: 300}, tool.ResultTokens(-1)))
	t.Run("ResultLimit.Estimate counts", func(t *testing.T) {
		words := func(text string) int { return len(strings.Fields(text)) }
		r := limited(t, executor.ResultLimit{Tokens: 250, Estimate: words}, says(text)) // 300 words
		require.True(t, r.Excerpted)
		require.LessOrEqual(t, words(r.ToolResult.Result), 250)
		require.Equal(t, words(r.ToolResult.Result), r.Tokens)
		require.Equal(t, text,
			limited(t, executor.ResultLimit{Tokens: 300, Estimate: words}, says(text)).ToolResult.Result)
	})
	t.Run("the default estimate counts if the estimator panics",
		excerpted(300, executor.ResultLimit{Tokens: 300, Estimate: func(string) int { panic("boom") }}))
}

// A text is shortened if and only if call.Fits returned false for it.
func TestHandlerKnowsItsBudget(t *testing.T) {
	for _, tokens := range []int{200, 919, 920, 1000} {
		fits := false
		r := limited(t, executor.ResultLimit{Tokens: tokens},
			func(_ context.Context, call *tool.Call) (tool.Output, error) {
				fits = call.Fits(numbered(100)) // 920 tokens
				return tool.Output{Text: numbered(100)}, nil
			})
		require.Equal(t, tokens >= 920, fits, tokens)
		require.Equal(t, !fits, r.Excerpted, tokens)
	}
	limited(t, executor.ResultLimit{}, func(_ context.Context, call *tool.Call) (tool.Output, error) {
		require.Nil(t, call.Fits, "without a budget any text fits")
		return tool.Output{}, nil
	})
}

func TestRawBytesCountTheToolsText(t *testing.T) {
	edits := func(_ context.Context, q executor.Question) (executor.Answer, error) {
		return q.Edit([]byte(`{"text":"other"}`)), nil
	}
	fails := func(text string) tool.Handler {
		return func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, errors.New(text) }
	}
	for _, tt := range []struct {
		name    string
		handler tool.Handler
		options executor.Options
		want    int // RawBytes
	}{
		{"a text", says("中文"), executor.Options{}, 6},
		{
			"bytes that are not UTF-8, before they are replaced", says(strings.Repeat("\xff", 1000)),
			executor.Options{},
			1000,
		},
		{
			"a long text, before it is shortened", says(numbered(1000)),
			executor.Options{ResultLimit: executor.ResultLimit{Tokens: 300}},
			32_000,
		},
		{"a text, without the note that its arguments were edited", says("fine"), askOptions(edits), 4},
		{"an error, before it is truncated", fails(strings.Repeat("\xff", 10_000)), executor.Options{}, 10_000},
		{"an error, without the note that its arguments were edited", fails("no"), askOptions(edits), 2},
		{
			"an empty error has the length of the text that the model reads", fails(""),
			executor.Options{},
			len("The tool failed and did not say why."),
		},
		{
			"a refused call has the length of the text that the model reads", says("fine"), askOptions(nil),
			len("This call needs the user's approval (approve: ask), and there is nobody to ask."),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.options.Logger = quiet
			r := execute(t, executor.New(registry(t, method(t, "tool", tt.handler)), tt.options),
				request("1", "t_tool", "text", "a"))
			require.Equal(t, tt.want, r.RawBytes, "%.200q", r.ToolResult.Result)
		})
	}
}

func TestPagesThatWereNotKeptAreNotOffered(t *testing.T) {
	for name, keep := range map[string]func(context.Context, executor.FullResult) int{
		"Keep is nil":        nil,
		"Keep keeps no page": func(context.Context, executor.FullResult) int { return 0 },
		"Keep panics":        func(context.Context, executor.FullResult) int { panic("boom") },
	} {
		t.Run(name, func(t *testing.T) {
			r := limited(t, executor.ResultLimit{Tokens: 300, Keep: keep, ReadMethod: "results_read"},
				says(numbered(1000)))
			require.Contains(t, r.ToolResult.Result, "It was not kept and cannot be read; ")
			require.NotContains(t, r.ToolResult.Result, "results_read")
		})
	}
}

// Details are for people.
func TestDetailsAreNotShortened(t *testing.T) {
	details := strings.Repeat("d", 100_000)
	r := limited(t, executor.ResultLimit{Tokens: 300}, func(context.Context, *tool.Call) (tool.Output, error) {
		return tool.Output{Text: numbered(1000), Details: details}, nil
	})
	require.True(t, r.Excerpted)
	require.Equal(t, details, r.Details)
}

func TestLongErrorsAreShortened(t *testing.T) {
	kept := store{}
	r := limited(t, executor.ResultLimit{Tokens: 300, Keep: kept.keep},
		func(context.Context, *tool.Call) (tool.Output, error) {
			return tool.Output{}, errors.New(numbered(100))
		})
	require.Equal(t, executor.ErrorExecutionFailed, r.ErrorType)
	require.LessOrEqual(t, r.Tokens, 300)
	require.Regexp(t, `(?s)^line 00001 .*\n\[Omitted here: \d+ lines \(\d+ characters\) of the message\.\]\n.*x$`,
		r.ToolResult.Result)
	require.Empty(t, kept)
}

const outputLine = "a line of a very long output\n"

// hugeOutput is the size of the largest output of a tool, in bytes. Both sizes are far over the
// budget of a result. 100 MB would need gigabytes of memory under the race detector.
func hugeOutput() int { return longtest.Count(4<<20, 32<<20) }

// TestResultsOfAnySizeFitTheBudget runs hostile and ordinary outputs one after the other and in
// parallel.
func TestResultsOfAnySizeFitTheBudget(t *testing.T) {
	size := hugeOutput()
	outputs := map[string]string{
		"very many lines":            strings.Repeat(outputLine, size/len(outputLine)),
		"a very long line":           strings.Repeat("x", size),
		"very much that is not text": strings.Repeat("\xff\x00\xfe", size/3),
		"not UTF-8":                  "\xff\xfe" + strings.Repeat("\x80", 10_000) + strings.Repeat("\xc3(", 10_000),
		"NUL":                        strings.Repeat("\x00", 100_000),
		"nothing":                    "",
		"short":                      "fine",
	}
	var methods []tool.Method
	var reqs []executor.Request
	for i, name := range []string{
		"very many lines", "a very long line", "very much that is not text", "not UTF-8", "NUL",
		"nothing", "short",
	} {
		methods = append(methods, method(t, fmt.Sprintf("m%d", i), says(outputs[name])))
		reqs = append(reqs, request(fmt.Sprint(i), fmt.Sprintf("t_m%d", i)))
	}
	reg := registry(t, methods...)
	for _, parallel := range []bool{false, true} {
		done := map[string]int{}
		x := executor.New(reg, executor.Options{
			Parallel: parallel, Timeout: time.Hour, Logger: quiet,
			ResultLimit: executor.ResultLimit{Tokens: executor.DefaultResultTokens},
		})
		results := x.Execute(t.Context(), allVisible(),
			executor.Observer{Done: func(r *executor.Result) { done[r.ID]++ }}, reqs)
		require.Empty(t, brokenRule(reqs, results, done))
		for i, r := range results {
			require.Equal(t, protocol.StatusSuccess, r.Status)
			require.LessOrEqual(t, protocol.EstimateTokens(r.ToolResult.Result), executor.DefaultResultTokens)
			require.Equal(t, i < 5, r.Excerpted, "the first five outputs are over the budget: %d: %.100q",
				i, r.ToolResult.Result)
		}
		require.Equal(t, size, results[1].RawBytes)
		require.Empty(t, results[5].ToolResult.Result)
	}
}

// BenchmarkExcerpt shortens a long output, and splits it into pages. For comparison, "valid" reads
// each byte of the output once.
func BenchmarkExcerpt(b *testing.B) {
	for _, megabytes := range []int{1, 100} {
		text := strings.Repeat(outputLine, megabytes<<20/len(outputLine))
		b.Run(fmt.Sprintf("excerpt/%dMB", megabytes), func(b *testing.B) {
			limit := executor.ResultLimit{Tokens: executor.DefaultResultTokens}
			x := executor.New(registry(b, method(b, "tool", says(text))),
				executor.Options{Logger: quiet, ResultLimit: limit})
			reqs := []executor.Request{request("1", "t_tool")}
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				x.Execute(b.Context(), allVisible(), executor.Observer{}, reqs)
			}
		})
		b.Run(fmt.Sprintf("valid/%dMB", megabytes), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				utf8.ValidString(text)
			}
		})
		b.Run(fmt.Sprintf("pages/%dMB", megabytes), func(b *testing.B) {
			kept := store{}
			limited(b, executor.ResultLimit{Tokens: executor.DefaultResultTokens, Keep: kept.keep}, says(text))
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				kept["3.1"].Pages()
			}
		})
	}
}
