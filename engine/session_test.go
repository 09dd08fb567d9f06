package engine_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// shownResult is a result as the model reads it.
type shownResult struct{ ID, Tool, Outcome string }

// shownResults returns the results in a message.
func shownResults(t testing.TB, m *protocol.Message) (list []shownResult) {
	t.Helper()
	if m == nil {
		return nil
	}
	for _, r := range results(t, *m) {
		list = append(list, shownResult{r.RequestID, r.ToolName, string(r.Status) + r.ErrorType})
	}
	return list
}

func TestProcessCycle(t *testing.T) {
	private, err := tool.Raw("private", "For the application alone.", nil, nop)
	require.NoError(t, err)
	for _, tt := range []struct {
		name   string
		config func(*engine.Config)
		text   string
		want   []shownResult
		asks   int // requests
	}{
		{"text without requests yields nothing", nil, "Hello.", nil, 0},
		{"a request is run and its result written", nil, block(t, "t_echo", "text", "hi"), []shownResult{{"1.1", "t_echo", "success"}}, 1},
		{"the last block may lack its end", nil, "<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_echo「末」", []shownResult{{"1.1", "t_echo", "success"}}, 1},
		{"a label of the model's own comes back", nil, block(t, "t_echo", "label", "mine"), []shownResult{{"mine", "t_echo", "success"}}, 1},
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
		}, block(t, "t_echo"), []shownResult{{"1.1", "t_echo", "errortool_disabled"}}, 1},
		{"a method that is not agent-callable is refused", nil, block(t, "t_private"), []shownResult{{"1.1", "t_private", "errornot_callable"}}, 1},
		{"a toggle makes nothing agent-callable", func(c *engine.Config) {
			c.ToolToggles = map[string]bool{"t_private": true}
		}, block(t, "t_private"), []shownResult{{"1.1", "t_private", "errornot_callable"}}, 1},
		{"a confirmation that no one can give denies", func(c *engine.Config) {
			c.RequireConfirmation = true
		}, block(t, "t_echo"), []shownResult{{"1.1", "t_echo", "errorpermission_denied"}}, 1},
		{
			"an unreadable request gets an error in its place", nil,
			"<<<[TOOL_REQUEST]>>>\ntext:「始」x「末」\n<<<[END_TOOL_REQUEST]>>>" + block(t, "t_echo"),
			[]shownResult{{"1.1", "", "errormalformed_request"}, {"1.2", "t_echo", "success"}},
			2,
		},
		{"in mode manual requests are dispatched", func(c *engine.Config) { c.Mode = engine.ModeManual }, block(t, "t_echo"), nil, 1},
		{"without tool calling nothing is requested", func(c *engine.Config) { c.Enabled = false }, block(t, "t_echo"), nil, 0},
		{"a quoted request does nothing", nil, "```\n" + block(t, "t_echo") + "\n```", nil, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.config == nil {
				tt.config = func(*engine.Config) {}
			}
			reg := registry(t, private)
			cycle, err := session(t, reg, nil, config(tt.config)).ProcessCycle(t.Context(), tt.text, protocol.FinishStop)
			require.NoError(t, err)
			if diff := cmp.Diff(tt.want, shownResults(t, cycle.ResultMessage)); diff != "" {
				t.Errorf("results (-want +got):\n%s", diff)
			}
			require.Len(t, cycle.Requests, tt.asks)
			require.Len(t, cycle.Results, len(tt.want))
		})
	}
}

func TestProcessCycleOfAContextThatIsOver(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	cycle, err := session(t, registry(t), nil).ProcessCycle(ctx, block(t, "t_echo"), protocol.FinishStop)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, []shownResult{{"1.1", "t_echo", "errorcanceled"}}, shownResults(t, cycle.ResultMessage))
}

func TestProcessCycleOfABrokenProtocol(t *testing.T) {
	text := "Hello. " + block(t, "t_echo")
	s := session(t, registry(t), nil, func(o *engine.Options) { o.Protocols = []protocol.Protocol{panicky{}} })
	cycle, err := s.ProcessCycle(t.Context(), text, protocol.FinishStop)
	require.Error(t, err)
	require.Empty(t, cycle.Requests)
	require.Nil(t, cycle.ResultMessage)
}

func TestIDsAreUniqueInASession(t *testing.T) {
	s := session(t, registry(t), &script{replies: []reply{says(block(t, "t_echo")), says("Done.")}})
	first, err := s.ProcessCycle(t.Context(), block(t, "t_echo"), protocol.FinishStop)
	require.NoError(t, err)
	second, err := s.ProcessCycle(t.Context(), block(t, "t_echo"), protocol.FinishStop)
	require.NoError(t, err)
	got := run(t, s, question)
	require.Equal(t, []string{"1.1", "2.1", "3.1"}, []string{shortID(first.Results[0].ID), shortID(second.Results[0].ID), shortID(got.iterations[0].Results[0].ID)})
}

func TestIDsContinueInAResumedConversation(t *testing.T) {
	s := session(t, registry(t), &script{replies: []reply{says(block(t, "t_echo")), says("Done.")}})
	got := run(t, s, []protocol.Message{
		question[0], {Role: protocol.RoleAssistant, Content: "one"}, question[0], {Role: protocol.RoleAssistant, Content: "two"}, question[0],
	})
	require.Equal(t, "3.1", shortID(got.iterations[0].Results[0].ID))
}

func TestAResumedSessionGivesNoIDTwice(t *testing.T) {
	s := session(t, registry(t), nil)
	_, err := s.ProcessCycle(t.Context(), block(t, "t_echo"), protocol.FinishStop)
	require.NoError(t, err)
	require.Equal(t, 1, s.Replies())

	e, err := engine.New(engine.Options{
		Registry: registry(t), Protocols: []protocol.Protocol{vcp.Protocol{}}, Config: engine.DefaultConfig(), Logger: quiet,
	})
	require.NoError(t, err)
	resumed := e.OpenSession(engine.SessionOptions{ID: "test", Replies: s.Replies()})
	cycle, err := resumed.ProcessCycle(t.Context(), block(t, "t_echo"), protocol.FinishStop)
	require.NoError(t, err)
	require.Equal(t, "2.1", shortID(cycle.Results[0].ID))
	require.Equal(t, 2, resumed.Replies())
	require.Zero(t, e.OpenSession(engine.SessionOptions{Replies: -1}).Replies())
}

func TestASessionWithoutRepliesLeftSaysSo(t *testing.T) {
	e := newEngine(t, registry(t), &script{replies: []reply{says("Hi.")}})
	s := e.OpenSession(engine.SessionOptions{Replies: engine.MaxReplies - 1})
	require.NoError(t, run(t, s, question).err)
	got := run(t, s, question)
	require.ErrorIs(t, got.err, engine.ErrMaxReplies)
	require.Equal(t, engine.StopModelError, got.stop)
	_, err := s.ProcessCycle(t.Context(), "Hello.", protocol.FinishStop)
	require.ErrorIs(t, err, engine.ErrMaxReplies)
}

// TestManual continues from dispatched requests.
func TestManual(t *testing.T) {
	asks := block(t, "t_echo", "text", "run me") + block(t, "t_echo", "text", "deny me") + block(t, "host_open", "label", "win") +
		"<<<[TOOL_REQUEST]>>>\ntext:「始」x「末」\n<<<[END_TOOL_REQUEST]>>>"
	model := &script{replies: []reply{says("See: ", asks), says("Done.")}}
	s := session(t, registry(t), model, config(func(c *engine.Config) { c.Mode = engine.ModeManual }))
	got := run(t, s, question)
	require.Equal(t, engine.StopManual, got.stop)
	iteration := got.iterations[0]
	require.Len(t, iteration.Requests, 4)
	require.Nil(t, iteration.Results)
	require.True(t, iteration.Dispatched)
	require.Equal(t, []protocol.Message{{Role: protocol.RoleAssistant, Content: "See: " + asks}}, s.Render(iteration.Messages()))

	reqs := iteration.Requests
	answers := s.Execute(t.Context(), reqs[:1])
	answers = append(answers, reqs[1].Deny("not now"), reqs[2].Result("opened"))
	answers = append(answers, s.Execute(t.Context(), reqs[3:])...)
	msgs := append(append(question, iteration.Messages()...), s.ResultMessages(answers)...)
	got = run(t, s, msgs)
	require.Equal(t, engine.StopDone, got.stop)
	require.False(t, got.iterations[0].Dispatched)
	require.Equal(t, []shownResult{
		{"1.1", "t_echo", "success"},
		{"1.2", "t_echo", "errorpermission_denied"},
		{"win", "host_open", "success"},
		{"1.4", "", "errormalformed_request"},
	}, shownResults(t, &model.asked[1].Messages[3]))
}

func TestFormatResultsOfNothing(t *testing.T) {
	require.Empty(t, session(t, registry(t), nil).FormatResults(nil))
}

func TestApproval(t *testing.T) {
	var asked []string
	model := &script{replies: []reply{says(block(t, "t_echo", "text", "yes"), block(t, "t_echo", "text", "no")), says("Done.")}}
	s := session(t, registry(t), model, config(func(c *engine.Config) { c.RequireConfirmation = true }), func(o *engine.Options) {
		o.Approver = executor.Approver(func(ctx context.Context, a executor.Question) (executor.Answer, error) {
			asked = append(asked, engine.SessionFrom(ctx).ID()+" "+shortID(a.ID)+" "+string(a.Arguments))
			if shortID(a.ID) == "1.1" {
				return a.Allow(), nil
			}
			return a.Deny("once is enough"), nil
		})
	})
	got := run(t, s, question)
	require.Equal(t, []string{`test 1.1 {"text":"yes"}`, `test 1.2 {"text":"no"}`}, asked)
	require.Equal(t, []shownResult{{"1.1", "t_echo", "success"}, {"1.2", "t_echo", "errorpermission_denied"}}, shownResults(t, got.iterations[0].ResultMessage))
	require.Nil(t, engine.SessionFrom(t.Context()))
}

func TestAnApprovalForAConversationHoldsInItsSession(t *testing.T) {
	var asked []string
	e := newEngine(t, registry(t), nil, config(func(c *engine.Config) { c.Approve = policy.ApproveAsk }), func(o *engine.Options) {
		o.Approver = executor.Approver(func(ctx context.Context, a executor.Question) (executor.Answer, error) {
			asked = append(asked, engine.SessionFrom(ctx).ID()+" "+shortID(a.ID))
			return a.AllowForConversation(), nil
		})
	})
	one, two := e.NewSession("one"), e.NewSession("two")
	cycle := func(s *engine.Session) {
		c, err := s.ProcessCycle(t.Context(), block(t, "t_echo", "text", "hi"), protocol.FinishStop)
		require.NoError(t, err)
		require.Equal(t, protocol.StatusSuccess, c.Results[0].Status)
	}
	cycle(one)
	cycle(one)
	require.NoError(t, e.SetConfig(e.Config()))
	cycle(one)
	cycle(two)
	require.Equal(t, []string{"one 1.1", "two 1.1"}, asked)
}

func TestADisabledMethodStopsAtOnce(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*engine.Config)
		want   string
	}{
		{"what is switched off", func(c *engine.Config) { c.ToolToggles = map[string]bool{"t_echo": false} }, executor.ErrorToolDisabled},
		{"what is not allowed any more", func(c *engine.Config) { c.Approve = policy.ApproveNever }, executor.ErrorPermissionDenied},
		{"what is asked for now", func(c *engine.Config) { c.Approve = policy.ApproveAsk }, executor.ErrorPermissionDenied},
	} {
		t.Run(tt.name, func(t *testing.T) {
			model := &script{replies: []reply{says(block(t, "t_echo", "text", "a"), block(t, "t_echo", "text", "b")), says(block(t, "t_echo", "text", "c")), says("Done.")}}
			e := newEngine(t, registry(t), model)
			var got outcome
			for ev, err := range e.NewSession("").Run(t.Context(), question) {
				require.NoError(t, err)
				got.take(ev)
				if ev.Kind == engine.EventToolDone {
					c := e.Config()
					tt.change(&c)
					require.NoError(t, e.SetConfig(c))
				}
			}
			require.Equal(t, []shownResult{{"1.1", "t_echo", "success"}, {"1.2", "t_echo", "error" + tt.want}}, shownResults(t, got.iterations[0].ResultMessage))
			require.Equal(t, []shownResult{{"2.1", "t_echo", "error" + tt.want}}, shownResults(t, got.iterations[1].ResultMessage))
		})
	}
}

func TestARunDispatchesItsRequestsOnceTheModeIsManual(t *testing.T) {
	model := &script{replies: []reply{says(block(t, "t_echo", "text", "a")), says(block(t, "t_echo", "text", "b"))}}
	e := newEngine(t, registry(t), model)
	var got outcome
	for ev, err := range e.NewSession("").Run(t.Context(), question) {
		require.NoError(t, err)
		got.take(ev)
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

// TestAResumedSessionBeginsWithoutApproval checks that a saved conversation approves nothing.
func TestAResumedSessionBeginsWithoutApproval(t *testing.T) {
	asked := 0
	e := newEngine(t, registry(t), nil, config(func(c *engine.Config) { c.Approve = policy.ApproveAsk }), func(o *engine.Options) {
		o.Approver = executor.Approver(func(_ context.Context, a executor.Question) (executor.Answer, error) {
			asked++
			return a.AllowForConversation(), nil
		})
	})
	first := e.NewSession("same")
	for i, s := range []*engine.Session{first, first, e.OpenSession(engine.SessionOptions{ID: "same", Replies: first.Replies()})} {
		_, err := s.ProcessCycle(t.Context(), block(t, "t_echo", "text", "hi"), protocol.FinishStop)
		require.NoError(t, err)
		require.Equal(t, 1+i/2, asked)
	}
}

func TestFilter(t *testing.T) {
	reg := registry(t, method(t, "other", nop))
	hidden := "t_echo"
	s := session(t, reg, nil, func(o *engine.Options) {
		o.Filter = func(e *tool.Entry) bool { return e.FullName != hidden }
	})
	require.Len(t, s.Methods(), 2, "the other, and the one that reads long results")
	require.NotContains(t, s.Prompt(), "t_echo")
	cycle, err := s.ProcessCycle(t.Context(), block(t, "t_echo"), protocol.FinishStop)
	require.NoError(t, err)
	require.Equal(t, executor.ErrorToolDisabled, cycle.Results[0].ErrorType)

	hidden = "t_other"
	require.Contains(t, s.Prompt(), "t_echo", "a filter without a key is asked each time")
}

func TestSessionReportsTheConfiguration(t *testing.T) {
	reg := registry(t)
	toggles := map[string]bool{"x": true}
	s := session(t, reg, nil, config(func(c *engine.Config) { c.ToolToggles = toggles }))
	require.True(t, s.Enabled())
	require.Equal(t, "t_echo", s.Methods()[1].FullName)

	toggles["x"] = false
	s.Config().ToolToggles["x"] = false
	require.Equal(t, map[string]bool{"x": true}, s.Config().ToolToggles, "neither the caller's map nor a copy changes the configuration")
}

func TestNew(t *testing.T) {
	good := func() engine.Options {
		return engine.Options{
			Registry: tool.NewRegistry(), Protocols: []protocol.Protocol{vcp.Protocol{}}, Config: engine.DefaultConfig(),
		}
	}
	_, err := engine.New(good())
	require.NoError(t, err)

	for _, tt := range []struct {
		name   string
		change func(*engine.Options)
		want   string
	}{
		{"no registry", func(o *engine.Options) { o.Registry = nil }, "Options.Registry is missing"},
		{"no protocol", func(o *engine.Options) { o.Protocols = nil }, "Options.Protocols is empty"},
		{"a nil protocol", func(o *engine.Options) { o.Protocols = append(o.Protocols, nil) }, "Options.Protocols[1] must not be nil"},
		{"one protocol twice", func(o *engine.Options) { o.Protocols = append(o.Protocols, vcp.Protocol{}) }, `two protocols with the id "vcp"`},
		{"an empty configuration", func(o *engine.Options) { o.Config = engine.Config{} }, `engine: Options.Config is empty; start from engine.DefaultConfig()`},
		{"a configuration that did not begin with the default one", func(o *engine.Options) { o.Config = engine.Config{Enabled: true} }, `mode is ""; allowed is "auto" or "manual"`},
		{"a configuration that is not valid", func(o *engine.Options) { o.Config.Mode = "sometimes" }, `mode is "sometimes"; allowed is "auto" or "manual"`},
		{"a protocol that does not exist", func(o *engine.Options) {
			o.Config.Protocol = "xml"
		}, `configuration: protocol is "xml"; allowed is "vcp"`},
		{"a repair that does not exist", func(o *engine.Options) {
			o.Profile = &engine.Profile{Reading: parser.Options{Disabled: []string{"magic"}}}
		}, "magic"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := good()
			tt.change(&o)
			_, err := engine.New(o)
			require.ErrorContains(t, err, tt.want)
		})
	}
}

func TestAFailedSetConfigChangesNothing(t *testing.T) {
	e, err := engine.New(engine.Options{
		Registry: tool.NewRegistry(), Protocols: []protocol.Protocol{vcp.Protocol{}}, Config: engine.DefaultConfig(),
	})
	require.NoError(t, err)
	bad := e.Config()
	bad.Protocol = "xml"
	var wrong *engine.ConfigError
	require.ErrorAs(t, e.SetConfig(bad), &wrong)
	require.Equal(t, engine.DefaultConfig(), e.Config())
}

func TestEveryEventKindHasAName(t *testing.T) {
	seen := map[string]bool{}
	for k := engine.EventText; k <= engine.EventRunDone; k++ {
		require.NotContains(t, k.String(), "(")
		require.False(t, seen[k.String()])
		seen[k.String()] = true
	}
	require.Equal(t, "EventKind(0)", engine.EventKind(0).String())
}
