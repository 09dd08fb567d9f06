// Package discovery says which methods an agent sees, and writes the part of its prompt that tells it of them.
package discovery

import (
	"sync"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// Discovery looks into one registry. It is safe for concurrent use.
type Discovery struct {
	registry *tool.Registry

	mu      sync.Mutex
	prompts map[cacheKey]string
	version uint64 // of the registry, for which prompts holds
	epoch   uint64 // grows with every Invalidate
}

// maxPrompts bounds the cache: an application may have many agents, and a definitions text is long.
const maxPrompts = 256

// New returns a Discovery over reg.
func New(reg *tool.Registry) *Discovery {
	return &Discovery{registry: reg, prompts: map[cacheKey]string{}}
}

// Methods returns what the agent may see and call, sorted by full name.
func (d *Discovery) Methods(o Options) []*tool.Entry {
	var visible []*tool.Entry
	for _, e := range d.registry.Entries() {
		if o.Visible(e) {
			visible = append(visible, e)
		}
	}
	return visible
}

// ToolMethods are the visible methods of one tool.
type ToolMethods struct {
	Tool    *tool.Tool
	Methods []*tool.Entry // sorted by full name, never empty
}

// ByTool returns what Methods returns, grouped by tool, in the order of each tool's first method.
func (d *Discovery) ByTool(o Options) []ToolMethods {
	var groups []ToolMethods
	index := map[string]int{}
	for _, e := range d.Methods(o) {
		i, seen := index[e.Tool.ID]
		if !seen {
			i = len(groups)
			index[e.Tool.ID] = i
			groups = append(groups, ToolMethods{Tool: e.Tool})
		}
		groups[i].Methods = append(groups[i].Methods, e)
	}
	return groups
}

// Prompt returns the definitions of the visible methods as the protocol writes them; "" where tool calling is disabled, nothing is
// visible or there is no protocol. It is cached by protocol, agent and configuration, and always true to the registry as it is when
// Prompt is called.
func (d *Discovery) Prompt(o Options) string {
	if !o.Enabled || o.Protocol == nil {
		return ""
	}
	if o.Filter != nil && o.FilterKey == "" {
		return d.generate(o)
	}
	key := o.cacheKey()
	// The version is read before the entries: a change between the two makes the cached text look older than it is, never newer.
	version := d.registry.Version()
	text, cached, epoch := d.cached(key, version)
	if cached {
		return text
	}
	text = d.generate(o)
	d.store(key, version, epoch, text)
	return text
}

// Invalidate drops all cached prompts. It is needed only where a Filter has changed its mind under the same key.
func (d *Discovery) Invalidate() {
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.prompts)
	d.epoch++
}

func (d *Discovery) generate(o Options) string {
	methods := d.Methods(o)
	if len(methods) == 0 {
		return ""
	}
	definitions := make([]protocol.ToolDefinition, len(methods))
	for i, e := range methods {
		definitions[i] = e.Definition()
	}
	return o.Protocol.GenerateToolDefinitions(definitions, o.Prompt)
}

// cached returns the text for key, unless the registry has changed since it was made. epoch is to be given back to store.
func (d *Discovery) cached(key cacheKey, version uint64) (text string, ok bool, epoch uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if version > d.version {
		clear(d.prompts)
		d.version = version
	}
	if version < d.version { // another caller has seen a newer registry meanwhile
		return "", false, d.epoch
	}
	text, ok = d.prompts[key]
	return text, ok, d.epoch
}

// store keeps text, unless the registry or the cache has moved on while it was made.
func (d *Discovery) store(key cacheKey, version, epoch uint64, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if version != d.version || epoch != d.epoch {
		return
	}
	if len(d.prompts) >= maxPrompts {
		clear(d.prompts)
	}
	d.prompts[key] = text
}
