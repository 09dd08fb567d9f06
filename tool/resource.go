package tool

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// Resource is something that two calls must not use at the same time, such as a device, a file or an account. Calls that share one
// run one after the other, in the order in which they were asked for, whichever methods they are of.
type Resource struct {
	// Name is the resource's, the same for all methods of a process that use it.
	Name string
	// Arguments name the arguments that tell one such resource from another: with Name "file" and Arguments "path", calls share a
	// resource only where their path is the same. Values are compared as they are: "a" and "./a" are two.
	Arguments []string
}

// ResourceKeys returns what tells the resources of one call from those of others, each once and in the order declared. arguments
// are those of the call, as its schema accepts them.
func (e *Entry) ResourceKeys(arguments json.RawMessage) []string {
	if len(e.Method.Resources) == 0 {
		return nil
	}
	var values map[string]json.RawMessage
	_ = json.Unmarshal(arguments, &values) // a schema has accepted them
	var keys []string
	for _, r := range e.Method.Resources {
		key := orderedjson.String(r.Name)
		for _, name := range r.Arguments {
			key = append(append(key, 0), values[name]...)
		}
		if !slices.Contains(keys, string(key)) {
			keys = append(keys, string(key))
		}
	}
	return keys
}

// badResource says why a method cannot use r; "" where it can.
func (m *Method) badResource(r Resource) string {
	if strings.TrimSpace(r.Name) == "" {
		return "has a resource without a name"
	}
	for _, name := range r.Arguments {
		if !m.declares(name) {
			return "has the resource " + string(orderedjson.String(r.Name)) + " named by the argument " + string(orderedjson.String(name)) + ", which it does not take"
		}
	}
	return ""
}
