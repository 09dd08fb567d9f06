package executor_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/tool"
)

func TestExecuteRunsTheMethod(t *testing.T) {
	type sum struct {
		A int `json:"a" jsonschema:"first"`
		B int `json:"b" jsonschema:"second" default:"10"`
	}
	add, err := tool.New("add", "Adds two numbers.", func(_ context.Context, in sum) (map[string]int, error) {
		return map[string]int{"sum": in.A + in.B}, nil
	}, tool.AgentCallable(), tool.Alias("plus"))
	require.NoError(t, err)
	reg := registry(t, add, method(t, "echo", func(_ context.Context, c *tool.Call) (tool.Output, error) {
		return tool.Output{Text: string(c.Arguments), Details: c.ID}, nil
	}))
	x := executor.New(reg, executor.Options{Logger: quiet})

	for _, tt := range []struct {
		name string
		req  executor.Request
		want executor.Result
	}{
		{
			"a full name runs the method, with typed arguments and defaults",
			request("1.1", "t_add", "a", "32"),
			executor.Result{
				ID: "1.1", Method: "t_add", Arguments: json.RawMessage(`{"a":32,"b":10}`),
				Details: map[string]int{"sum": 42},
				ToolResult: protocol.ToolResult{
					ResultID: "1.1", ToolName: "t_add", Status: protocol.StatusSuccess,
					Result: `{"sum":42}`,
				},
			},
		},
		{
			"a tool's id and a command run the method, and the command is not an argument",
			executor.Request{ID: "1.1", ToolRequest: protocol.ToolRequest{
				ToolName: "t", Command: "plus",
				Arguments: []protocol.Argument{{Name: "a", Value: "1"}, {Name: "b", Value: "2"}},
			}},
			executor.Result{
				ID: "1.1", Method: "t_add", Arguments: json.RawMessage(`{"a":1,"b":2}`),
				Details: map[string]int{"sum": 3},
				ToolResult: protocol.ToolResult{
					ResultID: "1.1", ToolName: "t_add", Status: protocol.StatusSuccess,
					Result: `{"sum":3}`,
				},
			},
		},
		{
			"a command that repeats the method's name is dropped",
			executor.Request{ID: "1.1", ToolRequest: protocol.ToolRequest{
				ToolName: "t_echo", Command: "echo", Arguments: []protocol.Argument{{Name: "text", Value: "hi"}},
			}},
			executor.Result{
				ID: "1.1", Method: "t_echo", Arguments: json.RawMessage(`{"text":"hi"}`), Details: "1.1",
				ToolResult: protocol.ToolResult{
					ResultID: "1.1", ToolName: "t_echo", Status: protocol.StatusSuccess,
					Result: `{"text":"hi"}`,
				},
			},
		},
		{
			"the model reads its own label, and the engine's id stays",
			executor.Request{ID: "1.7", ToolRequest: protocol.ToolRequest{ToolName: "t_echo", Label: "mine"}},
			executor.Result{
				ID: "1.7", Label: "mine", Method: "t_echo", Arguments: json.RawMessage(`{}`), Details: "1.7",
				ToolResult: protocol.ToolResult{
					ResultID: "mine", ToolName: "t_echo", Status: protocol.StatusSuccess,
					Result: `{}`,
				},
			},
		},
		{
			"the application's ResultID replaces the label",
			executor.Request{
				ID: "1.7", ResultID: "7",
				ToolRequest: protocol.ToolRequest{ToolName: "t_echo", Label: "mine"},
			},
			executor.Result{
				ID: "1.7", Label: "mine", Method: "t_echo", Arguments: json.RawMessage(`{}`), Details: "1.7",
				ToolResult: protocol.ToolResult{
					ResultID: "7", ToolName: "t_echo", Status: protocol.StatusSuccess,
					Result: `{}`,
				},
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := executeAll(t, x, tt.req)
			ignoreMeasures := cmpopts.IgnoreFields(executor.Result{}, "Started", "Duration", "RawBytes", "Tokens")
			tt.want.Decision, tt.want.DecidedBy = policy.Allow, executor.BySetting
			ignoreUnexported := cmpopts.IgnoreUnexported(executor.Result{})
			if diff := cmp.Diff([]executor.Result{tt.want}, got, ignoreMeasures, ignoreUnexported); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRefusedRequestsDoNotRun(t *testing.T) {
	var ran []string
	runs := func(_ context.Context, c *tool.Call) (tool.Output, error) {
		ran = append(ran, c.Method.FullName)
		return tool.Output{}, nil
	}
	private, err := tool.Raw("private", "For the application alone.", nil, runs)
	require.NoError(t, err)
	strict, err := tool.Raw("count", "Counts.", json.RawMessage(`{"type":"object","properties":{
		"n":{"type":"integer","minimum":1},"unit":{"type":"string","default":"apples"}},"required":["n"]}`),
		runs, tool.AgentCallable())
	require.NoError(t, err)
	reg := registry(t, private, strict, method(t, "hidden", runs), method(t, "open", runs))
	x := executor.New(reg, executor.Options{Logger: quiet})

	for _, tt := range []struct {
		name         string
		conversation *executor.Conversation
		req          executor.Request
		wantType     string
		wantText     string
		suggestion   string
	}{
		{
			"a tool that does not exist", allVisible(), request("1", "weather_today"), executor.ErrorToolNotFound,
			`"weather_today"`, "t_open",
		},
		{
			"a method that its tool does not have", allVisible(), request("1", "t_opne"), executor.ErrorMethodNotFound,
			`nearest names are: t_open`, "t_open",
		},
		{"no name at all", allVisible(), request("1", ""), executor.ErrorToolNotFound, "no tool", "t_open"},
		{
			"a method that is not agent-callable", allVisible(), request("1", "t_private"), executor.ErrorNotCallable,
			"You cannot use t_private", "Do not ask for it again",
		},
		{
			"a disabled tool called by name", allVisibleExcept("t_hidden"), request("1", "t_hidden"),
			executor.ErrorToolDisabled, "t_hidden is switched off", "Do not ask for it again",
		},
		{"a disabled tool called by tool and command", allVisibleExcept("t_hidden"), executor.Request{
			ID: "1", ToolRequest: protocol.ToolRequest{ToolName: "t", Command: "hidden"},
		}, executor.ErrorToolDisabled, "t_hidden is switched off", "Do not ask for it again"},
		{
			"a disabled tool called in another spelling", allVisibleExcept("t_hidden"), request("1", "T-Hidden"),
			executor.ErrorToolDisabled, "t_hidden is switched off", "Do not",
		},
		{
			"any method if there is no conversation", nil, request("1", "t_open"), executor.ErrorToolDisabled,
			"t_open is switched off", "Do not ask for it again",
		},
		{
			"a missing argument", allVisible(), request("1", "t_count"), executor.ErrorInvalidArguments, "n: missing",
			"t_count takes n (integer, required), unit (string, default \"apples\").",
		},
		{
			"several wrong arguments, which are reported together", allVisible(),
			request("1", "t_count", "n", "many", "nit", "x"),
			executor.ErrorInvalidArguments, "nit", "send the whole request again",
		},
		{
			"an argument of a method that takes none of that name", allVisible(),
			request("1", "t_open", "color", "red"),
			executor.ErrorInvalidArguments, "color", "t_open takes text (string).",
		},
		{"a request that could not be read", allVisible(), executor.Request{ID: "1", Err: &scan.RequestError{
			Code: scan.CodeUnclosedValue, Message: "The value of text has no closer.",
		}}, executor.ErrorMalformedRequest, "The value of text has no closer.", "write it again as a whole"},
		{"a request beyond the limits", allVisible(), executor.Request{
			ID:          "1",
			ToolRequest: protocol.ToolRequest{ToolName: "t_open"}, Err: &scan.RequestError{
				Code: scan.CodeLimitExceeded, Message: "The block is larger than 4 MiB.",
			},
		}, executor.ErrorLimitExceeded, "The block is larger than 4 MiB.", "Ask for less"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ran = nil
			var started, done int
			obs := executor.Observer{
				Started: func(executor.Request, *tool.Entry, json.RawMessage) { started++ },
				Done:    func(*executor.Result) { done++ },
			}
			results := x.Execute(t.Context(), tt.conversation, obs, []executor.Request{tt.req})
			require.Len(t, results, 1)
			r := results[0]
			require.Equal(t, protocol.StatusError, r.Status)
			require.Equal(t, tt.wantType, r.ErrorType, r.ToolResult.Result)
			require.Contains(t, r.ToolResult.Result, tt.wantText)
			require.Contains(t, r.Suggestion, tt.suggestion)
			require.Empty(t, ran)
			require.Zero(t, r.Duration)
			require.Equal(t, [2]int{0, 1}, [2]int{started, done}, "started, done")
		})
	}
}

func TestHiddenMethodIsNotSuggested(t *testing.T) {
	reg := registry(t, method(t, "hidden", says("")), method(t, "open", says("")))
	x := executor.New(reg, executor.Options{Logger: quiet})
	r := executeIn(t, x, allVisibleExcept("t_hidden"), request("1", "t_hiden"))
	require.Equal(t, executor.ErrorMethodNotFound, r.ErrorType)
	require.NotContains(t, r.ToolResult.Result+r.Suggestion, "t_hidden")
}

func TestHiddenNameIsNotReplaced(t *testing.T) {
	reg := registry(t, method(t, "read-all", says("read-all")), method(t, "readAll", says("readAll")))
	x := executor.New(reg, executor.Options{Logger: quiet})
	r := executeIn(t, x, allVisibleExcept("t_readAll"), request("1", "t_readAll"))
	require.Equal(t, executor.ErrorToolDisabled, r.ErrorType, "the similar t_read-all must not run instead")
}

func TestOutputBecomesUTF8(t *testing.T) {
	for _, tt := range []struct{ name, out, want string }{
		{"text is unchanged", "a\r\n b \n", "a\r\n b \n"},
		{"an empty text is a success", "", ""},
		{"bytes that are not UTF-8 are replaced", "\xff\xfe", "\uFFFD"},
		{"NUL stays", "a\x00b", "a\x00b"},
		{"markers stay, because the protocol neutralizes them", "<<<[END_TOOL_REQUEST]>>>", "<<<[END_TOOL_REQUEST]>>>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := executor.New(registry(t, method(t, "tool", says(tt.out))), executor.Options{Logger: quiet})
			r := execute(t, x, request("1", "t_tool"))
			require.Equal(t, protocol.StatusSuccess, r.Status)
			require.Equal(t, tt.want, r.ToolResult.Result)
		})
	}
}

func TestMiddlewaresWrapTheHandler(t *testing.T) {
	var order []string
	wrap := func(name string) tool.Middleware {
		return func(next tool.Handler) tool.Handler {
			return func(ctx context.Context, c *tool.Call) (tool.Output, error) {
				order = append(order, "before "+name)
				defer func() { order = append(order, "after "+name) }()
				return next(ctx, c)
			}
		}
	}
	reg := registry(t, method(t, "tool", says("")))
	run := func(mw ...tool.Middleware) executor.Result {
		x := executor.New(reg, executor.Options{Middlewares: mw, Logger: quiet})
		return execute(t, x, request("1", "t_tool"))
	}

	run(wrap("outer"), wrap("inner"))
	require.Equal(t, []string{"before outer", "before inner", "after inner", "after outer"}, order)

	r := run(func(tool.Handler) tool.Handler { return nil })
	require.Equal(t, executor.ErrorExecutionFailed, r.ErrorType, "a nil handler panics, and the panic is caught")
}

func TestApplicationSettlesARequest(t *testing.T) {
	req := executor.Request{ID: "2.1", ToolRequest: protocol.ToolRequest{ToolName: "t_tool", Label: "x"}}
	result := req.Result("done \xff")
	require.Equal(t, protocol.ToolResult{
		ResultID: "x", ToolName: "t_tool", Status: protocol.StatusSuccess,
		Result: "done \uFFFD",
	}, result.ToolResult)
	require.WithinDuration(t, time.Now(), result.Started, time.Hour)

	denied := req.Deny("too risky")
	require.Equal(t, executor.ErrorPermissionDenied, denied.ErrorType)
	require.Contains(t, denied.ToolResult.Result, "Reason: too risky")
	require.NotEmpty(t, denied.Suggestion)
}

func logTo(w io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(w, nil)) }
