package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
)

func TestIDsAreUniqueInASession(t *testing.T) {
	s := session(t, registry(t), &script{replies: []reply{says(block(t, "t_echo")), says("Done.")}})
	first, err := s.ProcessCycle(t.Context(), block(t, "t_echo"), protocol.FinishStop)
	require.NoError(t, err)
	second, err := s.ProcessCycle(t.Context(), block(t, "t_echo"), protocol.FinishStop)
	require.NoError(t, err)
	got := run(t, s, question)
	require.Equal(t, "1.1", shortID(first.Results[0].ID))
	require.Equal(t, "2.1", shortID(second.Results[0].ID))
	require.Equal(t, "3.1", shortID(got.iterations[0].Results[0].ID))
}

func TestIDsContinueAfterEarlierReplies(t *testing.T) {
	s := session(t, registry(t), &script{replies: []reply{says(block(t, "t_echo")), says("Done.")}})
	got := run(t, s, []protocol.Message{
		question[0],
		{Role: protocol.RoleAssistant, Content: "one"},
		question[0],
		{Role: protocol.RoleAssistant, Content: "two"},
		question[0],
	})
	require.Equal(t, "3.1", shortID(got.iterations[0].Results[0].ID))
}

func TestAResumedSessionUsesNoIDTwice(t *testing.T) {
	s := session(t, registry(t), nil)
	_, err := s.ProcessCycle(t.Context(), block(t, "t_echo"), protocol.FinishStop)
	require.NoError(t, err)
	require.Equal(t, 1, s.Replies())

	e, err := engine.New(engine.Options{
		Registry: registry(t), Protocols: []protocol.Protocol{vcp.Protocol{}}, Config: engine.DefaultConfig(),
		Logger: quiet,
	})
	require.NoError(t, err)
	resumed := e.OpenSession(engine.SessionOptions{ID: "test", Replies: s.Replies()})
	cycle, err := resumed.ProcessCycle(t.Context(), block(t, "t_echo"), protocol.FinishStop)
	require.NoError(t, err)
	require.Equal(t, "2.1", shortID(cycle.Results[0].ID))
	require.Equal(t, 2, resumed.Replies())
	require.Zero(t, e.OpenSession(engine.SessionOptions{Replies: -1}).Replies(), "a negative number counts as 0")
}

func TestASessionEndsAtMaxReplies(t *testing.T) {
	e := newEngine(t, registry(t), &script{replies: []reply{says("Hi.")}})
	s := e.OpenSession(engine.SessionOptions{Replies: engine.MaxReplies - 1})
	require.NoError(t, run(t, s, question).err)
	got := run(t, s, question)
	require.ErrorIs(t, got.err, engine.ErrMaxReplies)
	require.Equal(t, engine.StopModelError, got.stop)
	_, err := s.ProcessCycle(t.Context(), "Hello.", protocol.FinishStop)
	require.ErrorIs(t, err, engine.ErrMaxReplies)
}

// TestInModeManualTheApplicationSuppliesTheResults continues a conversation after dispatched
// requests: one is executed, one is denied, one gets a result from the application, and one could
// not be read.
func TestInModeManualTheApplicationSuppliesTheResults(t *testing.T) {
	text := block(t, "t_echo", "text", "run me") + block(t, "t_echo", "text", "deny me") +
		block(t, "host_open", "label", "win") + "<<<[TOOL_REQUEST]>>>\ntext:「始」x「末」\n<<<[END_TOOL_REQUEST]>>>"
	model := &script{replies: []reply{says("See: ", text), says("Done.")}}
	s := session(t, registry(t), model, config(func(c *engine.Config) { c.Mode = engine.ModeManual }))
	got := run(t, s, question)
	require.Equal(t, engine.StopManual, got.stop)
	iteration := got.iterations[0]
	require.Len(t, iteration.Requests, 4)
	require.Nil(t, iteration.Results)
	require.True(t, iteration.Dispatched)
	require.Equal(t, []protocol.Message{{Role: protocol.RoleAssistant, Content: "See: " + text}},
		s.Render(iteration.Messages()))

	requests := iteration.Requests
	supplied := s.Execute(t.Context(), requests[:1])
	supplied = append(supplied, requests[1].Deny("not now"), requests[2].Result("opened"))
	supplied = append(supplied, s.Execute(t.Context(), requests[3:])...)
	msgs := append(append(question, iteration.Messages()...), s.ResultMessages(supplied)...)
	got = run(t, s, msgs)
	require.Equal(t, engine.StopDone, got.stop)
	require.False(t, got.iterations[0].Dispatched)
	require.Equal(t, []shownResult{
		{"1.1", "t_echo", "success"},
		{"1.2", "t_echo", "error permission_denied"},
		{"win", "host_open", "success"},
		{"1.4", "", "error malformed_request"},
	}, shownResults(t, &model.asked[1].Messages[3]))
}

func TestANewConfigurationAppliesToTheNextCall(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*engine.Config)
		want   string
	}{
		{
			"a method that is switched off",
			func(c *engine.Config) { c.ToolToggles = map[string]bool{"t_echo": false} },
			executor.ErrorToolDisabled,
		},
		{
			"a policy that denies all calls", func(c *engine.Config) { c.Approve = policy.ApproveNever },
			executor.ErrorPermissionDenied,
		},
		{
			"a policy that requires approval", func(c *engine.Config) { c.Approve = policy.ApproveAsk },
			executor.ErrorPermissionDenied,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			model := &script{replies: []reply{
				says(block(t, "t_echo", "text", "a"), block(t, "t_echo", "text", "b")),
				says(block(t, "t_echo", "text", "c")), says("Done."),
			}}
			e := newEngine(t, registry(t), model)
			var got outcome
			for ev, err := range e.NewSession("").Run(t.Context(), question) {
				require.NoError(t, err)
				got.add(ev)
				if ev.Kind == engine.EventToolDone {
					c := e.Config()
					tt.change(&c)
					require.NoError(t, e.SetConfig(c))
				}
			}
			require.Equal(t, []shownResult{{"1.1", "t_echo", "success"}, {"1.2", "t_echo", "error " + tt.want}},
				shownResults(t, got.iterations[0].ResultMessage))
			require.Equal(t, []shownResult{{"2.1", "t_echo", "error " + tt.want}},
				shownResults(t, got.iterations[1].ResultMessage))
		})
	}
}

func TestModeManualAppliesToTheNextReplyOfARun(t *testing.T) {
	e := newEngine(t, registry(t), scriptOf(block(t, "t_echo", "text", "a"), block(t, "t_echo", "text", "b")))
	var got outcome
	for ev, err := range e.NewSession("").Run(t.Context(), question) {
		require.NoError(t, err)
		got.add(ev)
		if ev.Kind == engine.EventToolDone {
			c := e.Config()
			c.Mode = engine.ModeManual
			require.NoError(t, e.SetConfig(c))
		}
	}
	require.Equal(t, engine.StopManual, got.stop)
	require.Equal(t, []shownResult{{"1.1", "t_echo", "success"}}, shownResults(t, got.iterations[0].ResultMessage))
	require.Nil(t, got.iterations[1].ResultMessage)
	require.Len(t, got.iterations[1].Requests, 1)
}
