package engine_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// TestEnginesOnOneRegistryShareItsLimits runs calls of two engines at once.
func TestEnginesOnOneRegistryShareItsLimits(t *testing.T) {
	for _, tt := range []struct {
		name   string
		option tool.Option
		change func(*engine.Options)
		ofTool int // Tool.Concurrency
		most   int // how many calls run at once at most
	}{
		{"without a limit", func(*tool.Method) {}, func(*engine.Options) {}, 0, 2},
		{"Concurrency of a method", tool.Concurrency(1), func(*engine.Options) {}, 0, 1},
		{"Concurrency of a tool", func(*tool.Method) {}, func(*engine.Options) {}, 1, 1},
		{"Uses", tool.Uses("door"), func(*engine.Options) {}, 0, 1},
		{"MaxConcurrent", func(*tool.Method) {}, func(o *engine.Options) { o.MaxConcurrent = 1 }, 0, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				running, most := 0, 0
				reg := tool.NewRegistry()
				require.NoError(t, reg.Register(tool.Tool{ID: "t", Concurrency: tt.ofTool, Methods: []tool.Method{
					method(t, "work", func(context.Context, *tool.Call) (tool.Output, error) {
						add := func(n int) {
							mu.Lock()
							defer mu.Unlock()
							running += n
							most = max(most, running)
						}
						add(1)
						defer add(-1)
						time.Sleep(time.Second)
						return tool.Output{}, nil
					}, tt.option),
				}}))
				var wg sync.WaitGroup
				for range 2 {
					s := session(t, reg, nil, tt.change)
					wg.Go(func() { execute(t, s, "1", "t_work") })
				}
				wg.Wait()
				require.Equal(t, tt.most, most)
			})
		})
	}
}

func TestEnginesOnOneRegistryShareAbandonedCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reg := registry(t, method(t, "hang", func(context.Context, *tool.Call) (tool.Output, error) {
			time.Sleep(time.Hour)
			return tool.Output{}, nil
		}))
		one, two := newEngine(t, reg, nil), newEngine(t, reg, nil)
		execute(t, one.NewSession("one"), "1", "t_hang")
		require.Len(t, two.Abandoned(), 1)
		time.Sleep(time.Hour)
	})
}

// only returns a Visibility that hides all methods except one.
func only(name string) engine.Visibility {
	return engine.Visibility{Filter: func(e *tool.Entry) bool { return e.FullName == name }, FilterKey: name}
}

func visible(s *engine.Session) (names []string) {
	for _, e := range s.Methods() {
		names = append(names, e.FullName)
	}
	return names
}

func TestSessionsSeeDifferentMethods(t *testing.T) {
	reg := registry(t, method(t, "one", nop), method(t, "two", nop), method(t, "off", nop))
	require.NoError(t, reg.Register(tool.Tool{ID: "u", Methods: []tool.Method{method(t, "three", nop)}}))
	e := newEngine(t, reg, nil, func(o *engine.Options) {
		o.Config.ToolToggles = map[string]bool{"t_off": false}
		o.Filter = func(e *tool.Entry) bool { return e.FullName != "t_echo" }
	})
	toggles := func(m map[string]bool) engine.Visibility { return engine.Visibility{ToolToggles: m} }
	for _, tt := range []struct {
		name       string
		visibility engine.Visibility
		want       []string
		why        string // Result.Why of a call of t_two
	}{
		{
			"the zero value hides nothing",
			engine.Visibility{},
			[]string{"results_read", "t_one", "t_two", "u_three"},
			"",
		},
		{
			"a toggle hides a method", toggles(map[string]bool{"t_two": false}),
			[]string{"results_read", "t_one", "u_three"},
			"the session's toolToggles: t_two is false",
		},
		{
			"a toggle hides a tool", toggles(map[string]bool{"t": false}),
			[]string{"results_read", "u_three"},
			"the session's toolToggles: t is false",
		},
		{
			"the toggle of a method overrides that of its tool", toggles(map[string]bool{"t": false, "t_one": true}),
			[]string{"results_read", "t_one", "u_three"},
			"the session's toolToggles: t is false",
		},
		{
			"a toggle shows nothing that the configuration or the engine's filter hides",
			toggles(map[string]bool{"t_off": true, "t_echo": true}),
			[]string{"results_read", "t_one", "t_two", "u_three"},
			"",
		},
		{"a filter hides methods", only("u_three"), []string{"u_three"}, "the session's filter"},
		{"a filter shows nothing that the engine hides", only("t_echo"), nil, "the session's filter"},
		{
			"the engine's own tool is hidden if no other is visible",
			toggles(map[string]bool{"t": false, "u": false}), nil,
			"the session's toolToggles: t is false",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := e.OpenSession(engine.SessionOptions{ID: "s", Visibility: tt.visibility})
			require.Equal(t, tt.want, visible(s))
			definitions := definitions(t, engine.ModelRequest{Messages: []protocol.Message{{Content: s.Prompt()}}})
			require.ElementsMatch(t, tt.want, definitions)
			cycle, err := s.ProcessCycle(t.Context(), block(t, "t_two"), protocol.FinishStop)
			require.NoError(t, err)
			require.Equal(t, tt.why, cycle.Results[0].Why)
			if tt.why != "" {
				require.Equal(t, executor.ErrorToolDisabled, cycle.Results[0].ErrorType)
				require.Equal(t, executor.BySetting, cycle.Results[0].DecidedBy)
			}
		})
	}
}

// TestSessionsShareAPromptOnlyUnderOneKey checks that sessions share a cached prompt only if their
// filters have the same key.
func TestSessionsShareAPromptOnlyUnderOneKey(t *testing.T) {
	reg := registry(t, method(t, "one", nop), method(t, "two", nop))
	filterCalls := 0
	counting := func(name, key string) engine.Visibility {
		filter := func(e *tool.Entry) bool {
			filterCalls++
			return e.FullName == name
		}
		return engine.Visibility{Filter: filter, FilterKey: key}
	}
	prompt := func(e *engine.Engine, v engine.Visibility) string {
		return e.OpenSession(engine.SessionOptions{Visibility: v}).Prompt()
	}
	e, other := newEngine(t, reg, nil), newEngine(t, reg, nil)
	one := prompt(e, counting("t_one", "1"))
	require.Contains(t, one, "t_one")
	require.NotContains(t, one, "t_two")
	filterCalls = 0
	require.Equal(t, one, prompt(e, counting("t_one", "1")))
	require.Zero(t, filterCalls, "a filter with the same key is not called again")
	require.Contains(t, prompt(e, counting("t_two", "2")), "t_two")
	require.Contains(t, prompt(e, counting("t_two", "")), "t_two")
	require.Contains(t, prompt(e, engine.Visibility{ToolToggles: map[string]bool{"t_one": false}}), "t_two")
	require.NotContains(t, prompt(e, engine.Visibility{ToolToggles: map[string]bool{"t_one": false}}), "t_one")
	require.Contains(t, prompt(other, counting("t_two", "1")), "t_two",
		"two engines share no prompt, even if the keys are the same")
}

func TestAPromptIsCachedIfTheSessionHidesNothing(t *testing.T) {
	filterCalls := 0
	e := newEngine(t, registry(t), nil, func(o *engine.Options) {
		o.Filter, o.FilterKey = func(*tool.Entry) bool { filterCalls++; return true }, "all"
	})
	s := e.OpenSession(engine.SessionOptions{Visibility: engine.Visibility{ToolToggles: map[string]bool{}}})
	first := s.Prompt()
	filterCalls = 0
	require.Equal(t, first, s.Prompt())
	require.Zero(t, filterCalls)
}

func TestErrorsDoNotSuggestAHiddenMethod(t *testing.T) {
	model := &script{replies: []reply{says(block(t, "t_secre")), says(block(t, "t_secret")), says("Done.")}}
	e := newEngine(t, registry(t, method(t, "secret", nop)), model)
	s := e.OpenSession(engine.SessionOptions{Visibility: only("t_echo")})
	run(t, s, question)
	for _, m := range model.asked[1].Messages {
		require.NotContains(t, m.Content, "t_secret")
	}
	require.NotContains(t, fmt.Sprint(visible(s)), "secret")
}

// TestEachHiddenMethodHasAReason checks that a method is hidden if and only if WhyHidden gives a
// reason, for several configurations, filters and sessions. The engine's own methods are checked,
// too.
func TestEachHiddenMethodHasAReason(t *testing.T) {
	for _, config := range []func(*engine.Config){
		func(*engine.Config) {},
		func(c *engine.Config) { c.Enabled = false },
		func(c *engine.Config) { c.DefaultToolEnabled = false },
		func(c *engine.Config) { c.ResultTokens = 0 },
		func(c *engine.Config) { c.PromptMethods = 1 },
		func(c *engine.Config) { c.PromptMethods, c.ToolToggles = 1, map[string]bool{"tools": false} },
		func(c *engine.Config) { c.ToolToggles = map[string]bool{"t": false, "results_read": true} },
	} {
		for _, hiddenByFilter := range []string{"", "t", "results", "tools"} {
			for _, hiddenBySession := range []string{"", "t", "results", "tools"} {
				reg := registry(t, method(t, "other", nop))
				e := newEngine(t, reg, nil, func(o *engine.Options) {
					o.Config.ResultTokens = executor.MinResultTokens
					config(&o.Config)
					o.Filter = func(m *tool.Entry) bool { return m.Tool.ID != hiddenByFilter }
				})
				toggles := map[string]bool{hiddenBySession: false}
				s := e.OpenSession(engine.SessionOptions{Visibility: engine.Visibility{ToolToggles: toggles}})
				for _, m := range reg.Entries() {
					require.Equal(t, s.Visible(m), s.WhyHidden(m) == "", "%s: %s", m.FullName, s.WhyHidden(m))
				}
			}
		}
	}
}
