package engine_test

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// long returns a text of n different lines.
func long(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d %s\n", i+1, strings.Repeat("x", 20))
	}
	return b.String()
}

// returning returns a method whose result is *text.
func returning(t testing.TB, name string, text *string, opts ...tool.Option) tool.Method {
	t.Helper()
	m, err := tool.Raw(name, "Returns a text.", nil, func(context.Context, *tool.Call) (tool.Output, error) {
		return tool.Output{Text: *text}, nil
	}, append(opts, tool.AgentCallable())...)
	require.NoError(t, err)
	return m
}

// execute runs one request of the session. args are the names and values of its arguments.
func execute(t testing.TB, s *engine.Session, id, name string, args ...string) executor.Result {
	t.Helper()
	req := executor.Request{ID: id, ToolRequest: protocol.ToolRequest{ToolName: name}}
	for i := 0; i < len(args); i += 2 {
		req.Arguments = append(req.Arguments, protocol.Argument{Name: args[i], Value: args[i+1]})
	}
	return s.Execute(t.Context(), []executor.Request{req})[0]
}

// nextCall matches the note that says how to read the next page.
var nextCall = regexp.MustCompile(`call (\S+) with id "([^"]*)" and page (\d+); there are (\d+) pages\.\]`)

func TestTheModelReadsTheOtherPagesOfALongResult(t *testing.T) {
	text := long(900)
	var replies []reply
	replies = append(replies, says(block(t, "t_long")))
	for page := 2; page <= 5; page++ {
		replies = append(replies, says(block(t, "results_read", "id", "1.1", "page", strconv.Itoa(page))))
	}
	model := &script{replies: append(replies, says("Done."))}
	s := session(t, registry(t, returning(t, "long", &text)), model)
	o := run(t, s, question)
	require.Equal(t, engine.StopDone, o.stop)

	first := results(t, *o.iterations[0].ResultMessage)[0].Result
	require.LessOrEqual(t, protocol.EstimateTokens(first), executor.DefaultResultTokens)
	note := nextCall.FindStringSubmatch(first)
	require.Equal(t, []string{"results_read", "1.1", "2"}, note[1:4])
	read, _, _ := strings.Cut(first, "[")
	pages, err := strconv.Atoi(note[4])
	require.NoError(t, err)
	for i, iteration := range o.iterations[1:5] {
		result := results(t, *iteration.ResultMessage)[0].Result
		require.LessOrEqual(t, protocol.EstimateTokens(result), executor.DefaultResultTokens,
			"a page with its head is within the limit")
		head, page, _ := strings.Cut(result, "\n")
		if i+2 == pages {
			require.Equal(t, fmt.Sprintf(`[Result "1.1", page %d of %d. This is the last page.]`, i+2, pages), head)
		} else {
			require.Equal(t, fmt.Sprintf(`[Result "1.1", page %d of %d. Continue with page %d.]`, i+2, pages, i+3),
				head)
		}
		read += page
	}
	// 26,892 bytes are 7,732 tokens. The beginning has some 1,300 of them, a page some 1,900.
	require.Equal(t, 5, pages)
	require.Equal(t, text, read)
}

// TestPagesAreTheWholeResult checks for any text that its pages, joined, are the text.
func TestPagesAreTheWholeResult(t *testing.T) {
	var text string
	reg := registry(t, returning(t, "long", &text))
	piece := rapid.OneOf(rapid.StringMatching(`[a-z ]{0,300}\n?`), rapid.String(),
		rapid.SampledFrom([]string{"\n", "\r\n", "中文\n", long(40), strings.Repeat("y", 4000)}))
	rapid.Check(t, func(rt *rapid.T) {
		text = strings.Join(rapid.SliceOfN(piece, 1, 40).Draw(rt, "pieces"), "") + long(40)
		budget := rapid.IntRange(executor.MinResultTokens, 300).Draw(rt, "budget")
		s := session(t, reg, nil, config(func(c *engine.Config) { c.ResultTokens = budget }))
		note := nextCall.FindStringSubmatch(execute(t, s, "7", "t_long").ToolResult.Result)
		if note == nil {
			rt.Fatal("no note")
		}
		pages, _ := strconv.Atoi(note[4])
		var read strings.Builder
		for page := range pages {
			r := execute(t, s, "8", "results_read", "id", "7", "page", strconv.Itoa(page+1))
			if r.Tokens > budget || r.Excerpted {
				rt.Fatalf("page %d costs %d of %d tokens", page+1, r.Tokens, budget)
			}
			_, rest, _ := strings.Cut(r.ToolResult.Result, "\n")
			read.WriteString(rest)
		}
		if want := strings.ToValidUTF8(text, "\uFFFD"); read.String() != want {
			rt.Fatalf("read %q, want %q", read.String(), want)
		}
	})
}

func TestAPageThatCannotBeReadIsAnError(t *testing.T) {
	text := long(900)
	reg := registry(t, returning(t, "long", &text))
	e := newEngine(t, reg, nil)
	s, other := e.NewSession("one"), e.NewSession("two")
	require.Contains(t, execute(t, s, "1", "results_read", "id", "1").ToolResult.Result,
		`there is no excerpted result "1"; no result can be read further`)
	execute(t, s, "1", "t_long")
	execute(t, s, "2", "t_echo", "text", "short")
	execute(t, s, "3", "t_long")
	execute(t, other, "4", "t_long")

	for _, tt := range []struct{ name, id, page, errorType, want string }{
		{
			"the error for an unknown id names the known ids", "x", "1", executor.ErrorExecutionFailed,
			`there is no excerpted result "x"; the results that can be read further are "1", "3"`,
		},
		{"a result that was not excerpted cannot be read", "2", "1", executor.ErrorExecutionFailed, `no excerpted result "2"`},
		{
			"a result of another session cannot be read", "4", "1", executor.ErrorExecutionFailed,
			`no excerpted result "4"`,
		},
		{
			"a page after the last", "3", "99", executor.ErrorExecutionFailed,
			`the result "3" has no page 99; its pages are 1 to 5`,
		},
		{"pages are counted from 1", "3", "0", executor.ErrorInvalidArguments, `page: expected`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := execute(t, s, "9", "results_read", "id", tt.id, "page", tt.page)
			require.Equal(t, tt.errorType, r.ErrorType)
			require.Contains(t, r.ToolResult.Result, tt.want)
		})
	}
	require.Contains(t, execute(t, other, "9", "results_read", "id", "4").ToolResult.Result, "line 1 ",
		"the default is page 1")
}

// An application that calls Execute chooses the IDs of its requests. They may contain hyphens, like
// those of package mcpserver.
func TestResultsOfTheApplicationsRequestsAreKeptByTheWholeID(t *testing.T) {
	text := long(900)
	s := session(t, registry(t, returning(t, "long", &text)), nil)
	for _, id := range []string{"mcp-1", "mcp-2", "job-abcdefghijkl", "1.1-abc"} {
		note := nextCall.FindStringSubmatch(execute(t, s, id, "t_long").ToolResult.Result)
		require.Equal(t, id, note[2])
	}
}

func TestUnracedSessionLimitsTheResultsThatItKeeps(t *testing.T) {
	longtest.SkipIfRaced(t) // because of the prefix TestUnraced, "make test" runs this test without the race detector
	const megabyte = 1 << 20
	const line = "a line of an output that goes on and on\n"
	text := strings.Repeat(line, 6*megabyte/len(line))
	s := newEngine(t, registry(t, returning(t, "long", &text)), nil).NewSession("one")
	for _, id := range []string{"1", "2", "3"} { // 18 MB, of which 12 can stay
		require.Contains(t, execute(t, s, id, "t_long").ToolResult.Result, "call results_read")
	}
	require.Contains(t, execute(t, s, "9", "results_read", "id", "1").ToolResult.Result,
		`the result "1" is no longer kept, because later ones took its place; `+
			`the results that can be read further are "2", "3"; call its method again`)
	require.Equal(t, protocol.StatusSuccess, execute(t, s, "9", "results_read", "id", "2").Status)

	execute(t, s, "3", "t_long")
	require.Equal(t, protocol.StatusSuccess, execute(t, s, "9", "results_read", "id", "2").Status,
		"the result of a request that runs again replaces only its earlier result")

	text = strings.Repeat("x", 17*megabyte)
	require.Contains(t, execute(t, s, "4", "t_long").ToolResult.Result, "It was not kept and cannot be read")
	require.Equal(t, protocol.StatusSuccess, execute(t, s, "9", "results_read", "id", "3").Status,
		"a result that is too long removes no other")
}

func TestANoteNamesNoMethodThatIsDenied(t *testing.T) {
	allowLong := policy.Rule{Method: "t_long", Decision: policy.Allow}
	for _, tt := range []struct {
		name     string
		approve  policy.Approve
		rule     policy.Rule
		approver executor.Approver
		named    bool // the note names results_read
	}{
		{"a call that the policy denies", policy.ApproveNever, allowLong, allowing, false},
		{
			"a call that a rule denies", policy.ApproveAll,
			policy.Rule{Tool: "results", Decision: policy.Deny},
			allowing, false,
		},
		{"a call that needs approval without an approver", policy.ApproveAsk, allowLong, nil, false},
		{"a call that needs approval with an approver", policy.ApproveAsk, allowLong, allowing, true},
		{"a call that the policy allows", policy.ApproveAll, allowLong, nil, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := long(900)
			s := session(t, registry(t, returning(t, "long", &text)), nil, config(func(c *engine.Config) {
				c.Approve, c.ApproveRules = tt.approve, []policy.Rule{tt.rule}
			}), func(o *engine.Options) { o.Approver = tt.approver })
			r := execute(t, s, "1", "t_long")
			require.True(t, r.Excerpted)
			require.Equal(t, tt.named, strings.Contains(r.ToolResult.Result, "results_read"))
			require.Equal(t, tt.named, execute(t, s, "2", "results_read", "id", "1").ErrorType == "")
		})
	}
}
