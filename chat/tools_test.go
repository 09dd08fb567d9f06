package chat_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
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

func TestTools(t *testing.T) {
	ran := 0
	count := fn(t, "count", func(context.Context, in) (string, error) { ran++; return "counted", nil })
	for _, tt := range []struct {
		name    string
		change  func(*engine.Config)
		enabled bool
		methods []string
		ran     int
		results int
	}{
		{"enabled tools are in the prompt and run", nil, true, []string{"results_read", "t_count", "t_echo", "t_fail"}, 1, 2},
		{
			"a tool that is off is neither told of nor run, and its request answered",
			func(c *engine.Config) { c.ToolToggles = map[string]bool{"t_count": false} }, true,
			[]string{"results_read", "t_echo", "t_fail"},
			0, 2,
		},
		{"if tool calling is off, nothing is in the prompt, runs or is answered", func(c *engine.Config) { c.Enabled = false }, false, nil, 0, 0},
		{"in mode manual tools are in the prompt and nothing runs", manual, true, []string{"results_read", "t_count", "t_echo", "t_fail"}, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ran = 0
			tools := chat.NewTools(engineOf(t, nil, tt.change, count), "mine")
			require.Equal(t, "mine", tools.Session().ID())
			require.Equal(t, tt.enabled, tools.Enabled())
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
				require.Empty(t, tools.FormatResults(cycle))
				return
			}
			require.Equal(t, protocol.Message{Role: protocol.RoleUser, Origin: protocol.OriginTool, Content: tools.FormatResults(cycle)}, *cycle.ResultMessage)
		})
	}
}

func TestResultsThatTheApplicationSupplies(t *testing.T) {
	tools := chat.NewTools(engineOf(t, nil, manual), "mine")
	cycle, err := tools.ProcessCycle(t.Context(), block(t, "t_echo", "text", "hi")+block(t, "host_open"), protocol.FinishStop)
	require.NoError(t, err)
	require.Len(t, cycle.Requests, 2)
	cycle.Results = append(tools.Session().Execute(t.Context(), cycle.Requests[:1]), cycle.Requests[1].Result("opened"))
	results, err := vcp.Protocol{}.ParseToolResults(tools.FormatResults(cycle))
	require.NoError(t, err)
	require.Equal(t, []string{"hi", "opened"}, []string{results[0].Result, results[1].Result})
}

func TestProcessCycleOfACanceledContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	tools := chat.NewTools(engineOf(t, nil, nil), "mine")
	cycle, err := tools.ProcessCycle(ctx, block(t, "t_echo"), protocol.FinishStop)
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, cycle.Results, 1)
	require.NotEmpty(t, tools.FormatResults(cycle))
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
	tools := chat.NewTools(e, "mine")
	before := tools.Prompt()
	require.Contains(t, before, "t_echo")
	hidden = true
	require.Equal(t, before, tools.Prompt(), "the filter decides differently under the same key")
	tools.InvalidateCache()
	require.Empty(t, tools.Prompt())
	require.Empty(t, tools.Methods())
}

func TestACycleAndAConversationShareTheirIDs(t *testing.T) {
	c := conversation(t, &script{replies: []reply{says(block(t, "t_echo")), says("Done.")}}, nil)
	cycle, err := c.Tools().ProcessCycle(t.Context(), block(t, "t_echo"), protocol.FinishStop)
	require.NoError(t, err)
	require.Equal(t, "1.1", cycle.Results[0].ID)
	require.NoError(t, take(t, c.Send(t.Context(), "Go.")).err)
	require.Equal(t, "2.1", c.History()[2].ToolCall[0].RequestID)
}
