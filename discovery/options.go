package discovery

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// Options say which methods an agent sees and how they are described. They are read only; a change is a new value.
type Options struct {
	// Protocol writes the definitions.
	Protocol protocol.Protocol
	// Agent names the agent in the cache key.
	Agent string
	// Enabled switches tool calling as a whole: without it nothing is visible.
	Enabled bool
	// ToolToggles switches single tools and methods. A key is a tool's id or a method's full name; the full name wins.
	ToolToggles map[string]bool
	// DefaultToolEnabled holds for what ToolToggles does not name.
	DefaultToolEnabled bool
	// Filter, if set, hides what it returns false for. It can hide only: a method that is not agent-callable stays hidden. It is
	// called from several goroutines.
	Filter func(*tool.Entry) bool
	// FilterKey names what Filter does: two filters with one key let the same methods through. A prompt made with a Filter
	// without a key is not cached.
	FilterKey string
	// Prompt shapes the text of the definitions.
	Prompt protocol.PromptOptions
}

// Visible reports whether the agent may see and call the method: it is agent-callable, enabled and let through by the Filter.
func (o Options) Visible(e *tool.Entry) bool {
	return o.Enabled && e.Method.AgentCallable && o.toggled(e) && (o.Filter == nil || o.Filter(e))
}

// toggled reports whether the configuration switches the method on.
func (o Options) toggled(e *tool.Entry) bool {
	if on, named := o.ToolToggles[e.FullName]; named {
		return on
	}
	if on, named := o.ToolToggles[e.Tool.ID]; named {
		return on
	}
	return o.DefaultToolEnabled
}

// cacheKey identifies a prompt for one state of the registry.
type cacheKey struct {
	protocol, agent         string
	enabled, defaultEnabled bool
	filter                  string
	prompt                  protocol.PromptOptions
	toggles                 [sha256.Size]byte // zero for none
}

func (o *Options) cacheKey() cacheKey {
	k := cacheKey{
		protocol: o.Protocol.ID(), agent: o.Agent, enabled: o.Enabled, defaultEnabled: o.DefaultToolEnabled, filter: o.FilterKey, prompt: o.Prompt,
	}
	if len(o.ToolToggles) > 0 {
		h := sha256.New()
		for _, name := range slices.Sorted(maps.Keys(o.ToolToggles)) {
			fmt.Fprintf(h, "%q %t\n", name, o.ToolToggles[name])
		}
		h.Sum(k.toggles[:0])
	}
	return k
}
