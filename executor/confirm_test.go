package executor_test

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

func TestConfirmation(t *testing.T) {
	for _, tt := range []struct {
		name     string
		hook     executor.ConfirmFunc
		wantType string
		wantText string
	}{
		{"a hook that allows lets the call run", func(context.Context, executor.Confirmation) (executor.Decision, error) {
			return executor.Decision{Allow: true}, nil
		}, "", "ran"},
		{"a missing hook denies", nil, executor.ErrorPermissionDenied, "needs a confirmation"},
		{"a hook that denies gives its reason to the model", func(context.Context, executor.Confirmation) (executor.Decision, error) {
			return executor.Decision{Reason: "not on a Friday"}, nil
		}, executor.ErrorPermissionDenied, "The user did not allow this call. Reason: not on a Friday"},
		{"a hook that says nothing denies", func(context.Context, executor.Confirmation) (executor.Decision, error) {
			return executor.Decision{}, nil
		}, executor.ErrorPermissionDenied, "The user did not allow this call."},
		{"a failing hook denies, whatever it decided", func(context.Context, executor.Confirmation) (executor.Decision, error) {
			return executor.Decision{Allow: true}, errors.New("secret: no terminal")
		}, executor.ErrorPermissionDenied, "needs a confirmation"},
		{"a panicking hook denies", func(context.Context, executor.Confirmation) (executor.Decision, error) {
			panic("secret")
		}, executor.ErrorPermissionDenied, "needs a confirmation"},
		{"a hook that ends its goroutine denies", func(context.Context, executor.Confirmation) (executor.Decision, error) {
			runtime.Goexit()
			return executor.Decision{Allow: true}, nil
		}, executor.ErrorPermissionDenied, "needs a confirmation"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ran := false
			reg := registry(t, method(t, "tool", func(context.Context, *tool.Call) (tool.Output, error) {
				ran = true
				return tool.Output{Text: "ran"}, nil
			}))
			x := executor.New(reg, executor.Options{RequireConfirmation: true, Confirm: tt.hook, Logger: quiet})
			r := x.Execute(t.Context(), all{}, executor.Observer{}, []executor.Request{request("1", "t_tool")})[0]
			require.Equal(t, tt.wantType, r.ErrorType)
			require.Contains(t, r.ToolResult.Result, tt.wantText)
			require.NotContains(t, r.ToolResult.Result+r.Suggestion, "secret")
			require.Equal(t, tt.wantType == "", ran)
		})
	}
}

func TestConfirmationIsAskedOnlyForValidCalls(t *testing.T) {
	var asked []string
	x := executor.New(registry(t, method(t, "tool", says(""))), executor.Options{
		RequireConfirmation: true, Logger: quiet,
		Confirm: func(_ context.Context, c executor.Confirmation) (executor.Decision, error) {
			asked = append(asked, c.ID+" "+c.Method.FullName+" "+string(c.Arguments))
			return executor.Decision{Allow: true}, nil
		},
	})
	x.Execute(t.Context(), all{}, executor.Observer{}, []executor.Request{
		request("1", "t_nothing"), request("2", "t_tool", "color", "red"), request("3", "t_tool", "text", "hi"),
		{ID: "4", Err: &protocol.RequestError{Code: protocol.ErrNoFields, Message: "There is no field."}},
	})
	require.Equal(t, []string{`3 t_tool {"text":"hi"}`}, asked)
}

func TestTwoRequestsWithOneLabelAreConfirmedApart(t *testing.T) {
	var ran []string
	x := executor.New(registry(t, method(t, "tool", func(_ context.Context, c *tool.Call) (tool.Output, error) {
		ran = append(ran, c.ID)
		return tool.Output{}, nil
	})), executor.Options{
		RequireConfirmation: true, Logger: quiet,
		Confirm: func(_ context.Context, c executor.Confirmation) (executor.Decision, error) {
			return executor.Decision{Allow: c.ID == "1.1"}, nil
		},
	})
	one, two := request("1.1", "t_tool"), request("1.2", "t_tool")
	one.Label, two.Label = "same", "same"
	results := x.Execute(t.Context(), all{}, executor.Observer{}, []executor.Request{one, two})
	require.Equal(t, []string{"1.1"}, ran)
	require.Equal(t, protocol.StatusSuccess, results[0].Status)
	require.Equal(t, executor.ErrorPermissionDenied, results[1].ErrorType)
}

func TestArgumentsChangedByTheHookAreNotWhatRuns(t *testing.T) {
	var got string
	x := executor.New(registry(t, method(t, "tool", func(_ context.Context, c *tool.Call) (tool.Output, error) {
		got = string(c.Arguments)
		return tool.Output{}, nil
	})), executor.Options{
		RequireConfirmation: true, Logger: quiet,
		Confirm: func(_ context.Context, c executor.Confirmation) (executor.Decision, error) {
			copy(c.Arguments, `{"text":"rm"}`)
			return executor.Decision{Allow: true}, nil
		},
	})
	r := x.Execute(t.Context(), all{}, executor.Observer{}, []executor.Request{request("1", "t_tool", "text", "ls")})[0]
	require.Equal(t, `{"text":"ls"}`, got)
	require.Equal(t, json.RawMessage(`{"text":"ls"}`), r.Arguments)
}

// TestTheWorldMayChangeWhileAPersonIsAsked is the second check, right before the run.
func TestTheWorldMayChangeWhileAPersonIsAsked(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(t *testing.T, reg *tool.Registry, hide except)
		want   string
	}{
		{"a method that is switched off meanwhile does not run", func(_ *testing.T, _ *tool.Registry, hide except) {
			hide["t_tool"] = true
		}, executor.ErrorToolDisabled},
		{"a method that is unregistered meanwhile does not run", func(_ *testing.T, reg *tool.Registry, _ except) {
			reg.Unregister("t")
		}, executor.ErrorToolNotFound},
		{"a method that is replaced meanwhile does not run", func(t *testing.T, reg *tool.Registry, _ except) {
			reg.Unregister("t")
			require.NoError(t, reg.Register(tool.Tool{ID: "t", Methods: []tool.Method{method(t, "tool", says("other"))}}))
		}, executor.ErrorToolNotFound},
		{"a method that another tool's registration does not touch runs", func(t *testing.T, reg *tool.Registry, _ except) {
			require.NoError(t, reg.Register(tool.Tool{ID: "u", Methods: []tool.Method{method(t, "tool", says("other"))}}))
		}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			hide := except{}
			reg := registry(t, method(t, "tool", says("ran")))
			x := executor.New(reg, executor.Options{
				RequireConfirmation: true, Logger: quiet,
				Confirm: func(context.Context, executor.Confirmation) (executor.Decision, error) {
					tt.change(t, reg, hide)
					return executor.Decision{Allow: true}, nil
				},
			})
			r := x.Execute(t.Context(), hide, executor.Observer{}, []executor.Request{request("1", "t_tool")})[0]
			require.Equal(t, tt.want, r.ErrorType)
		})
	}
}

func TestTheTimeOfAConfirmationIsNotTheTools(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := executor.New(registry(t, method(t, "tool", takes(time.Second))), executor.Options{
			RequireConfirmation: true, Timeout: 2 * time.Second, Logger: quiet,
			Confirm: func(context.Context, executor.Confirmation) (executor.Decision, error) {
				time.Sleep(time.Hour)
				return executor.Decision{Allow: true}, nil
			},
		})
		r := x.Execute(t.Context(), all{}, executor.Observer{}, []executor.Request{request("1", "t_tool")})[0]
		require.Equal(t, protocol.StatusSuccess, r.Status, r.ToolResult.Result)
		require.Equal(t, time.Second, r.Duration)
	})
}

func TestParallelConfirmationsComeOneByOneWhileToolsRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asking := 0
		x := executor.New(registry(t, method(t, "tool", takes(10*time.Second))), executor.Options{
			RequireConfirmation: true, Parallel: true, Logger: quiet,
			Confirm: func(context.Context, executor.Confirmation) (executor.Decision, error) {
				asking++
				defer func() { asking-- }()
				require.Equal(t, 1, asking)
				time.Sleep(time.Second)
				return executor.Decision{Allow: true}, nil
			},
		})
		start := time.Now()
		results := x.Execute(t.Context(), all{}, executor.Observer{}, []executor.Request{request("1", "t_tool"), request("2", "t_tool"), request("3", "t_tool")})
		require.Equal(t, 13*time.Second, time.Since(start), "3 seconds to ask, the last tool's 10 after that")
		for _, r := range results {
			require.Equal(t, protocol.StatusSuccess, r.Status)
		}
	})
}

func TestACancelEndsTheWaitForAConfirmation(t *testing.T) {
	for _, tt := range []struct {
		name string
		hook executor.ConfirmFunc
		wait time.Duration
	}{
		{"a hook that heeds its context", func(ctx context.Context, _ executor.Confirmation) (executor.Decision, error) {
			<-ctx.Done()
			return executor.Decision{}, ctx.Err()
		}, 0},
		{"a hook that allows too late", func(ctx context.Context, _ executor.Confirmation) (executor.Decision, error) {
			<-ctx.Done()
			return executor.Decision{Allow: true}, nil
		}, 0},
		{"a hook that ignores its context", func(context.Context, executor.Confirmation) (executor.Decision, error) {
			time.Sleep(time.Hour)
			return executor.Decision{Allow: true}, nil
		}, 2 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
				defer cancel()
				x := executor.New(registry(t, method(t, "tool", says("ran"))), executor.Options{RequireConfirmation: true, Confirm: tt.hook, Logger: quiet})
				start := time.Now()
				r := x.Execute(ctx, all{}, executor.Observer{}, []executor.Request{request("1", "t_tool")})[0]
				require.Equal(t, executor.ErrorCanceled, r.ErrorType)
				require.Equal(t, 5*time.Second+tt.wait, time.Since(start))
				time.Sleep(2 * time.Hour)
			})
		})
	}
}
