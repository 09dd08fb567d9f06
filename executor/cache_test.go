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

func TestEqualCallsAreCached(t *testing.T) {
	asJSON := func(r executor.Request) executor.Request {
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
		wait   time.Duration // between the two calls
		want   int           // runs
	}{
		{
			"the same call",
			[]tool.Option{tool.Cacheable(time.Minute)},
			request("1", "t_tool", "text", "a"),
			request("2", "t_tool", "text", "a"), 0, 1,
		},
		{
			"the same call just before the result expires",
			[]tool.Option{tool.Cacheable(time.Minute)},
			request("1", "t_tool", "text", "a"), request("2", "t_tool", "text", "a"), time.Minute - 1, 1,
		},
		{
			"the same call when the result expires",
			[]tool.Option{tool.Cacheable(time.Minute)},
			request("1", "t_tool", "text", "a"), request("2", "t_tool", "text", "a"), time.Minute, 2,
		},
		{
			"a call with other arguments",
			[]tool.Option{tool.Cacheable(time.Minute)},
			request("1", "t_tool", "text", "a"),
			request("2", "t_tool", "text", "b"), 0, 2,
		},
		{
			"a call with the arguments in another order",
			[]tool.Option{tool.Cacheable(time.Minute)},
			asJSON(request("1", "t_tool", "x", "1", "y", `{"k":1,"l":2}`)),
			asJSON(request("2", "t_tool", "y", `{"l":2,"k":1}`, "x", "1")), 0, 1,
		},
		{
			"a call with a number that differs in its last digit",
			[]tool.Option{tool.Cacheable(time.Minute)},
			asJSON(request("1", "t_tool", "x", "9007199254740993")),
			asJSON(request("2", "t_tool", "x", "9007199254740992")), 0, 2,
		},
		{
			"a call of another method",
			[]tool.Option{tool.Cacheable(time.Minute)},
			request("1", "t_tool"),
			request("2", "t_other"), 0, 2,
		},
		{"a method that is not cacheable", nil, request("1", "t_tool"), request("2", "t_tool"), 0, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				runs := 0
				h := func(_ context.Context, c *tool.Call) (tool.Output, error) {
					runs++
					return tool.Output{
						Text: fmt.Sprint("run ", runs), Details: runs,
						Files: []tool.File{{Name: "f"}},
					}, nil
				}
				var methods []tool.Method
				for _, name := range []string{"tool", "other"} {
					m, err := tool.Raw(name, name, json.RawMessage(`{"type":"object"}`), h,
						append(tt.opts, tool.AgentCallable())...)
					require.NoError(t, err)
					methods = append(methods, m)
				}
				x := executor.New(registry(t, methods...), executor.Options{Logger: quiet})
				conversation := allVisible()
				first := executeIn(t, x, conversation, tt.first)
				require.Equal(t, protocol.StatusSuccess, first.Status, first.ToolResult.Result)
				time.Sleep(tt.wait)
				second := executeIn(t, x, conversation, tt.second)
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

// gives returns a handler that always returns out.
func gives(out tool.Output) tool.Handler {
	return func(context.Context, *tool.Call) (tool.Output, error) { return out, nil }
}

type brokenDetails struct{}

func (brokenDetails) MarshalJSON() ([]byte, error) { panic("boom") }

func TestFailuresAndLargeResultsAreNotCached(t *testing.T) {
	for _, tt := range []struct {
		name      string
		handler   tool.Handler
		errorType string
	}{
		{
			"a failure",
			func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, errors.New("boom") },
			executor.ErrorExecutionFailed,
		},
		{
			"a panic", func(context.Context, *tool.Call) (tool.Output, error) { panic("boom") },
			executor.ErrorExecutionFailed,
		},
		{"a result that came too late", ignoreContextFor(time.Minute), executor.ErrorTimeout},
		{"a result with too long a text", says(strings.Repeat("x", 8<<20+1)), ""},
		{"a result with too long details", gives(tool.Output{Details: make([]byte, 7<<20)}), ""}, // 9.3 MiB as JSON
		{"a result whose details do not encode", gives(tool.Output{Details: func() {}}), ""},
		{"a result whose details panic when they are encoded", gives(tool.Output{Details: brokenDetails{}}), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var ran atomic.Int32
				h := func(ctx context.Context, c *tool.Call) (tool.Output, error) {
					ran.Add(1)
					return tt.handler(ctx, c)
				}
				x := executor.New(registry(t, method(t, "tool", h, tool.Cacheable(time.Hour))),
					executor.Options{Logger: quiet})
				conversation := allVisible()
				for id := range 2 {
					r := executeIn(t, x, conversation, request(fmt.Sprint(id), "t_tool"))
					require.False(t, r.Cached)
					require.Equal(t, tt.errorType, r.ErrorType)
					time.Sleep(2 * time.Minute)
				}
				require.EqualValues(t, 2, ran.Load())
			})
		})
	}
}

// ownedBy returns a conversation that has an owner, and in which every method is visible.
func ownedBy(owner string) *executor.Conversation {
	conversation := allVisible()
	conversation.Owner = owner
	return conversation
}

func TestOwnersDoNotShareCachedResults(t *testing.T) {
	inChinese := func(conversation *executor.Conversation) *executor.Conversation {
		conversation.Language = func() string { return "zh" }
		return conversation
	}
	same := allVisible()
	for _, tt := range []struct {
		name          string
		first, second *executor.Conversation
		want          bool // the second call gets the result of the first
	}{
		{"one conversation", same, same, true},
		{"two conversations of one owner", ownedBy("ann"), ownedBy("ann"), true},
		{"two conversations of two owners", ownedBy("ann"), ownedBy("eve"), false},
		{"two conversations without an owner", allVisible(), allVisible(), false},
		{"a conversation without an owner after one with an owner", ownedBy("ann"), allVisible(), false},
		{"a conversation with an owner after one without an owner", allVisible(), ownedBy("ann"), false},
		{"two conversations of one owner in two languages", ownedBy("ann"), inChinese(ownedBy("ann")), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			runs := 0
			reg := registry(t, method(t, "tool", func(context.Context, *tool.Call) (tool.Output, error) {
				runs++
				return tool.Output{Text: fmt.Sprint("run ", runs)}, nil
			}, tool.Cacheable(time.Hour)))
			first := succeed(t, executor.New(reg, executor.Options{Logger: quiet}), tt.first, request("1", "t_tool"))
			second := succeed(t, executor.New(reg, executor.Options{Logger: quiet}), tt.second, request("2", "t_tool"))
			require.False(t, first.Cached)
			require.Equal(t, tt.want, second.Cached)
			require.Equal(t, tt.want, first.ToolResult.Result == second.ToolResult.Result)
		})
	}
	t.Run("two registries", func(t *testing.T) {
		for range 2 {
			x := executor.New(registry(t, method(t, "tool", says("x"), tool.Cacheable(time.Hour))),
				executor.Options{Logger: quiet})
			require.False(t, succeed(t, x, ownedBy("ann"), request("1", "t_tool")).Cached)
		}
	})
}

// succeed runs one request, which must succeed, and returns its result.
func succeed(
	t *testing.T, x *executor.Executor, conversation *executor.Conversation, req executor.Request,
) executor.Result {
	t.Helper()
	r := executeIn(t, x, conversation, req)
	require.Equal(t, protocol.StatusSuccess, r.Status, r.ToolResult.Result)
	return r
}

func TestWritesDropCachedResults(t *testing.T) {
	fails := func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, errors.New("boom") }
	for _, tt := range []struct {
		name, write string
		want        bool // the result is still cached
	}{
		{"a write of the tool", "t_write", false},
		{"a dangerous call of the tool", "t_danger", false},
		{"a write of the tool that fails", "t_fail", false},
		{"another read of the tool", "t_look", true},
		{"a write of another tool", "u_write", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			reg := registry(t, method(t, "read", says("x"), tool.WithRisk(tool.RiskRead), tool.Cacheable(time.Hour)),
				method(t, "look", says("x"), tool.WithRisk(tool.RiskRead)), method(t, "write", says("x")),
				method(t, "fail", fails), method(t, "danger", says("x"), tool.WithRisk(tool.RiskDangerous)))
			require.NoError(t, reg.Register(tool.Tool{ID: "u", Methods: []tool.Method{method(t, "write", says("x"))}}))
			x := executor.New(reg, executor.Options{Logger: quiet, Policy: policy.Policy{Approve: policy.ApproveAll}})
			succeed(t, x, ownedBy("ann"), request("1", "t_read"))
			x.Execute(t.Context(), ownedBy("eve"), executor.Observer{}, []executor.Request{request("2", tt.write)})
			require.Equal(t, tt.want, succeed(t, x, ownedBy("ann"), request("3", "t_read")).Cached)
		})
	}
}

// A read that overlaps a write may have read the old state.
func TestReadDuringWriteIsNotCached(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reg := registry(t,
			method(t, "read", ignoreContextFor(3*time.Second), tool.WithRisk(tool.RiskRead), tool.Cacheable(time.Hour)),
			method(t, "write", ignoreContextFor(time.Second)))
		x := executor.New(reg, executor.Options{Logger: quiet, Parallel: true})
		conversation := allVisible()
		x.Execute(t.Context(), conversation, executor.Observer{},
			[]executor.Request{request("1", "t_read"), request("2", "t_write")})
		require.False(t, succeed(t, x, conversation, request("3", "t_read")).Cached)
		require.True(t, succeed(t, x, conversation, request("4", "t_read")).Cached)
	})
}
