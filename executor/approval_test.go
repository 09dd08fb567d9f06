package executor_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/tool"
)

func TestOnlyAnApprovalLetsACallRun(t *testing.T) {
	for _, tt := range []struct {
		name     string
		approver executor.Approver
		by       executor.DecidedBy
		runs     bool // whether the call runs
	}{
		{"an approver that allows lets the call run", allows, executor.ByPerson, true},
		{"an approver that denies denies", func(_ context.Context, q executor.Question) (executor.Answer, error) {
			return q.Deny("not on a Friday"), nil
		}, executor.ByPerson, false},
		{"a missing approver denies", nil, executor.ByNoApprover, false},
		{
			"an approver that returns no answer denies",
			func(context.Context, executor.Question) (executor.Answer, error) {
				return executor.Answer{}, nil
			}, executor.ByApprover, false,
		},
		{
			"a failing approver denies, whatever it decided",
			func(_ context.Context, q executor.Question) (executor.Answer, error) {
				return q.Allow(), errors.New("secret: no terminal")
			}, executor.ByApprover, false,
		},
		{
			"an approver whose error panics denies",
			func(_ context.Context, q executor.Question) (executor.Answer, error) {
				return q.Allow(), (*brokenError)(nil)
			}, executor.ByApprover, false,
		},
		{"an approver that panics denies", func(context.Context, executor.Question) (executor.Answer, error) {
			panic("secret")
		}, executor.ByApprover, false},
		{
			"an approver that ends its goroutine denies",
			func(_ context.Context, q executor.Question) (executor.Answer, error) {
				runtime.Goexit()
				return q.Allow(), nil
			}, executor.ByApprover, false,
		},
		{"an answer to another request denies", func(_ context.Context, q executor.Question) (executor.Answer, error) {
			q.ID = "2"
			return q.Allow(), nil
		}, executor.ByApprover, false},
		{
			"an answer that names the model's label denies",
			func(_ context.Context, q executor.Question) (executor.Answer, error) {
				q.ID = "label"
				return q.Allow(), nil
			}, executor.ByApprover, false,
		},
		{"an answer to other arguments denies", func(_ context.Context, q executor.Question) (executor.Answer, error) {
			q.Digest = "x" + q.Digest[1:]
			return q.Allow(), nil
		}, executor.ByApprover, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var ran runs
			x := executor.New(registry(t, method(t, "tool", ran.handle)), askOptions(tt.approver))
			req := request("1", "t_tool")
			req.Label = "label"
			r := execute(t, x, req)
			require.Equal(t, tt.by, r.DecidedBy)
			require.Equal(t, tt.runs, len(ran.list) == 1)
			if tt.runs {
				require.Equal(t, protocol.StatusSuccess, r.Status)
				return
			}
			require.Equal(t, executor.ErrorPermissionDenied, r.ErrorType)
			require.NotContains(t, r.ToolResult.Result+r.Suggestion, "secret",
				"the model does not read the error of an approver")
			if tt.by == executor.ByPerson {
				require.Contains(t, r.ToolResult.Result, "not on a Friday", "the model reads the reason of a denial")
			}
		})
	}
}

// countingContext is a context that never ends. It counts its children that have not ended.
type countingContext struct {
	context.Context
	done     chan struct{}
	children int
}

func (c *countingContext) Done() <-chan struct{} { return c.done }

// AfterFunc is called by package context for each child of a context of another package.
func (c *countingContext) AfterFunc(func()) (stop func() bool) {
	c.children++
	return func() bool {
		c.children--
		return true
	}
}

func TestAnsweredQuestionFreesItsContext(t *testing.T) {
	for name, limit := range map[string]time.Duration{"without a timeout": 0, "with a timeout": time.Hour} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			o := askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
				asked++
				return q.Edit(json.RawMessage(`{"text":7}`)), nil // not a string, so it is asked about again
			})
			o.ApprovalTimeout = limit
			run := &countingContext{Context: context.Background(), done: make(chan struct{})}
			executor.New(registry(t, method(t, "tool", says("ran"))), o).
				Execute(run, allVisible(), executor.Observer{}, []executor.Request{request("1", "t_tool")})
			require.Equal(t, 5, asked, "the limit on questions about one call")
			require.Zero(t, run.children)
		})
	}
}

func TestMissingApproverIsLogged(t *testing.T) {
	var log strings.Builder
	o := askOptions(nil)
	o.Logger = slog.New(slog.NewTextHandler(&log, nil))
	x := executor.New(registry(t, method(t, "tool", says(""))), o)
	executeAll(t, x, request("1", "t_tool"))
	require.Contains(t, log.String(), "set engine.Options.Approver")
}

func TestOnlyValidCallsAreAskedAbout(t *testing.T) {
	var asked []string
	hidden, err := tool.Raw("hidden", "for the application", nil, says(""))
	require.NoError(t, err)
	x := executor.New(registry(t, method(t, "tool", says("")), method(t, "off", says("")), hidden),
		askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
			asked = append(asked, q.ID+" "+q.Method.FullName+" "+string(q.Arguments))
			return q.Allow(), nil
		}))
	x.Execute(t.Context(), allVisibleExcept("t_off"), executor.Observer{}, []executor.Request{
		request("1", "t_nothing"), request("2", "t_tool", "color", "red"), request("3", "t_tool", "text", "hi"),
		request("4", "t_off"), request("5", "t_hidden"),
		{ID: "6", Err: &scan.RequestError{Code: scan.CodeNoFields, Message: "There is no field."}},
	})
	require.Equal(t, []string{`3 t_tool {"text":"hi"}`}, asked)
}

func TestApprovalIgnoresLabels(t *testing.T) {
	var ran runs
	x := executor.New(registry(t, method(t, "tool", ran.handle)),
		askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
			if q.ID == "1.1" {
				return q.Allow(), nil
			}
			return q.Deny(""), nil
		}))
	one, two := request("1.1", "t_tool"), request("1.2", "t_tool")
	one.Label, two.Label = "same", "same"
	results := executeAll(t, x, one, two)
	require.Equal(t, []string{"1.1 {}"}, ran.list)
	require.Equal(t, protocol.StatusSuccess, results[0].Status)
	require.Equal(t, executor.ErrorPermissionDenied, results[1].ErrorType)
}
