package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/discovery"
	"github.com/vcpgo/vcp/tool"
)

// Visibility says what a session hides from its model, in addition to what the configuration and
// Options.Filter hide. It never shows a method that those hide. The zero value hides nothing.
type Visibility struct {
	// ToolToggles hide the tools and methods that are false. The keys are as in Config.
	ToolToggles map[string]bool
	// Filter hides the methods for which it returns false; nil hides none. Several goroutines may
	// call it.
	Filter func(*tool.Entry) bool
	// FilterKey names what Filter does, for the cache of prompts: in all sessions of an engine,
	// filters with the same key must hide the same methods. Without a key, prompts are not cached.
	FilterKey string
}

// narrowing is what a session hides in addition to its engine.
type narrowing struct {
	toggles discovery.Toggles
	filter  func(*tool.Entry) bool
	key     string // names all of it for the cache of prompts; "" if the filter has no key
}

func newNarrowing(o *Visibility, engine int64) narrowing {
	n := narrowing{toggles: maps.Clone(o.ToolToggles), filter: o.Filter}
	if n.filter != nil && o.FilterKey == "" {
		return n
	}
	var key strings.Builder
	if n.filter != nil {
		fmt.Fprintf(&key, "session engine=%d %q", engine, o.FilterKey)
	}
	for _, name := range slices.Sorted(maps.Keys(n.toggles)) {
		fmt.Fprintf(&key, " %q=%t", name, n.toggles[name])
	}
	n.key = key.String()
	return n
}

// hides reports whether the session hides the method.
func (n *narrowing) hides(method *tool.Entry) bool {
	on, _, named := n.toggles.Find(method)
	return named && !on || n.filter != nil && !n.filter(method)
}

// shows returns what the model of the session is shown.
func (s *Session) shows(set *settings) discovery.Options {
	o, n := set.discovery, &s.narrow
	if n.toggles == nil && n.filter == nil {
		return o
	}
	visible := o.Filter
	o.Filter = func(method *tool.Entry) bool { return visible(method) && !s.hides(set, method) }
	if n.key == "" {
		o.FilterKey = ""
	} else if o.FilterKey != "" {
		o.FilterKey += " " + n.key
	}
	return o
}

// Visible reports whether the model may currently see and call the method.
func (s *Session) Visible(method *tool.Entry) bool {
	set := s.engine.settings.Load()
	return set.discovery.Visible(method) && !s.hides(set, method)
}

// hides reports whether the session hides a method that its engine shows. It hides the engine's own
// tool if it is of no use.
func (s *Session) hides(set *settings, method *tool.Entry) bool {
	n := &s.narrow
	if n.toggles == nil && n.filter == nil {
		return false
	}
	useful := func(other *tool.Entry) bool {
		return !isResultsTool(other) && set.discovery.Visible(other) && !n.hides(other)
	}
	return n.hides(method) || isResultsTool(method) && !slices.ContainsFunc(s.engine.options.Registry.Entries(), useful)
}

// WhyHidden names what hides a method from the model, in the words of a configuration; "" if the
// model may see it.
func (s *Session) WhyHidden(method *tool.Entry) string {
	if why := s.engine.settings.Load().discovery.WhyHidden(method); why != "" {
		return why
	}
	if on, key, named := s.narrow.toggles.Find(method); named && !on {
		return "the session's toolToggles: " + key + " is false"
	}
	if s.narrow.filter != nil && !s.narrow.filter(method) {
		return "the session's filter"
	}
	return ""
}

// methodTakesArgument reports whether a visible method of that full name declares the argument.
func (s *Session) methodTakesArgument(toolName, argument string) bool {
	method, ok := s.engine.options.Registry.Lookup(toolName)
	if !ok || !s.Visible(method) {
		return false
	}
	for _, p := range method.Method.Parameters.Properties() {
		if p.Name == argument {
			return true
		}
	}
	return false
}
