package discovery_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/discovery"
	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// newTool returns a tool with host-run methods. An element of methods is the name of a method, or
// its full name if it contains a slash. A "!" at the end makes the method agent-callable.
func newTool(t testing.TB, id string, methods ...string) tool.Tool {
	t.Helper()
	out := tool.Tool{ID: id}
	for _, name := range methods {
		var options []tool.Option
		name, callable := strings.CutSuffix(name, "!")
		if callable {
			options = append(options, tool.AgentCallable())
		}
		if strings.Contains(name, "/") {
			options = append(options, tool.FullName(name))
			name = name[strings.LastIndexByte(name, '/')+1:]
		}
		m, err := tool.HostRun(name, "does "+name, nil, options...)
		require.NoError(t, err)
		out.Methods = append(out.Methods, m)
	}
	return out
}

// registry returns a registry with the tools of these tests.
func registry(t testing.TB) *tool.Registry {
	t.Helper()
	reg := tool.NewRegistry()
	require.NoError(t, reg.Register(
		newTool(t, "files", "read!", "write!", "wipe"),
		newTool(t, "clock", "now!"),
		newTool(t, "hub", "github/create_issue!"),
	))
	return reg
}

// names returns the full names of methods.
func names(entries []*tool.Entry) (list []string) {
	for _, e := range entries {
		list = append(list, e.FullName)
	}
	return list
}

func TestMethodsReturnsWhatTheAgentMayCall(t *testing.T) {
	for _, tt := range []struct {
		name    string
		options discovery.Options
		want    []string
	}{
		{"all agent-callable methods, sorted by full name", discovery.Options{
			Enabled: true, DefaultToolEnabled: true,
		}, []string{"clock_now", "files_read", "files_write", "github/create_issue"}},
		{"nothing if tool calling is disabled", discovery.Options{DefaultToolEnabled: true}, nil},
		{"nothing if tools are disabled by default and none is enabled", discovery.Options{Enabled: true}, nil},
		{"a tool can be disabled", discovery.Options{
			Enabled: true, DefaultToolEnabled: true, ToolToggles: map[string]bool{"files": false},
		}, []string{"clock_now", "github/create_issue"}},
		{"a tool can be enabled", discovery.Options{
			Enabled: true, ToolToggles: map[string]bool{"files": true},
		}, []string{"files_read", "files_write"}},
		{"a method can be disabled", discovery.Options{
			Enabled: true, DefaultToolEnabled: true,
			ToolToggles: map[string]bool{"files_write": false, "github/create_issue": false},
		}, []string{"clock_now", "files_read"}},
		{"a toggle of a method takes precedence over the toggle of its tool", discovery.Options{
			Enabled: true, DefaultToolEnabled: true, ToolToggles: map[string]bool{"files": false, "files_read": true},
		}, []string{"clock_now", "files_read", "github/create_issue"}},
		{"a toggle makes no method agent-callable", discovery.Options{
			Enabled: true, ToolToggles: map[string]bool{"files_wipe": true},
		}, nil},
		{"a filter hides methods", discovery.Options{
			Enabled: true, DefaultToolEnabled: true, Filter: func(e *tool.Entry) bool { return e.Tool.ID == "clock" },
		}, []string{"clock_now"}},
		{"a filter makes no method agent-callable or enabled", discovery.Options{
			Enabled: true, DefaultToolEnabled: true, ToolToggles: map[string]bool{"clock": false, "hub": false},
			Filter: func(*tool.Entry) bool { return true },
		}, []string{"files_read", "files_write"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, names(discovery.New(registry(t)).Methods(tt.options)))
		})
	}
}

func TestAnOptInMethod(t *testing.T) {
	reg := tool.NewRegistry()
	shell := newTool(t, "shell", "run!")
	shell.Methods[0].OptIn = true
	require.NoError(t, reg.Register(shell))
	e, _ := reg.Lookup("shell_run")
	for _, tt := range []struct {
		name      string
		toggles   discovery.Toggles
		byDefault bool // DefaultToolEnabled
		visible   bool
	}{
		{"is hidden by default", nil, true, false},
		{"is hidden if the toggles name only other tools", discovery.Toggles{"files": true}, true, false},
		{"is visible if the toggle of its tool is true", discovery.Toggles{"shell": true}, false, true},
		{"is visible if its own toggle is true", discovery.Toggles{"shell_run": true, "shell": false}, false, true},
		{"is hidden if the toggle of its tool is false", discovery.Toggles{"shell": false}, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := discovery.Options{Enabled: true, DefaultToolEnabled: tt.byDefault, ToolToggles: tt.toggles}
			require.Equal(t, tt.visible, o.Visible(e))
			require.Equal(t, tt.visible, o.WhyHidden(e) == "")
		})
	}
}

func TestThePromptListsVisibleMethods(t *testing.T) {
	d := discovery.New(registry(t))
	o := discovery.Options{Protocol: vcp.Protocol{}, Enabled: true, DefaultToolEnabled: true}
	text := d.Prompt(o)
	definitions, err := vcp.Protocol{}.ParseToolDefinitions(text)
	require.NoError(t, err)
	var got []string
	for _, def := range definitions {
		got = append(got, def.ToolName)
	}
	require.Equal(t, []string{"clock_now", "files_read", "files_write", "github/create_issue"}, got)

	off := o
	off.Enabled = false
	require.Empty(t, d.Prompt(off), "tool calling is disabled, so there is no prompt")
	none := o
	none.DefaultToolEnabled = false
	require.Empty(t, d.Prompt(none), "no method is visible, so there is no prompt")
	withoutProtocol := o
	withoutProtocol.Protocol = nil
	require.Empty(t, d.Prompt(withoutProtocol), "without a protocol there is no prompt")
}

func TestArgumentsThatTheProtocolCannotCarryAreNotOffered(t *testing.T) {
	reg := tool.NewRegistry()
	for id, parameters := range map[string]string{
		"optional": `{"type":"object","properties":{"$filter":{"type":"string"},"path":{"type":"string"}}}`,
		"required": `{"type":"object","properties":{"$filter":{"type":"string"}},"required":["$filter"]}`,
		"reserved": `{"type":"object","properties":{"tool_name":{"type":"string"},"request_id":{"type":"string"}},
			"required":["tool_name"]}`, // names of fields that the protocol uses itself
	} {
		m, err := tool.HostRun("m", "", []byte(parameters), tool.AgentCallable())
		require.NoError(t, err)
		require.NoError(t, reg.Register(tool.Tool{ID: id, Methods: []tool.Method{m}}))
	}
	o := discovery.Options{Enabled: true, Protocol: vcp.Protocol{}, DefaultToolEnabled: true}
	text := discovery.New(reg).Prompt(o)
	read, err := vcp.Protocol{}.ParseToolDefinitions(text)
	require.NoError(t, err)
	var offered []string
	for _, d := range read {
		for _, p := range d.Parameters {
			offered = append(offered, d.ToolName+" "+p.Name)
		}
	}
	require.Equal(t, []string{"optional_m path", "reserved_m tool_name", "reserved_m request_id"}, offered)
	require.NotContains(t, text, "required_m")
}
