package executor_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

func TestCache(t *testing.T) {
	form := func(r executor.Request) executor.Request {
		for i := range r.Arguments {
			r.Arguments[i].Form = protocol.FormJSON
		}
		return r
	}
	for _, tt := range []struct {
		name   string
		opts   []tool.Option
		first  executor.Request
		second executor.Request
		wait   time.Duration
		other  bool // conversation
		want   int  // runs
	}{
		{"the same call is given the same result", []tool.Option{tool.Cacheable(time.Minute)}, request("1", "t_tool", "text", "a"), request("2", "t_tool", "text", "a"), 0, false, 1},
		{"as long as it is fresh", []tool.Option{tool.Cacheable(time.Minute)}, request("1", "t_tool", "text", "a"), request("2", "t_tool", "text", "a"), time.Minute - 1, false, 1},
		{"and no longer", []tool.Option{tool.Cacheable(time.Minute)}, request("1", "t_tool", "text", "a"), request("2", "t_tool", "text", "a"), time.Minute, false, 2},
		{"other arguments are another call", []tool.Option{tool.Cacheable(time.Minute)}, request("1", "t_tool", "text", "a"), request("2", "t_tool", "text", "b"), 0, false, 2},
		{"the order of arguments says nothing", []tool.Option{tool.Cacheable(time.Minute)}, form(request("1", "t_tool", "x", "1", "y", `{"k":1,"l":2}`)), form(request("2", "t_tool", "y", `{"l":2,"k":1}`, "x", "1")), 0, false, 1},
		{"numbers are compared digit by digit", []tool.Option{tool.Cacheable(time.Minute)}, form(request("1", "t_tool", "x", "9007199254740993")), form(request("2", "t_tool", "x", "9007199254740992")), 0, false, 2},
		{"another method has results of its own", []tool.Option{tool.Cacheable(time.Minute)}, request("1", "t_tool"), request("2", "t_other"), 0, false, 2},
		{"another conversation has results of its own", []tool.Option{tool.Cacheable(time.Minute)}, request("1", "t_tool"), request("2", "t_tool"), 0, true, 2},
		{"a method that is not cacheable runs each time", nil, request("1", "t_tool"), request("2", "t_tool"), 0, false, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				runs := 0
				h := func(_ context.Context, c *tool.Call) (tool.Output, error) {
					runs++
					return tool.Output{Text: fmt.Sprint("run ", runs), Details: runs, Files: []tool.File{{Name: "f"}}}, nil
				}
				var methods []tool.Method
				for _, name := range []string{"tool", "other"} {
					m, err := tool.Raw(name, name, json.RawMessage(`{"type":"object"}`), h, append(tt.opts, tool.AgentCallable())...)
					require.NoError(t, err)
					methods = append(methods, m)
				}
				x := executor.New(registry(t, methods...), executor.Options{Logger: quiet})
				talk := all()
				first := x.Execute(t.Context(), talk, executor.Observer{}, []executor.Request{tt.first})[0]
				require.Equal(t, protocol.StatusSuccess, first.Status, first.ToolResult.Result)
				time.Sleep(tt.wait)
				if tt.other {
					talk = all()
				}
				second := x.Execute(t.Context(), talk, executor.Observer{}, []executor.Request{tt.second})[0]
				require.Equal(t, tt.want, runs)
				require.False(t, first.Cached)
				require.Equal(t, runs == 1, second.Cached)
				require.Equal(t, fmt.Sprint("run ", runs), second.ToolResult.Result)
				require.Equal(t, runs, second.Details)
				require.Len(t, second.Files, 1)
			})
		})
	}
}

// gives returns one output to each call.
func gives(out tool.Output) tool.Handler {
	return func(context.Context, *tool.Call) (tool.Output, error) { return out, nil }
}

type brokenDetails struct{}

func (brokenDetails) MarshalJSON() ([]byte, error) { panic("boom") }

func TestUncached(t *testing.T) {
	for _, tt := range []struct {
		name      string
		handler   tool.Handler
		errorType string
	}{
		{"a failure", func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, errors.New("boom") }, executor.ErrorExecutionFailed},
		{"a panic", func(context.Context, *tool.Call) (tool.Output, error) { panic("boom") }, executor.ErrorExecutionFailed},
		{"a result that came too late", ignores(time.Minute), executor.ErrorTimeout},
		{"a result that is larger than all that is kept", says(strings.Repeat("x", 8<<20+1)), ""},
		{"one whose details are", gives(tool.Output{Details: strings.Repeat("x", 8<<20)}), ""},
		{"one whose details do not encode, so that nobody knows how large they are", gives(tool.Output{Details: func() {}}), ""},
		{"one whose details panic when they are encoded", gives(tool.Output{Details: brokenDetails{}}), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var ran atomic.Int32
				h := func(ctx context.Context, c *tool.Call) (tool.Output, error) {
					ran.Add(1)
					return tt.handler(ctx, c)
				}
				x := executor.New(registry(t, method(t, "tool", h, tool.Cacheable(time.Hour))), executor.Options{Logger: quiet})
				talk := all()
				for id := range 2 {
					r := x.Execute(t.Context(), talk, executor.Observer{}, []executor.Request{request(fmt.Sprint(id), "t_tool")})[0]
					require.False(t, r.Cached)
					require.Equal(t, tt.errorType, r.ErrorType)
					time.Sleep(2 * time.Minute)
				}
				require.EqualValues(t, 2, ran.Load())
			})
		})
	}
}

func TestCacheLimits(t *testing.T) {
	ran := map[string]int{}
	h := func(_ context.Context, c *tool.Call) (tool.Output, error) {
		ran[string(c.Arguments)]++
		return tool.Output{Text: strings.Repeat("x", 10)}, nil
	}
	methods := []tool.Method{method(t, "tool", h, tool.Cacheable(time.Hour))}
	for name, out := range map[string]tool.Output{
		"big":   {Files: []tool.File{{Data: make([]byte, 3<<20)}}},
		"wordy": {Details: map[string]any{"words": []string{strings.Repeat("x", 3<<20)}}},
		"named": {Files: []tool.File{{Name: strings.Repeat("x", 3<<20)}}},
	} {
		methods = append(methods, method(t, name, func(_ context.Context, c *tool.Call) (tool.Output, error) {
			ran[string(c.Arguments)]++
			return out, nil
		}, tool.Cacheable(time.Hour)))
	}
	x := executor.New(registry(t, methods...), executor.Options{Logger: quiet})
	call := func(talk *executor.Conversation, name string, text any) {
		r := x.Execute(t.Context(), talk, executor.Observer{}, []executor.Request{request("1", name, "text", fmt.Sprint(text))})[0]
		require.Equal(t, protocol.StatusSuccess, r.Status)
	}
	t.Run("by the number of results: the one that was not used for longest goes", func(t *testing.T) {
		talk := all()
		for i := range 256 {
			call(talk, "t_tool", i)
		}
		call(talk, "t_tool", 0)     // used again
		call(talk, "t_tool", "new") // takes the place of 1
		call(talk, "t_tool", 0)
		require.Equal(t, 1, ran[`{"text":"0"}`])
		call(talk, "t_tool", 1)
		require.Equal(t, 2, ran[`{"text":"1"}`])
	})
	for name, what := range map[string]string{"big": "files", "wordy": "details", "named": "names of files"} {
		t.Run("by their bytes, "+what+" included", func(t *testing.T) {
			talk := all()
			for i := range 3 { // 9 MiB of 8
				call(talk, "t_"+name, fmt.Sprint(name, i))
			}
			call(talk, "t_"+name, name+"2")
			require.Equal(t, 1, ran[`{"text":"`+name+`2"}`])
			call(talk, "t_"+name, name+"0")
			require.Equal(t, 2, ran[`{"text":"`+name+`0"}`])
		})
	}
}

func TestCachedResultNeedsApproval(t *testing.T) {
	ran := 0
	reg := registry(t, method(t, "tool", func(context.Context, *tool.Call) (tool.Output, error) {
		ran++
		return tool.Output{Text: "secret"}, nil
	}, tool.Cacheable(time.Hour)))
	talk := all()
	run := func(o executor.Options) executor.Result {
		o.Logger = quiet
		return executor.New(reg, o).Execute(t.Context(), talk, executor.Observer{}, []executor.Request{request("1", "t_tool")})[0]
	}
	run(executor.Options{})
	require.Equal(t, executor.ErrorPermissionDenied, run(executor.Options{Policy: policy.Policy{Approve: policy.ApproveNever}}).ErrorType)
	r := run(executor.Options{Middlewares: []tool.Middleware{func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (tool.Output, error) {
			out, err := next(ctx, c)
			out.Text = strings.ReplaceAll(out.Text, "secret", "***")
			return out, err
		}
	}}})
	require.Equal(t, "***", r.ToolResult.Result, "middlewares see it as they see each result")
	require.True(t, r.Cached)
	require.Equal(t, 1, ran)
}
