package executor_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// Each page is read by the engine's own method results_read, and fits the budget together with its
// header.
func TestPagesFitTheBudget(t *testing.T) {
	for name, estimate := range map[string]protocol.TokenEstimator{
		"the default": nil,
		"bytes":       func(text string) int { return len(text) },
		"words":       func(text string) int { return len(strings.Fields(text)) },
		// A text costs more than the sum of its parts.
		"bytes and more": func(text string) int { return len(text) + len(text)*len(text)/2000 },
	} {
		for content, text := range map[string]string{"lines": numbered(400), "Chinese": strings.Repeat("中", 4000)} {
			t.Run(name+", "+content, func(t *testing.T) {
				config := engine.DefaultConfig()
				config.ResultTokens = executor.MinResultTokens
				e, err := engine.New(engine.Options{
					Registry:  registry(t, method(t, "tool", says(text))),
					Protocols: []protocol.Protocol{vcp.Protocol{}}, Config: config,
					EstimateTokens: estimate, Logger: quiet,
				})
				require.NoError(t, err)
				s := e.NewSession("one")
				first := s.Execute(t.Context(), []executor.Request{request("3.1", "t_tool")})[0]
				if !first.Excerpted { // such as 4,000 Chinese characters, which count as one word
					return
				}
				read := ""
				for page, more := 1, true; more; page++ {
					r := s.Execute(t.Context(),
						[]executor.Request{request("9", "results_read", "id", "3.1", "page", fmt.Sprint(page))})[0]
					require.Equal(t, protocol.StatusSuccess, r.Status, r.ToolResult.Result)
					require.LessOrEqual(t, r.Tokens, executor.MinResultTokens, "page %d: %q", page, r.ToolResult.Result)
					head, part, _ := strings.Cut(r.ToolResult.Result, "\n")
					read, more = read+part, !strings.Contains(head, "last page")
				}
				require.Equal(t, text, read)
			})
		}
	}
}

// The excerpt of any text is within the budget, and the pages together are the text. (A law is a
// property that rapid checks with generated inputs.)
func TestLawResultFitsItsBudget(t *testing.T) {
	var text string
	reg := registry(t, method(t, "tool",
		func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{Text: text}, nil }))
	piece := rapid.OneOf(
		rapid.StringMatching(`[a-z ]{0,200}\n?`), rapid.String(),
		rapid.SampledFrom([]string{
			"\n", "\x00\xff\n", "中文字符", "👩‍👩‍👧", "]\n[", strings.Repeat("word ", 300),
			strings.Repeat("\u0301", 300), numbered(30),
		}))
	rapid.Check(t, func(rt *rapid.T) {
		text = strings.Join(rapid.SliceOfN(piece, 0, 100).Draw(rt, "pieces"), "")
		budget := rapid.IntRange(executor.MinResultTokens, 1000).Draw(rt, "budget")
		kept := store{}
		x := executor.New(reg, executor.Options{
			Logger:      quiet,
			ResultLimit: executor.ResultLimit{Tokens: budget, Keep: kept.keep, ReadMethod: "results_read"},
		})
		r := execute(t, x, request("3.1", "t_tool"))
		whole, got := strings.ToValidUTF8(text, "\uFFFD"), r.ToolResult.Result
		if r.Tokens > budget || r.Tokens != protocol.EstimateTokens(got) || !utf8.ValidString(got) {
			rt.Fatalf("the result costs %d tokens, want at most %d, and valid text: %q", r.Tokens, budget, got)
		}
		if !r.Excerpted {
			if got != whole || len(kept) != 0 {
				rt.Fatalf("%q became %q", whole, got)
			}
			return
		}
		full := kept["3.1"]
		pages := full.Pages()
		if full.Text != whole || strings.Join(pages, "") != whole {
			rt.Fatalf("%q was kept as %q", whole, pages)
		}
		// The excerpt begins with page 1, unless there was no room for it.
		head := ""
		if strings.HasPrefix(got, pages[0]) && strings.Contains(got, " and page 2;") {
			head = pages[0]
		}
		rest := strings.TrimPrefix(strings.TrimPrefix(got, head), "\n")
		if !strings.HasPrefix(rest, "[") {
			rt.Fatalf("no note after %q: %q", head, rest)
		}
		end := fmt.Sprintf("there are %d pages.]", len(pages))
		_, tail, found := strings.Cut(rest, end)
		if !found || !strings.HasSuffix(whole, strings.TrimPrefix(tail, "\n")) {
			rt.Fatalf("%q is not the end of the text", tail)
		}
	})
}
