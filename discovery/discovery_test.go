package discovery_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/discovery"
	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/protocol"
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
	everything := []string{"clock_now", "files_read", "files_write", "github/create_issue"}
	for _, tt := range []struct {
		name    string
		options discovery.Options
		want    []string
	}{
		{"all agent-callable methods, sorted by full name", discovery.Options{Enabled: true, DefaultToolEnabled: true}, everything},
		{"nothing if tool calling is disabled", discovery.Options{DefaultToolEnabled: true}, nil},
		{"nothing if tools are disabled by default and none is enabled", discovery.Options{Enabled: true}, nil},
		{"a tool can be disabled", discovery.Options{
			Enabled: true, DefaultToolEnabled: true, ToolToggles: map[string]bool{"files": false},
		}, []string{"clock_now", "github/create_issue"}},
		{"a tool can be enabled", discovery.Options{
			Enabled: true, ToolToggles: map[string]bool{"files": true},
		}, []string{"files_read", "files_write"}},
		{"a method can be disabled", discovery.Options{
			Enabled: true, DefaultToolEnabled: true, ToolToggles: map[string]bool{"files_write": false, "github/create_issue": false},
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
		byDefault bool
		want      bool
	}{
		{"is hidden by default", nil, true, false},
		{"is hidden if the toggles name only other tools", discovery.Toggles{"files": true}, true, false},
		{"is visible if the toggle of its tool is true", discovery.Toggles{"shell": true}, false, true},
		{"is visible if its own toggle is true", discovery.Toggles{"shell_run": true, "shell": false}, false, true},
		{"is hidden if the toggle of its tool is false", discovery.Toggles{"shell": false}, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := discovery.Options{Enabled: true, DefaultToolEnabled: tt.byDefault, ToolToggles: tt.toggles}
			require.Equal(t, tt.want, o.Visible(e))
			require.Equal(t, tt.want, o.WhyHidden(e) == "")
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
	require.Empty(t, d.Prompt(off), "disabled")
	none := o
	none.DefaultToolEnabled = false
	require.Empty(t, d.Prompt(none), "no method is visible, so there is no prompt")
	withoutProtocol := o
	withoutProtocol.Protocol = nil
	require.Empty(t, d.Prompt(withoutProtocol), "without a protocol there is no prompt")
}

// counting is vcp.Protocol, but counts how often it writes definitions.
type counting struct {
	vcp.Protocol
	written *atomic.Int32
}

func (p counting) GenerateToolDefinitions(d []protocol.ToolDefinition, o protocol.PromptOptions) string {
	p.written.Add(1)
	return p.Protocol.GenerateToolDefinitions(d, o)
}

// renamed is counting with another ID.
type renamed struct{ counting }

func (renamed) ID() string { return "other" }

func TestPromptsAreCached(t *testing.T) {
	base := func(p protocol.Protocol) discovery.Options {
		return discovery.Options{
			Protocol: p, Agent: "a", Enabled: true, DefaultToolEnabled: true, ToolToggles: map[string]bool{"files_write": false, "hub": true},
		}
	}
	for _, tt := range []struct {
		name   string
		change func(o *discovery.Options, d *discovery.Discovery, reg *tool.Registry)
		writes int32 // how often the protocol writes definitions for two prompts
	}{
		{"the same options use the cache", func(*discovery.Options, *discovery.Discovery, *tool.Registry) {}, 1},
		{"the same toggles in another map are the same options", func(o *discovery.Options, _ *discovery.Discovery, _ *tool.Registry) {
			o.ToolToggles = map[string]bool{"hub": true, "files_write": false}
		}, 1},
		{"another agent has its own text", func(o *discovery.Options, _ *discovery.Discovery, _ *tool.Registry) { o.Agent = "b" }, 2},
		{"another toggle has its own text", func(o *discovery.Options, _ *discovery.Discovery, _ *tool.Registry) {
			o.ToolToggles = map[string]bool{"files_write": true, "hub": true}
		}, 2},
		{"another default has its own text", func(o *discovery.Options, _ *discovery.Discovery, _ *tool.Registry) {
			o.DefaultToolEnabled = false
		}, 2},
		{"another language has its own text", func(o *discovery.Options, _ *discovery.Discovery, _ *tool.Registry) { o.Prompt.Language = "zh" }, 2},
		{"another protocol has its own text", func(o *discovery.Options, _ *discovery.Discovery, _ *tool.Registry) {
			o.Protocol = renamed{o.Protocol.(counting)}
		}, 2},
		{"a filter with a key is cached under it", func(o *discovery.Options, d *discovery.Discovery, _ *tool.Registry) {
			o.Filter, o.FilterKey = func(*tool.Entry) bool { return true }, "everything"
			d.Prompt(*o)
		}, 2},
		{"a filter without a key is never cached", func(o *discovery.Options, d *discovery.Discovery, _ *tool.Registry) {
			o.Filter = func(*tool.Entry) bool { return true }
			d.Prompt(*o)
		}, 3},
		{"Invalidate empties the cache", func(_ *discovery.Options, d *discovery.Discovery, _ *tool.Registry) { d.Invalidate() }, 2},
		{"a changed registry empties the cache", func(_ *discovery.Options, _ *discovery.Discovery, reg *tool.Registry) {
			reg.Unregister("clock")
		}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			reg, written := registry(t), new(atomic.Int32)
			d := discovery.New(reg)
			o := base(counting{written: written})
			d.Prompt(o)
			tt.change(&o, d, reg)
			got := d.Prompt(o)
			require.Equal(t, tt.writes, written.Load())
			require.Equal(t, discovery.New(reg).Prompt(o), got, "a cached text is the same as a new one")
		})
	}
}

// TestPromptIsNeverStale checks that Prompt describes the current registry after any sequence of
// changes and calls.
func TestPromptIsNeverStale(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		reg := tool.NewRegistry()
		d := discovery.New(reg)
		ids := rapid.SampledFrom([]string{"a", "b", "c"})
		options := rapid.Custom(func(rt *rapid.T) discovery.Options {
			return discovery.Options{
				Protocol: vcp.Protocol{}, Agent: rapid.SampledFrom([]string{"", "x"}).Draw(rt, "agent"), Enabled: true,
				DefaultToolEnabled: rapid.Bool().Draw(rt, "default"), ToolToggles: rapid.MapOfN(ids, rapid.Bool(), 0, 2).Draw(rt, "toggles"),
			}
		})
		rt.Repeat(map[string]func(*rapid.T){
			"register":   func(rt *rapid.T) { _ = reg.Register(newTool(t, ids.Draw(rt, "id"), "m!")) },
			"unregister": func(rt *rapid.T) { reg.Unregister(ids.Draw(rt, "id")) },
			"prompt": func(rt *rapid.T) {
				o := options.Draw(rt, "options")
				if got, want := d.Prompt(o), discovery.New(reg).Prompt(o); got != want {
					rt.Fatalf("got %q, want %q", got, want)
				}
			},
		})
	})
}

func TestPromptIsNeverStaleUnderConcurrency(t *testing.T) {
	reg := registry(t)
	d := discovery.New(reg)
	o := discovery.Options{Protocol: vcp.Protocol{}, Enabled: true, DefaultToolEnabled: true}
	extra := make([]tool.Tool, 20)
	for i := range extra {
		extra[i] = newTool(t, fmt.Sprintf("extra%d", i), "m!")
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					d.Prompt(o)
				}
			}
		})
	}
	for _, x := range extra {
		if err := reg.Register(x); err != nil {
			t.Error(err)
		}
		if text := d.Prompt(o); !strings.Contains(text, x.ID+"_m") {
			t.Errorf("%s is registered and missing from the prompt", x.ID)
		}
		if x.ID == "extra9" {
			d.Invalidate()
		}
	}
	close(stop)
	wg.Wait()
}

func TestArgumentsThatTheProtocolCannotCarryAreNotOffered(t *testing.T) {
	reg := tool.NewRegistry()
	for id, parameters := range map[string]string{
		"optional": `{"type":"object","properties":{"$filter":{"type":"string"},"path":{"type":"string"}}}`,
		"required": `{"type":"object","properties":{"$filter":{"type":"string"}},"required":["$filter"]}`,
		"own":      `{"type":"object","properties":{"tool_name":{"type":"string"},"request_id":{"type":"string"}},"required":["tool_name"]}`,
	} {
		m, err := tool.HostRun("m", "", []byte(parameters), tool.AgentCallable())
		require.NoError(t, err)
		require.NoError(t, reg.Register(tool.Tool{ID: id, Methods: []tool.Method{m}}))
	}
	text := discovery.New(reg).Prompt(discovery.Options{Enabled: true, Protocol: vcp.Protocol{}, DefaultToolEnabled: true})
	read, err := vcp.Protocol{}.ParseToolDefinitions(text)
	require.NoError(t, err)
	var offered []string
	for _, d := range read {
		for _, p := range d.Parameters {
			offered = append(offered, d.ToolName+" "+p.Name)
		}
	}
	require.Equal(t, []string{"optional_m path", "own_m tool_name", "own_m request_id"}, offered)
	require.NotContains(t, text, "required_m")
}
