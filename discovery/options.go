package discovery

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// Options say which methods an agent sees and how they are described. Do not change Options that
// are in use; create new ones.
type Options struct {
	// Protocol writes the definitions. Without a protocol, there is no prompt.
	Protocol protocol.Protocol
	// Enabled enables tool calling. If false, no method is visible.
	Enabled bool
	// ToolToggles enable or disable single tools and methods.
	ToolToggles Toggles
	// DefaultToolEnabled enables or disables methods that ToolToggles does not name. Methods with
	// OptIn stay disabled.
	DefaultToolEnabled bool
	// Filter hides the methods for which it returns false; nil hides none. A method that is not
	// agent-callable or not enabled stays hidden. Several goroutines may call Filter.
	Filter func(*tool.Entry) bool
	// FilterKey identifies the Filter: filters with the same key hide the same methods. A prompt is
	// not cached if Filter has no key.
	FilterKey string
	// Prompt says how the protocol writes the definitions.
	Prompt protocol.PromptOptions
}

// Visible reports whether the agent may see and call the method: it is agent-callable, enabled and
// not hidden by the Filter.
func (o Options) Visible(e *tool.Entry) bool {
	return o.Enabled && e.Method.AgentCallable && o.enabled(e) && (o.Filter == nil || o.Filter(e))
}

// enabled reports whether the configuration enables the method.
func (o Options) enabled(e *tool.Entry) bool {
	if on, _, named := o.ToolToggles.Find(e); named {
		return on
	}
	return o.DefaultToolEnabled && !e.Method.OptIn
}

// WhyHidden says what hides a method from the agent, such as a setting and its value. It is "" if
// the method is visible.
func (o Options) WhyHidden(e *tool.Entry) string {
	on, key, named := o.ToolToggles.Find(e)
	switch {
	case !e.Method.AgentCallable:
		return "the method is not agent-callable"
	case !o.Enabled:
		return "enabled: false"
	case named && !on:
		return "toolToggles: " + key + " is false"
	case !named && !o.DefaultToolEnabled:
		return "defaultToolEnabled: false"
	case !named && e.Method.OptIn:
		return "the default, until toolToggles has " + e.FullName + ": true"
	case o.Filter != nil && !o.Filter(e):
		return "the application's filter"
	}
	return ""
}

// Toggles enable or disable single tools and methods. A key is the ID of a tool or the full name of
// a method; the full name takes precedence.
type Toggles map[string]bool

// Find returns the toggle for a method and its key. named is false if no toggle names the method or
// its tool.
func (t Toggles) Find(e *tool.Entry) (on bool, key string, named bool) {
	for _, key := range []string{e.FullName, e.Tool.ID} {
		if on, named := t[key]; named {
			return on, key, true
		}
	}
	return false, "", false
}

// cacheKey identifies a prompt of one version of the registry.
type cacheKey struct {
	protocol                any // the Protocol, or its ID if the Protocol is not comparable
	enabled, defaultEnabled bool
	filter                  string
	prompt                  protocol.PromptOptions
	toggles                 [sha256.Size]byte // a digest of the toggles; zero if there are none
}

func (o *Options) cacheKey() cacheKey {
	k := cacheKey{
		protocol: o.Protocol, enabled: o.Enabled, defaultEnabled: o.DefaultToolEnabled,
		filter: o.FilterKey, prompt: o.Prompt,
	}
	if !isComparable(o.Protocol) {
		k.protocol = o.Protocol.ID()
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

// alwaysComparable contains, for each type of a Protocol, the result of isAlwaysComparable.
var alwaysComparable sync.Map

// isComparable reports whether p is comparable. Unlike reflect.Value.Comparable, it allocates
// nothing for most types.
func isComparable(p protocol.Protocol) bool {
	t := reflect.TypeOf(p)
	always, known := alwaysComparable.Load(t)
	if !known {
		always, _ = alwaysComparable.LoadOrStore(t, isAlwaysComparable(t))
	}
	return always.(bool) || reflect.ValueOf(p).Comparable()
}

// isAlwaysComparable reports whether all values of a type are comparable. It is false for a type
// that contains an interface, because the value in the interface may not be comparable.
func isAlwaysComparable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface:
		return false
	case reflect.Array:
		return isAlwaysComparable(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !isAlwaysComparable(t.Field(i).Type) {
				return false
			}
		}
	}
	return t.Comparable()
}
