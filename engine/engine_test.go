package engine_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

func TestNewRefusesUnusableOptions(t *testing.T) {
	good := func() engine.Options {
		return engine.Options{
			Registry: tool.NewRegistry(), Protocols: []protocol.Protocol{vcp.Protocol{}},
			Config: engine.DefaultConfig(),
		}
	}
	_, err := engine.New(good())
	require.NoError(t, err)

	for _, tt := range []struct {
		name   string
		change func(*engine.Options)
		want   string // what the error names, or the field of a *ConfigError
	}{
		{"no registry", func(o *engine.Options) { o.Registry = nil }, "Options.Registry is missing"},
		{"no protocol", func(o *engine.Options) { o.Protocols = nil }, "Options.Protocols is empty"},
		{"a nil protocol", func(o *engine.Options) {
			o.Protocols = append(o.Protocols, nil)
		}, "Options.Protocols[1] must not be nil"},
		{"one protocol twice", func(o *engine.Options) {
			o.Protocols = append(o.Protocols, vcp.Protocol{})
		}, `two protocols with the id "vcp"`},
		{
			"an empty configuration", func(o *engine.Options) { o.Config = engine.Config{} },
			`engine: Options.Config is empty; start from engine.DefaultConfig()`,
		},
		{
			"a configuration that was not made from the default one",
			func(o *engine.Options) { o.Config = engine.Config{Enabled: true} }, "mode",
		},
		{"a configuration that is not valid", func(o *engine.Options) { o.Config.Mode = "sometimes" }, "mode"},
		{"a protocol that does not exist", func(o *engine.Options) { o.Config.Protocol = "xml" }, "protocol"},
		{"a repair that does not exist", func(o *engine.Options) {
			o.Profile = &engine.Profile{Reading: parser.Options{Disabled: []string{"magic"}}}
		}, "magic"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := good()
			tt.change(&o)
			_, err := engine.New(o)
			var bad *engine.ConfigError
			if errors.As(err, &bad) {
				require.Equal(t, tt.want, bad.Field)
			} else {
				require.ErrorContains(t, err, tt.want)
			}
		})
	}
}

func TestAMethodThatTheFilterHidesDoesNotRun(t *testing.T) {
	reg := registry(t, method(t, "other", nop))
	hidden := "t_echo"
	s := session(t, reg, nil, func(o *engine.Options) {
		o.Filter = func(e *tool.Entry) bool { return e.FullName != hidden }
	})
	require.Len(t, s.Methods(), 2, "t_other and results_read")
	require.NotContains(t, s.Prompt(), "t_echo")
	cycle, err := s.ProcessCycle(t.Context(), block(t, "t_echo"), protocol.FinishStop)
	require.NoError(t, err)
	require.Equal(t, executor.ErrorToolDisabled, cycle.Results[0].ErrorType)

	hidden = "t_other"
	require.Contains(t, s.Prompt(), "t_echo", "a filter without a key is called each time")
}

func TestASessionReportsWhatTheConfigurationEnables(t *testing.T) {
	s := session(t, registry(t), nil)
	require.True(t, s.Enabled())
	require.Equal(t, []string{"results_read", "t_echo"}, visible(s))
}

func TestTheConfigurationSharesNoMap(t *testing.T) {
	toggles := map[string]bool{"x": true}
	e := newEngine(t, registry(t), nil, config(func(c *engine.Config) { c.ToolToggles = toggles }))
	toggles["x"] = false
	e.Config().ToolToggles["x"] = false
	require.Equal(t, map[string]bool{"x": true}, e.Config().ToolToggles,
		"neither the caller's map nor a copy changes the configuration")
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
