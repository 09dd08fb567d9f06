package engine_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

func TestProcessCycleProcessesEachRequestOfAReply(t *testing.T) {
	private, err := tool.Raw("private", "For the application alone.", nil, nop)
	require.NoError(t, err)
	for _, tt := range []struct {
		name     string
		config   func(*engine.Config)
		text     string
		want     []shownResult
		requests int // how many requests the reply has
	}{
		{"text without requests yields nothing", nil, "Hello.", nil, 0},
		{
			"a request is run and its result written", nil, block(t, "t_echo", "text", "hi"),
			[]shownResult{{"1.1", "t_echo", "success"}},
			1,
		},
		{
			"the last block may lack its end", nil, "<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_echo「末」",
			[]shownResult{{"1.1", "t_echo", "success"}},
			1,
		},
		{
			"a label of the model's own comes back", nil, block(t, "t_echo", "label", "mine"),
			[]shownResult{{"mine", "t_echo", "success"}},
			1,
		},
		{
			"labels that are not unique come back as the engine's ids", nil,
			block(t, "t_echo", "label", "same") + block(t, "t_echo", "label", "same"),
			[]shownResult{{"1.1", "t_echo", "success"}, {"1.2", "t_echo", "success"}},
			2,
		},
		{
			"a label that is another request's id comes back as the engine's id", nil,
			block(t, "t_echo") + block(t, "t_echo", "label", "1.1"),
			[]shownResult{{"1.1", "t_echo", "success"}, {"1.2", "t_echo", "success"}},
			2,
		},
		{
			"a label with a line break comes back as the engine's id", nil,
			block(t, "t_echo", "label", "a\nb"),
			[]shownResult{{"1.1", "t_echo", "success"}},
			1,
		},
		{"a disabled tool called by name is refused", func(c *engine.Config) {
			c.ToolToggles = map[string]bool{"t": false}
		}, block(t, "t_echo"), []shownResult{{"1.1", "t_echo", "error tool_disabled"}}, 1},
		{
			"a method that is not agent-callable is refused", nil, block(t, "t_private"),
			[]shownResult{{"1.1", "t_private", "error not_callable"}},
			1,
		},
		{"a toggle does not make a method agent-callable", func(c *engine.Config) {
			c.ToolToggles = map[string]bool{"t_private": true}
		}, block(t, "t_private"), []shownResult{{"1.1", "t_private", "error not_callable"}}, 1},
		{"a call that needs approval is denied without an approver", func(c *engine.Config) {
			c.RequireConfirmation = true
		}, block(t, "t_echo"), []shownResult{{"1.1", "t_echo", "error permission_denied"}}, 1},
		{
			"requests of a batch after the first MaxRequests are refused", func(c *engine.Config) { c.MaxRequests = 1 },
			"<<<[TOOL_REQUEST]>>>\ntool_name:「始」t「末」,\ncommand1:「始」echo「末」,\ncommand2:「始」echo「末」\n<<<[END_TOOL_REQUEST]>>>",
			[]shownResult{{"1.1", "t_echo", "success"}, {"1.2", "t", "error limit_exceeded"}},
			2,
		},
		{
			"an unreadable request gets an error in its place", nil,
			"<<<[TOOL_REQUEST]>>>\ntext:「始」x「末」\n<<<[END_TOOL_REQUEST]>>>" + block(t, "t_echo"),
			[]shownResult{{"1.1", "", "error malformed_request"}, {"1.2", "t_echo", "success"}},
			2,
		},
		{"in mode manual requests are dispatched", func(c *engine.Config) {
			c.Mode = engine.ModeManual
		}, block(t, "t_echo"), nil, 1},
		{
			"if tool calling is disabled, a block is not read as a request",
			func(c *engine.Config) { c.Enabled = false },
			block(t, "t_echo"), nil, 0,
		},
		{"a quoted request does nothing", nil, "```\n" + block(t, "t_echo") + "\n```", nil, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.config == nil {
				tt.config = func(*engine.Config) {}
			}
			reg := registry(t, private)
			s := session(t, reg, nil, config(tt.config))
			cycle, err := s.ProcessCycle(t.Context(), tt.text, protocol.FinishStop)
			require.NoError(t, err)
			if diff := cmp.Diff(tt.want, shownResults(t, cycle.ResultMessage)); diff != "" {
				t.Errorf("results (-want +got):\n%s", diff)
			}
			require.Len(t, cycle.Requests, tt.requests)
			require.Len(t, cycle.Results, len(tt.want))
		})
	}
}

func TestACanceledProcessCycleGivesResults(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	cycle, err := session(t, registry(t), nil).ProcessCycle(ctx, block(t, "t_echo"), protocol.FinishStop)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, []shownResult{{"1.1", "t_echo", "error canceled"}}, shownResults(t, cycle.ResultMessage))
}

func TestProcessCycleRunsNothingIfTheProtocolPanics(t *testing.T) {
	text := "Hello. " + block(t, "t_echo")
	s := session(t, registry(t), nil, func(o *engine.Options) { o.Protocols = []protocol.Protocol{panicky{}} })
	cycle, err := s.ProcessCycle(t.Context(), text, protocol.FinishStop)
	require.Error(t, err)
	require.Empty(t, cycle.Requests)
	require.Nil(t, cycle.ResultMessage)
}

func TestWithoutResultsThereIsNoText(t *testing.T) {
	require.Empty(t, session(t, registry(t), nil).FormatResults(nil))
}
