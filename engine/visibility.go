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
// Options.Filter hide. It never shows a method that they hide. The zero value hides nothing.
type Visibility struct {
	// ToolToggles hides the tools and methods whose value is false. The keys are as in
	// Config.ToolToggles.
	ToolToggles map[string]bool
	// Filter hides the methods for which it returns false; nil hides none. Several goroutines may
	// call it.
	Filter func(*tool.Entry) bool
	// FilterKey names what Filter does, for the cache of prompts: in all sessions of an engine,
	// filters with the same key must hide the same methods. Without a key, prompts are not cached.
	FilterKey string
}

// key names what v hides, for the cache of prompts. It is "" if the filter has no key, or if v has
// neither a filter nor toggles.
func (v *Visibility) key(engineNumber int64) string {
	if v.Filter != nil && v.FilterKey == "" {
		return ""
	}
	var key strings.Builder
	if v.Filter != nil {
		fmt.Fprintf(&key, "session engine=%d %q", engineNumber, v.FilterKey)
	}
	for _, name := range slices.Sorted(maps.Keys(v.ToolToggles)) {
		fmt.Fprintf(&key, " %q=%t", name, v.ToolToggles[name])
	}
	return key.String()
}

// hides reports whether v hides the method.
func (v *Visibility) hides(method *tool.Entry) bool {
	on, _, named := discovery.Toggles(v.ToolToggles).Find(method)
	return named && !on || v.Filter != nil && !v.Filter(method)
}
