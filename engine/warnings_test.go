package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// logged returns a logger and the buffer to which it writes. The log contains no times.
func logged() (*slog.Logger, *bytes.Buffer) {
	var b bytes.Buffer
	return slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})), &b
}

func TestAToggleThatNamesNothingIsLogged(t *testing.T) {
	const warning = `level=WARN msg="toolToggles names no registered tool or method" name=`
	for _, tt := range []struct {
		name         string
		toggles      map[string]bool
		resultTokens int
		want         string
	}{
		{"no toggles", nil, 2000, ""},
		{"a tool and a method", map[string]bool{"t": true, "t_echo": false}, 2000, ""},
		{"the tool of the engine", map[string]bool{"results": true, "results_read": false}, 2000, ""},
		{
			"the tool of the engine, if results are not excerpted",
			map[string]bool{"results": true, "results_read": false},
			0, "",
		},
		{
			"a misspelled name, with the nearest name",
			map[string]bool{"t_ecko": false},
			2000,
			warning + "t_ecko nearest=t_echo\n",
		},
		{"a name that resembles no other", map[string]bool{"elsewhere": true}, 2000, warning + "elsewhere\n"},
		{"several in order", map[string]bool{"two": false, "one": false}, 2000, warning + "one\n" + warning + "two\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			logger, log := logged()
			e := newEngine(t, registry(t), nil, func(o *engine.Options) {
				o.Logger, o.Config.ToolToggles, o.Config.ResultTokens = logger, tt.toggles, tt.resultTokens
			})
			require.Equal(t, tt.want, log.String())
			c := e.Config()
			c.MaxIterations++
			require.NoError(t, e.SetConfig(c))
			require.Equal(t, tt.want, log.String(), "a second configuration repeats no warning")
		})
	}
	t.Run("a pinned tool", func(t *testing.T) {
		logger, log := logged()
		newEngine(t, registry(t), nil, func(o *engine.Options) {
			o.Logger, o.Config.PinnedTools = logger, map[string]bool{"t_ecko": true}
		})
		require.Equal(t, `level=WARN msg="pinnedTools names no registered tool or method" name=t_ecko nearest=t_echo`+"\n",
			log.String())
	})
}

const required = true

// taking returns a method that takes one argument. Its result is its arguments as JSON.
func taking(t *testing.T, argument string, required bool) tool.Method {
	t.Helper()
	properties := map[string]any{argument: map[string]any{"type": "string"}}
	parameters := map[string]any{"type": "object", "properties": properties}
	if required {
		parameters["required"] = []string{argument}
	}
	text, err := json.Marshal(parameters)
	require.NoError(t, err)
	m, err := tool.Raw("take", "", text, func(_ context.Context, c *tool.Call) (tool.Output, error) {
		return tool.Output{Text: string(c.Arguments)}, nil
	}, tool.AgentCallable())
	require.NoError(t, err)
	return m
}

func TestAPatternThatIsNotCheckedIsLogged(t *testing.T) {
	r := tool.NewRegistry()
	schema := json.RawMessage(`{"type":"object","properties":{"a":{"type":"string","pattern":"(?=x)"}}}`)
	m, err := tool.Raw("m", "", schema, nop, tool.AgentCallable())
	require.NoError(t, err)
	require.NoError(t, r.Register(tool.Tool{ID: "t", Methods: []tool.Method{m}}))
	logger, log := logged()
	newEngine(t, r, nil, func(o *engine.Options) { o.Logger = logger })
	require.Contains(t, log.String(),
		`level=WARN msg="a keyword of the parameters is not checked" method=t_m reason="pattern at #/properties/a is not checked:`)
}

// TestAnArgumentThatCannotBeWrittenIsLogged checks that the engine logs a warning for an argument
// if and only if no request of the protocol can carry it.
func TestAnArgumentThatCannotBeWrittenIsLogged(t *testing.T) {
	inVCP := func(name string) string {
		return "<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_take「末」,\n" + name + ":「始」value「末」\n<<<[END_TOOL_REQUEST]>>>"
	}
	inHermes := func(name string) string {
		return fmt.Sprintf("<tool_call>\n{\"name\": \"t_take\", \"arguments\": {%q: \"value\"}}\n</tool_call>", name)
	}
	long := strings.Repeat("k", 128)
	for _, tt := range []struct {
		protocol       protocol.Protocol
		write          func(name string) string
		carries, loses []string // names of arguments
	}{
		{
			vcp.Protocol{},
			inVCP,
			[]string{
				"path", "command", "Command", "command1", "toolName", "Request_ID", "request-id", "a.b", "城市", "_x",
				"tool_name", "request_id", long,
			},
			[]string{"foo bar", "x y", "x[0]", "", long + "k"},
		},
		{
			hermes.Protocol{},
			inHermes,
			[]string{"path", "tool_name", "request_id", "name", "id", "arguments", "foo bar", "x[0]", long},
			[]string{"", long + "k"},
		},
	} {
		for carried, names := range map[bool][]string{true: tt.carries, false: tt.loses} {
			for _, name := range names {
				t.Run(tt.protocol.ID()+" "+name, func(t *testing.T) {
					logger, log := logged()
					s := session(t, registry(t, taking(t, name, !required)), nil, func(o *engine.Options) {
						o.Protocols, o.Logger = []protocol.Protocol{tt.protocol}, logger
					})
					cycle, err := s.ProcessCycle(t.Context(), tt.write(name), protocol.FinishStop)
					require.NoError(t, err)
					want, err := json.Marshal(map[string]string{name: "value"})
					require.NoError(t, err)
					got := ""
					if len(cycle.Results) == 1 {
						got = cycle.Results[0].Result
					}
					if carried {
						require.JSONEq(t, string(want), got)
						require.Empty(t, log.String())
						return
					}
					require.NotEqual(t, string(want), got)
					require.Contains(t, log.String(), "the protocol cannot carry an argument of this name; rename it")
				})
			}
		}
	}
}

func TestARequiredArgumentThatTheProtocolCannotCarryIsAnError(t *testing.T) {
	const refused = `engine: t_take requires the argument "request id", which the protocol vcp cannot carry; ` +
		`rename the argument or switch the method off (toolToggles)`
	const warned = `msg="the protocol cannot carry an argument of this name; rename it" ` +
		`protocol=vcp method=t_take argument="request id" required=true`
	for _, tt := range []struct {
		name    string
		change  func(*engine.Options)
		err     string
		warning string
	}{
		{"refused: requests are text", func(*engine.Options) {}, refused, ""},
		{"not refused: calls may be native", func(o *engine.Options) { o.Model = &native{} }, "", warned},
		{"not refused: a filter may hide the method", func(o *engine.Options) {
			o.Filter = func(*tool.Entry) bool { return false }
		}, "", warned},
		{"not refused: the method is switched off", func(o *engine.Options) {
			o.Config.ToolToggles = map[string]bool{"t_take": false}
		}, "", ""},
		{"not refused: tool calling is switched off", func(o *engine.Options) { o.Config.Enabled = false }, "", ""},
		{
			"not refused: the protocol carries the argument",
			func(o *engine.Options) { o.Protocols = []protocol.Protocol{hermes.Protocol{}, vcp.Protocol{}} }, "", "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			logger, log := logged()
			o := engine.Options{
				Registry:  registry(t, taking(t, "request id", required)),
				Protocols: []protocol.Protocol{vcp.Protocol{}},
				Config:    engine.DefaultConfig(), Logger: logger,
			}
			tt.change(&o)
			e, err := engine.New(o)
			if tt.err != "" {
				require.EqualError(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			require.Contains(t, log.String(), tt.warning)
			require.Equal(t, tt.warning == "", log.Len() == 0)
			if len(o.Protocols) > 1 {
				c := e.Config()
				c.Protocol = "vcp"
				require.EqualError(t, e.SetConfig(c), refused)
				require.Empty(t, e.Config().Protocol, "a configuration that is refused changes nothing")
			}
		})
	}
}
