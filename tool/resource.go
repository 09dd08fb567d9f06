package tool

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// ResourceKeys returns a key for each resource that a call uses, in the order in which the method
// declares them, without repetitions. Calls with a common key must not run at the same time.
// arguments is the JSON object that the method's schema has accepted.
func (e *Entry) ResourceKeys(arguments json.RawMessage) []string {
	if len(e.Method.Resources) == 0 {
		return nil
	}
	var values map[string]json.RawMessage
	_ = json.Unmarshal(arguments, &values) // no error: arguments is a JSON object
	var keys []string
	for _, r := range e.Method.Resources {
		key := orderedjson.String(r.Name)
		for _, name := range r.Arguments {
			key = append(append(key, 0), values[name]...) // JSON contains no NUL byte, so keys are unambiguous
		}
		if !slices.Contains(keys, string(key)) {
			keys = append(keys, string(key))
		}
	}
	return keys
}

// resourceProblem returns why the method cannot declare a resource, or "" if it can.
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
