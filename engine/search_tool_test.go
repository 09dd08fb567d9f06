package engine_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/schematest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/qwencoder"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// realRegistry is the registry that realTools returns; nil until the first call.
var realRegistry *tool.Registry

// realTools returns a registry with a method for each definition in testdata/definitions. All tests
// share the registry, because compiling the schemas takes long.
func realTools(t testing.TB) *tool.Registry {
	t.Helper()
	if realRegistry != nil {
		return realRegistry
	}
	registry := tool.NewRegistry()
	for _, server := range schematest.Servers(t, "../testdata/definitions") {
		for _, d := range server.Tools {
			name := server.ID + "/" + d.Name
			handler := func(context.Context, *tool.Call) (tool.Output, error) {
				return tool.Output{Text: name + " ran"}, nil
			}
			m, err := tool.Raw("call", d.Description, d.InputSchema, handler,
				tool.FullName(name), tool.AgentCallable(), tool.WithRisk(tool.RiskRead))
			require.NoError(t, err, d.Name)
			one := tool.Tool{ID: d.Name + "-of-" + server.ID, Methods: []tool.Method{m}}
			require.NoError(t, registry.Register(one), d.Name)
		}
	}
	realRegistry = registry
	return registry
}

const colors = "cocal_google-calendar-mcp/list-colors"

func TestAModelFindsAMethodAndCallsIt(t *testing.T) {
	model := &script{replies: []reply{
		says(block(t, "tools_search", "query", "colors of calendar events")), says(block(t, colors)),
		says("There are eleven."), says("And again."),
	}}
	s := session(t, realTools(t), model)
	o := run(t, s, question)
	require.Equal(t, engine.StopDone, o.stop)
	system := func(i int) string { return model.asked[i].Messages[0].Content }
	assert.Contains(t, system(0), "tools_search")
	assert.NotContains(t, system(0), colors)
	assert.Contains(t, results(t, *o.iterations[0].ResultMessage)[0].Result, colors+": List available color IDs")
	assert.Equal(t, colors+" ran", results(t, *o.iterations[1].ResultMessage)[0].Result)
	for i := range 3 {
		assert.Equal(t, system(0), system(i), "the prompt of a run stays the same, so that servers can cache it")
	}
	run(t, s, question)
	assert.Contains(t, system(3), colors, "what was found is listed from the next run on")
}

func TestAModelWithNativeCallsCanCallWhatItFound(t *testing.T) {
	model := &native{script: script{replies: []reply{
		calling("", call("a", "tools_search", `{"query":"colors of calendar events"}`)), says("Found."),
	}}}
	run(t, session(t, realTools(t), model), question)
	offered := func(i int) (names []string) {
		for _, e := range model.asked[i].Tools {
			names = append(names, e.FullName)
		}
		return names
	}
	assert.Equal(t, []string{"results_read", "tools_search"}, offered(0))
	assert.Contains(t, offered(1), colors)
	assert.Len(t, offered(1), 2+5, "a search finds 5 methods by default")
}

func TestUnracedPromptOfManyMethodsIsShort(t *testing.T) {
	longtest.SkipIfRaced(t) // because of the prefix TestUnraced, "make test" runs this test without the race detector
	registry := realTools(t)
	for _, p := range []protocol.Protocol{vcp.Protocol{}, hermes.Protocol{}, qwencoder.Protocol{}} {
		t.Run(p.ID(), func(t *testing.T) {
			prompt := func(change func(*engine.Config)) int {
				e := newEngine(t, registry, nil, config(change), withProtocol(p))
				return protocol.EstimateTokens(e.NewSession("").Prompt())
			}
			whole := prompt(func(c *engine.Config) { c.PromptMethods, c.PromptTokens = 0, 0 })
			short := prompt(func(*engine.Config) {})
			t.Logf("%d methods: %d tokens, with the search %d", len(registry.Entries()), whole, short)
			assert.LessOrEqual(t, 20*short, whole)
		})
	}
}

func TestBeyondItsLimitsThePromptListsOnlyPinnedMethods(t *testing.T) {
	registry := registry(t, method(t, "other", nop), method(t, "third", nop))
	for _, c := range []struct {
		name   string
		change func(*engine.Config)
		want   []string
	}{
		{"everything within the limits", func(c *engine.Config) {
			c.PromptMethods = 3
		}, []string{"t_echo", "t_other", "t_third"}},
		{
			"only the search beyond PromptMethods", func(c *engine.Config) { c.PromptMethods = 2 },
			[]string{"tools_search"},
		},
		{
			"only the search beyond PromptTokens", func(c *engine.Config) { c.PromptTokens = 200 },
			[]string{"tools_search"},
		},
		{"pinned methods as well", func(c *engine.Config) {
			c.PromptMethods, c.PinnedTools = 2, map[string]bool{"t_other": true}
		}, []string{"t_other", "tools_search"}},
		{"pinned tools, without the methods for which PinnedTools is false", func(c *engine.Config) {
			c.PromptMethods, c.PinnedTools = 2, map[string]bool{"t": true, "t_other": false}
		}, []string{"t_echo", "t_third", "tools_search"}},
		{"no pinned method that is switched off", func(c *engine.Config) {
			c.PromptMethods, c.PinnedTools = 1, map[string]bool{"t_other": true}
			c.ToolToggles = map[string]bool{"t_other": false}
		}, []string{"tools_search"}},
		{"everything if the search is switched off", func(c *engine.Config) {
			c.PromptMethods, c.ToolToggles = 2, map[string]bool{"tools": false}
		}, []string{"t_echo", "t_other", "t_third"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := session(t, registry, nil, config(func(config *engine.Config) {
				config.ResultTokens = 0 // without results_read
				c.change(config)
			}))
			assert.ElementsMatch(t, c.want, definitionsIn(t, s.Prompt()))
			for _, e := range s.Methods() {
				assert.True(t, s.Visible(e), e.FullName)
			}
		})
	}
}

func TestAChangedValueInPinnedToolsChangesThePrompt(t *testing.T) {
	e := newEngine(t, registry(t, method(t, "other", nop)), nil)
	s := e.NewSession("")
	for _, pinned := range []bool{false, true} {
		c := e.Config()
		c.PromptMethods, c.PinnedTools = 1, map[string]bool{"t_other": pinned}
		require.NoError(t, e.SetConfig(c))
		assert.Equal(t, pinned, slices.Contains(definitionsIn(t, s.Prompt()), "t_other"))
	}
}

func TestASearchWithoutHitsNamesTheTools(t *testing.T) {
	reg := registry(t)
	require.NoError(t, reg.Register(tool.Tool{ID: "u", Methods: []tool.Method{method(t, "x", nop)}}))
	s := session(t, reg, nil, config(func(c *engine.Config) { c.PromptTokens, c.PromptMethods = 200, 1 }))
	result := execute(t, s, "1.1", "tools_search", "query", "quantum")
	require.Equal(t, protocol.StatusSuccess, result.Status, result.Result)
	assert.Contains(t, result.Result, "The tools are: t, u.")
}
