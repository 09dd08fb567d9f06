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

// uncached returns the prompt without the cache: a prompt for a filter without a key is not cached.
func uncached(reg *tool.Registry, o discovery.Options) string {
	filter := o.Filter
	o.Filter, o.FilterKey = func(e *tool.Entry) bool { return filter == nil || filter(e) }, ""
	return discovery.New(reg).Prompt(o)
}

func TestPromptsAreCached(t *testing.T) {
	type options = discovery.Options
	for _, tt := range []struct {
		name   string
		change func(o *options, d *discovery.Discovery, reg *tool.Registry)
		writes int32 // how often definitions are written: for the first prompt, in change, and for the prompt after change
	}{
		{"the same options use the cache", func(*options, *discovery.Discovery, *tool.Registry) {}, 1},
		{"equal toggles in another map use the cache", func(o *options, _ *discovery.Discovery, _ *tool.Registry) {
			o.ToolToggles = map[string]bool{"hub": true, "files_write": false}
		}, 1},
		{"another toggle has its own text", func(o *options, _ *discovery.Discovery, _ *tool.Registry) {
			o.ToolToggles = map[string]bool{"files_write": true, "hub": true}
		}, 2},
		{"another default has its own text", func(o *options, _ *discovery.Discovery, _ *tool.Registry) {
			o.DefaultToolEnabled = false
		}, 2},
		{"another language has its own text", func(o *options, _ *discovery.Discovery, _ *tool.Registry) {
			o.Prompt.Language = "zh"
		}, 2},
		{"another protocol has its own text", func(o *options, _ *discovery.Discovery, _ *tool.Registry) {
			o.Protocol = renamed{o.Protocol.(counting)}
		}, 2},
		{"a prompt with a filter is cached under the key of the filter", func(o *options, d *discovery.Discovery, _ *tool.Registry) {
			o.Filter, o.FilterKey = func(*tool.Entry) bool { return true }, "everything"
			d.Prompt(*o)
		}, 2},
		{"a prompt for a filter without a key is not cached", func(o *options, d *discovery.Discovery, _ *tool.Registry) {
			o.Filter = func(*tool.Entry) bool { return true }
			d.Prompt(*o)
		}, 3},
		{
			"Invalidate empties the cache",
			func(_ *options, d *discovery.Discovery, _ *tool.Registry) { d.Invalidate() }, 2,
		},
		{"a changed registry empties the cache", func(_ *options, _ *discovery.Discovery, reg *tool.Registry) {
			reg.Unregister("clock")
		}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			reg, written := registry(t), new(atomic.Int32)
			d := discovery.New(reg)
			o := options{
				Protocol: counting{written: written}, Enabled: true, DefaultToolEnabled: true,
				ToolToggles: map[string]bool{"files_write": false, "hub": true},
			}
			d.Prompt(o)
			tt.change(&o, d, reg)
			got := d.Prompt(o)
			require.Equal(t, tt.writes, written.Load())
			require.Equal(t, uncached(reg, o), got, "a cached text is the same as a new one")
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
				Protocol: vcp.Protocol{}, Enabled: true,
				DefaultToolEnabled: rapid.Bool().Draw(rt, "default"),
				ToolToggles:        rapid.MapOfN(ids, rapid.Bool(), 0, 2).Draw(rt, "toggles"),
			}
		})
		rt.Repeat(map[string]func(*rapid.T){
			"register":   func(rt *rapid.T) { _ = reg.Register(newTool(t, ids.Draw(rt, "id"), "m!")) },
			"unregister": func(rt *rapid.T) { reg.Unregister(ids.Draw(rt, "id")) },
			"prompt": func(rt *rapid.T) {
				o := options.Draw(rt, "options")
				if got, want := d.Prompt(o), uncached(reg, o); got != want {
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
	for i, x := range extra {
		if err := reg.Register(x); err != nil {
			t.Error(err)
		}
		if text := d.Prompt(o); !strings.Contains(text, x.ID+"_m") {
			t.Errorf("%s is registered, but missing from the prompt", x.ID)
		}
		if i == len(extra)/2 {
			d.Invalidate() // while the other goroutines use the cache
		}
	}
	close(stop)
	wg.Wait()
}
