package executor_test

import (
	"context"
	"errors"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/tool"
)

func TestFailuresFollowTheLanguage(t *testing.T) {
	fails := method(t, "fail",
		func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, errors.New("full") })
	breaks := method(t, "break", func(context.Context, *tool.Call) (tool.Output, error) { panic("broken") })
	x := executor.New(registry(t, fails, breaks, method(t, "hide", says("x"))), executor.Options{Logger: quiet})
	requests := []executor.Request{
		request("1", "t_fial"), request("2", "t_fail"), request("3", "t_break"), request("4", "t_hide"),
		{ID: "5", Err: &scan.RequestError{Code: scan.CodeNoFields}},
		request("6", "t_fail", "txet", "[", "text", "1"),
	}
	chinese := func(s string) bool {
		for _, r := range s {
			if unicode.Is(unicode.Han, r) {
				return true
			}
		}
		return false
	}
	for _, language := range []string{"en", "zh"} {
		c := allVisibleExcept("t_hide")
		c.Language = func() string { return language }
		for _, r := range x.Execute(t.Context(), c, executor.Observer{}, requests) {
			require.NotEmpty(t, r.ErrorType)
			require.Equal(t, language == "zh", chinese(r.Suggestion), "%s: %s", r.ErrorType, r.Suggestion)
			if r.ToolResult.Result == "full" {
				continue // the texts of handlers are not translated
			}
			require.Equal(t, language == "zh", chinese(r.ToolResult.Result), "%s: %s", r.ErrorType, r.ToolResult.Result)
		}
	}
}

func TestUnknownToolResultsSuggestAnsweringWithoutATool(t *testing.T) {
	x := executor.New(registry(t, method(t, "open", says("x"))), executor.Options{Logger: quiet})
	for _, name := range []string{"t_opne", "mail_send", "t"} {
		r := execute(t, x, request("1", name))
		require.Contains(t, r.Suggestion, "answer without a tool, or tell the user what you cannot do", name)
		require.Contains(t, r.Suggestion, "t_open", name)
		require.NotContains(t, r.Suggestion, "tool_name", "not every protocol has a field of that name")
	}
}
