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

// sessionFilter is a Visibility and its cache key.
type sessionFilter struct {
	toggles discovery.Toggles
	filter  func(*tool.Entry) bool
	key     string // names toggles and filter for the cache of prompts; "" if the filter has no key
}

func newSessionFilter(o *Visibility, engineNumber int64) sessionFilter {
	f := sessionFilter{toggles: maps.Clone(o.ToolToggles), filter: o.Filter}
	if f.filter != nil && o.FilterKey == "" {
		return f
	}
	var key strings.Builder
	if f.filter != nil {
		fmt.Fprintf(&key, "session engine=%d %q", engineNumber, o.FilterKey)
	}
	for _, name := range slices.Sorted(maps.Keys(f.toggles)) {
		fmt.Fprintf(&key, " %q=%t", name, f.toggles[name])
	}
	f.key = key.String()
	return f
}

// hides reports whether the session hides the method.
func (f *sessionFilter) hides(method *tool.Entry) bool {
	on, _, named := f.toggles.Find(method)
	return named && !on || f.filter != nil && !f.filter(method)
}
