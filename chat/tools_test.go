package chat_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

func names(list []*tool.Entry) (out []string) {
	for _, e := range list {
		out = append(out, e.FullName)
	}
	return out
}

func TestToolsDescribeAndRunWhatIsEnabled(t *testing.T) {
	ran := 0
	count := fn(t, "count", func(context.Context, in) (string, error) { ran++; return "counted", nil })
	for _, tt := range []struct {
		name    string
		change  func(*engine.Config)
		enabled bool
		methods []string
		ran     int // calls of t_count
		results int // of t_count and of a malformed request
	}{
		{
			"enabled tools are in the prompt and run", nil, true,
			[]string{"results_read", "t_count", "t_echo", "t_fail"},
			1, 2,
		},
		{
			"a tool that is off is neither described nor run, and its request gets a result",
			func(c *engine.Config) { c.ToolToggles = map[string]bool{"t_count": false} }, true,
			[]string{"results_read", "t_echo", "t_fail"},
			0, 2,
		},
		{
			"if tool calling is off, nothing is in the prompt, nothing runs and no request gets a result",
			func(c *engine.Config) { c.Enabled = false }, false, nil, 0, 0,
		},
		{
			"in mode manual tools are in the prompt and nothing runs", manual, true,
			[]string{"results_read", "t_count", "t_echo", "t_fail"},
			0, 0,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ran = 0
			tools := chat.NewTools(engineOf(t, nil, tt.change, count), "mine", engine.Visibility{})
			require.Equal(t, "mine", tools.Session().ID())
			require.Equal(t, tt.enabled, tools.Session().Enabled())
			require.Equal(t, tt.methods, names(tools.Methods()))
			definitions, err := vcp.Protocol{}.ParseToolDefinitions(tools.Prompt())
			require.NoError(t, err)
			require.Len(t, definitions, len(tt.methods))

			cycle, err := tools.ProcessCycle(t.Context(), "See. "+block(t, "t_count")+malformed, protocol.FinishStop)
			require.NoError(t, err)
			require.Equal(t, "See. ", cycle.Reply.Text.String())
			require.Equal(t, tt.ran, ran)
			require.Len(t, cycle.Results, tt.results)
			if tt.results == 0 {
				require.Nil(t, cycle.ResultMessage)
				return
			}
			require.Equal(t, protocol.Message{
				Role: protocol.RoleUser, Origin: protocol.OriginTool,
				Content: tools.Session().FormatResults(cycle.Results),
			}, *cycle.ResultMessage)
		})
	}
}

// TestTheMethodsOfToolsSufficeInModeManual uses only the methods of Tools.
func TestTheMethodsOfToolsSufficeInModeManual(t *testing.T) {
	ran := 0
	count := fn(t, "count", func(context.Context, in) (string, error) { ran++; return "counted", nil })
	dispatch := func(t *testing.T) (*chat.Tools, []executor.PendingCall) {
		ran = 0
		askInManual := func(c *engine.Config) { c.Mode, c.Approve = engine.ModeManual, policy.ApproveAsk }
		tools := chat.NewTools(engineOf(t, nil, askInManual, count), "mine", engine.Visibility{})
		cycle, err := tools.ProcessCycle(t.Context(),
			block(t, "t_count")+block(t, "host_open")+block(t, "t_fail")+malformed, protocol.FinishStop)
		require.NoError(t, err)
		require.Empty(t, cycle.Results)
		require.Len(t, cycle.Pending, 4)
		return tools, cycle.Pending
	}
	t.Run("runs what was approved, once", func(t *testing.T) {
		tools, p := dispatch(t)
		decisions := []chat.Decision{
			chat.Approve(p[0].RequestID, p[0].Digest), chat.Supply(p[1].RequestID, p[1].Digest, "opened"),
			chat.Deny(p[2].RequestID, p[2].Digest, "no"),
		}
		cycle, err := tools.Resolve(t.Context(), decisions...)
		require.NoError(t, err)
		require.Equal(t, 1, ran)
		results, err := vcp.Protocol{}.ParseToolResults(cycle.ResultMessage.Content)
		require.NoError(t, err)
		require.Equal(t, []string{"counted", "opened"}, []string{results[0].Result, results[1].Result})
		require.Equal(t, "permission_denied", results[2].ErrorType)
		require.Equal(t, "malformed_request", results[3].ErrorType)
		_, err = tools.Resolve(t.Context(), decisions...)
		require.ErrorIs(t, err, chat.ErrNothingPending)
		require.Equal(t, 1, ran)
	})
	t.Run("refuses decisions about other calls, and still waits", func(t *testing.T) {
		tools, p := dispatch(t)
		var bad *executor.DecisionError
		_, err := tools.Resolve(t.Context(), chat.Approve(p[0].RequestID, p[1].Digest),
			chat.Deny(p[1].RequestID, p[1].Digest, ""), chat.Deny(p[2].RequestID, p[2].Digest, ""))
		require.ErrorAs(t, err, &bad)
		require.Zero(t, ran)
		_, err = tools.Resolve(t.Context(), chat.Approve(p[0].RequestID, p[0].Digest),
			chat.Deny(p[1].RequestID, p[1].Digest, ""), chat.Deny(p[2].RequestID, p[2].Digest, ""))
		require.NoError(t, err)
		require.Equal(t, 1, ran)
	})
	t.Run("drops the calls of an earlier reply", func(t *testing.T) {
		tools, p := dispatch(t)
		_, err := tools.ProcessCycle(t.Context(), "Never mind.", protocol.FinishStop)
		require.NoError(t, err)
		_, err = tools.Resolve(t.Context(), chat.Approve(p[0].RequestID, p[0].Digest))
		require.ErrorIs(t, err, chat.ErrNothingPending)
	})
	t.Run("dispatches a request of a truncated reply as one that cannot run", func(t *testing.T) {
		tools := chat.NewTools(engineOf(t, nil, manual, count), "mine", engine.Visibility{})
		cycle, err := tools.ProcessCycle(t.Context(), block(t, "t_count"), protocol.FinishLength)
		require.NoError(t, err)
		require.Contains(t, cycle.Pending[0].Problem, "truncated")
		p := cycle.Pending[0]
		cycle, err = tools.Resolve(t.Context(), chat.Approve(p.RequestID, p.Digest))
		require.NoError(t, err)
		require.Equal(t, "malformed_request", cycle.Results[0].ErrorType)
		require.Zero(t, ran)
	})
}

func TestProcessCycleGivesResultsAfterItsContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	tools := chat.NewTools(engineOf(t, nil, nil), "mine", engine.Visibility{})
	cycle, err := tools.ProcessCycle(ctx, block(t, "t_echo"), protocol.FinishStop)
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, cycle.Results, 1)
	require.NotEmpty(t, cycle.ResultMessage)
}

func TestAPromptIsCachedUntilItIsInvalidated(t *testing.T) {
	reg := tool.NewRegistry()
	require.NoError(t, reg.Register(tool.Tool{ID: "t", Methods: []tool.Method{
		fn(t, "echo", func(_ context.Context, in in) (string, error) { return in.Text, nil }),
	}}))
	hidden := false
	e, err := engine.New(engine.Options{
		Registry: reg, Protocols: []protocol.Protocol{vcp.Protocol{}}, Config: engine.DefaultConfig(),
		Filter: func(*tool.Entry) bool { return !hidden }, FilterKey: "mine",
	})
	require.NoError(t, err)
	tools := chat.NewTools(e, "mine", engine.Visibility{})
	prompt := tools.Prompt()
	require.Contains(t, prompt, "t_echo")
	hidden = true
	require.Equal(t, prompt, tools.Prompt(), "the filter decides differently under the same key")
	e.InvalidatePrompts()
	require.Empty(t, tools.Prompt())
	require.Empty(t, tools.Methods())
}

func TestCyclesAndTurnsUseNoIDTwice(t *testing.T) {
	c := conversation(t, &script{replies: []reply{says(block(t, "t_echo")), says("Done.")}}, nil)
	cycle, err := c.Tools().ProcessCycle(t.Context(), block(t, "t_echo"), protocol.FinishStop)
	require.NoError(t, err)
	require.Equal(t, "1.1", shortID(cycle.Results[0].ID))
	require.NoError(t, collect(t, c.Send(t.Context(), "Go.")).err)
	require.Equal(t, "2.1", shortID(c.History()[2].Outcomes[0].RequestID))
}
