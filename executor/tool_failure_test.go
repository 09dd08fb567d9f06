package executor_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

func TestToolFailuresAreResults(t *testing.T) {
	for _, tt := range []struct {
		name     string
		handler  tool.Handler
		wantType string
		wantText string
	}{
		{"the model reads an error", func(context.Context, *tool.Call) (tool.Output, error) {
			return tool.Output{Text: "ignored", Details: "ignored"}, errors.New("disk full")
		}, executor.ErrorExecutionFailed, "disk full"},
		{"an error without a text gets one", func(context.Context, *tool.Call) (tool.Output, error) {
			return tool.Output{}, errors.New("")
		}, executor.ErrorExecutionFailed, "did not say why"},
		{"a long error is truncated", func(context.Context, *tool.Call) (tool.Output, error) {
			return tool.Output{}, errors.New(strings.Repeat("é", 100_000))
		}, executor.ErrorExecutionFailed, strings.Repeat("é", 2048) + "…"},
		{"an error that is not UTF-8 becomes UTF-8", func(context.Context, *tool.Call) (tool.Output, error) {
			return tool.Output{}, errors.New("bad \xff byte")
		}, executor.ErrorExecutionFailed, "bad \uFFFD byte"},
		{"a long error that is not UTF-8 becomes UTF-8 before it is truncated", func(context.Context, *tool.Call) (tool.Output, error) {
			return tool.Output{}, errors.New(strings.Repeat("\xffx", 100_000))
		}, executor.ErrorExecutionFailed, strings.Repeat("\uFFFDx", 4096/len("\uFFFDx")) + "…"},
		{"a panic is a failure", func(context.Context, *tool.Call) (tool.Output, error) {
			panic("boom")
		}, executor.ErrorExecutionFailed, "t_tool broke down"},
		{"panic(nil) is a panic", func(context.Context, *tool.Call) (tool.Output, error) {
			panic(nil) //nolint:govet // the case under test
		}, executor.ErrorExecutionFailed, "t_tool broke down"},
		{"an error whose text panics is a panic", func(context.Context, *tool.Call) (tool.Output, error) {
			var e *brokenError
			return tool.Output{}, e
		}, executor.ErrorExecutionFailed, "t_tool broke down"},
		{"runtime.Goexit is caught", func(context.Context, *tool.Call) (tool.Output, error) {
			runtime.Goexit()
			return tool.Output{}, nil
		}, executor.ErrorExecutionFailed, "t_tool broke down"},
		{"a timeout that the tool itself reports is a failure", func(context.Context, *tool.Call) (tool.Output, error) {
			return tool.Output{}, context.DeadlineExceeded
		}, executor.ErrorExecutionFailed, "deadline exceeded"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := executor.New(registry(t, method(t, "tool", tt.handler)), executor.Options{Logger: quiet})
			r := execute(t, x, request("1", "t_tool"))
			require.Equal(t, protocol.StatusError, r.Status)
			require.Equal(t, tt.wantType, r.ErrorType)
			require.Contains(t, r.ToolResult.Result, tt.wantText)
			require.LessOrEqual(t, len(r.ToolResult.Result), 4096+len("…"))
			require.NotEmpty(t, r.Suggestion)
			require.Nil(t, r.Details)
			require.NotContains(t, r.ToolResult.Result, "boom", "the model does not read the value of a panic")
			require.NotContains(t, r.ToolResult.Result, "goroutine")
		})
	}
}

func TestThePanicOfAToolIsLogged(t *testing.T) {
	var log strings.Builder
	panics := func(context.Context, *tool.Call) (tool.Output, error) { panic("boom") }
	x := executor.New(registry(t, method(t, "tool", panics)),
		executor.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	execute(t, x, request("1", "t_tool"))
	require.Contains(t, log.String(), "panic=boom")
}

// brokenError is an error whose Error method panics if the pointer is nil.
type brokenError struct{ text string }

func (e *brokenError) Error() string { return e.text }

func TestHandlerRefusesArguments(t *testing.T) {
	type in struct {
		N int8 `json:"n"`
	}
	m, err := tool.New("tool", "Takes a small number.", func(context.Context, in) (string, error) { return "", nil },
		tool.AgentCallable())
	require.NoError(t, err)
	x := executor.New(registry(t, m), executor.Options{Logger: quiet})
	r := execute(t, x, request("1", "t_tool", "n", "1000")) // an integer, but too large for an int8
	require.Equal(t, executor.ErrorInvalidArguments, r.ErrorType, r.ToolResult.Result)
}

func TestInvalidArgumentsHaveDetails(t *testing.T) {
	const parameters = `{"type":"object","properties":{"text":{"type":"string"},"key":{"type":"string"}}}`
	m, err := tool.Raw("tool", "", json.RawMessage(parameters), says(""), tool.AgentCallable(),
		tool.SecretParameters("key"))
	require.NoError(t, err)
	x := executor.New(registry(t, m), executor.Options{Logger: quiet})
	r := execute(t, x, request("1", "t_tool", "txt", "hi", "key", "hush"))
	require.Equal(t, executor.ErrorInvalidArguments, r.ErrorType)
	details, ok := r.Details.(executor.ArgumentsDetails)
	require.True(t, ok)
	require.JSONEq(t, `{"txt":"[secret]","key":"[secret]"}`, string(details.Received),
		"an undeclared argument may be a secret whose name is misspelled")
	require.JSONEq(t, parameters, string(details.Expected))
}
