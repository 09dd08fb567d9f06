package tool

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// ResourceKeys returns the keys of the resources that a call uses, each once and in the order
// declared. arguments are those of the call, as its schema accepts them.
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

// resourceProblem says why the method cannot use a resource. The result is "" if it can.
func (m *Method) resourceProblem(r Resource) string {
	if strings.TrimSpace(r.Name) == "" {
		return "the name of a resource must not be blank"
	}
	for _, name := range r.Arguments {
		if !m.declares(name) {
			return fmt.Sprintf("resource %q: the method has no argument %q", r.Name, name)
		}
	}
	return ""
}
