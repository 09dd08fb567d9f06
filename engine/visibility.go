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

// sessionVisibility hides methods from the model of one session, in addition to those that the
// engine hides in all sessions.
type sessionVisibility struct {
	toggles discovery.Toggles
	filter  func(*tool.Entry) bool
	key     string // names toggles and filter for the cache of prompts; "" if the filter has no key
}

func newSessionVisibility(o *Visibility, engineNumber int64) sessionVisibility {
	s := sessionVisibility{toggles: maps.Clone(o.ToolToggles), filter: o.Filter}
	if s.filter != nil && o.FilterKey == "" {
		return s
	}
	var key strings.Builder
	if s.filter != nil {
		fmt.Fprintf(&key, "session engine=%d %q", engineNumber, o.FilterKey)
	}
	for _, name := range slices.Sorted(maps.Keys(s.toggles)) {
		fmt.Fprintf(&key, " %q=%t", name, s.toggles[name])
	}
	s.key = key.String()
	return s
}

// hides reports whether the session hides the method.
func (s *sessionVisibility) hides(method *tool.Entry) bool {
	on, _, named := s.toggles.Find(method)
	return named && !on || s.filter != nil && !s.filter(method)
}
