// Package discovery decides which methods an agent sees, writes the part of the agent's prompt that
// describes them, and searches them.
package discovery

import (
	"slices"
	"sync"

	"github.com/vcpgo/vcp/internal/attach"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// Discovery finds and describes the methods of one registry. Use New to create one. It is safe for
// concurrent use.
type Discovery struct {
	registry *tool.Registry
	*cache
}

// cache contains the prompts of one registry. It lives as long as the registry (attach.Map). It
// must not refer to the registry, or neither would ever be freed. The zero value is ready to use.
type cache struct {
	mu      sync.Mutex
	prompts map[cacheKey]listing
	version promptVersion // the version that the prompts have
	epoch   uint64        // grows with every Invalidate
}

// promptVersion changes with the registry and with every Invalidate.
type promptVersion struct{ registry, epoch uint64 }

// listing is a prompt and the number of methods in it.
type listing struct {
	prompt  string
	methods int
}

// maxPrompts limits the cache. An application may have many agents, and definitions are long.
const maxPrompts = 256

// cacheOf contains the cache of each registry that is in use.
var cacheOf attach.Map[tool.Registry, cache]

// New returns a Discovery of the methods in reg. All Discoveries of one registry share a cache of
// prompts.
func New(reg *tool.Registry) *Discovery { return &Discovery{registry: reg, cache: cacheOf.Of(reg)} }

// Methods returns the methods that the agent may see and call, sorted by full name.
func (d *Discovery) Methods(o Options) []*tool.Entry {
	return slices.DeleteFunc(d.registry.Entries(), func(e *tool.Entry) bool { return !o.Visible(e) })
}

// Prompt returns the definitions of the visible methods as the protocol writes them. It omits
// arguments whose names cannot be written in requests of the protocol, and methods that require
// such an argument. Prompt returns "" if tool calling is disabled, if no method is visible, or if
// there is no protocol. The text is cached for later calls with equal Options, unless they have a
// Filter without a key. It never describes an older state of the registry.
func (d *Discovery) Prompt(o Options) string {
	prompt, _ := d.List(o)
	return prompt
}

// List returns the same text as Prompt, and the number of methods in it.
func (d *Discovery) List(o Options) (prompt string, methods int) {
	if !o.Enabled || o.Protocol == nil {
		return "", 0
	}
	if o.Filter != nil && o.FilterKey == "" {
		l := d.generate(o)
		return l.prompt, l.methods
	}
	key := o.cacheKey()
	// The version is read before the entries. If the registry changes in between, the cached text
	// has an old version and is not used again.
	version := d.currentVersion()
	l, ok := d.cached(key, version)
	if !ok {
		l = d.generate(o)
		d.store(key, version, l)
	}
	return l.prompt, l.methods
}

// Invalidate drops all cached prompts. It is needed only if a Filter hides other methods than
// before but has the same FilterKey.
func (d *Discovery) Invalidate() {
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.prompts)
	d.epoch++
}

// generate writes the prompt without the cache.
func (d *Discovery) generate(o Options) listing {
	methods := d.Methods(o)
	if len(methods) == 0 {
		return listing{}
	}
	definitions := make([]protocol.ToolDefinition, 0, len(methods))
	for _, e := range methods {
		if definition, ok := withoutUncarried(e.Definition(o.Prompt.Language), o.Protocol); ok {
			definitions = append(definitions, definition)
		}
	}
	return listing{o.Protocol.GenerateToolDefinitions(definitions, o.Prompt), len(definitions)}
}

// withoutUncarried returns a definition without the parameters that requests of the protocol cannot
// carry, because of their names. ok is false if one of these parameters is required.
func withoutUncarried(d protocol.ToolDefinition, p protocol.Protocol) (_ protocol.ToolDefinition, ok bool) {
	carrier, limited := p.(protocol.ArgumentCarrier)
	if !limited {
		return d, true
	}
	uncarried := func(p protocol.Parameter) bool { return !carrier.CarriesArgument(p.Name) }
	if slices.ContainsFunc(d.Parameters, func(p protocol.Parameter) bool { return p.Required && uncarried(p) }) {
		return d, false
	}
	d.Parameters = slices.DeleteFunc(d.Parameters, uncarried) // no other code uses this slice
	return d, true
}

func (d *Discovery) currentVersion() promptVersion {
	registry := d.registry.Version()
	d.mu.Lock()
	defer d.mu.Unlock()
	return promptVersion{registry, d.epoch}
}

// cached returns the listing for key, if the cache has one of that version.
func (c *cache) cached(key cacheKey, version promptVersion) (l listing, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l, ok = c.prompts[key]
	return l, ok && version == c.version
}

// store adds a listing to the cache. A cache of another version, or a full one, is emptied first.
func (c *cache) store(key cacheKey, version promptVersion, l listing) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.prompts == nil || version != c.version || len(c.prompts) >= maxPrompts {
		c.prompts, c.version = map[cacheKey]listing{}, version
	}
	c.prompts[key] = l
}
