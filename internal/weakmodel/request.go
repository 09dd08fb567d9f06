package weakmodel

import (
	"encoding/json"
	"maps"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/eval"
)

// mean records that the model means to make a call.
func (m *Model) mean(name string, arguments map[string]any) {
	var e eval.Expectation
	data, err := json.Marshal(map[string]any{"name": name, "arguments": arguments})
	if err == nil && e.UnmarshalJSON(data) == nil {
		m.meant = append(m.meant, e)
	}
}

// arguments returns the arguments of a step, with values that were found in results.
func (m *Model) arguments(s *eval.Step) map[string]any {
	arguments := maps.Clone(s.Arguments)
	for name, value := range arguments {
		if text, ok := value.(string); ok {
			arguments[name] = m.filled(text)
		}
	}
	return arguments
}

// filled replaces {1}, {2}, … in a text by the values that were found.
func (m *Model) filled(text string) string {
	for i, found := range m.found {
		text = strings.ReplaceAll(text, "{"+strconv.Itoa(i+1)+"}", found)
	}
	return text
}

// clean returns a request without a slip.
func (m *Model) clean(name string, arguments map[string]any) string {
	return formatted(m.protocol, name, arguments)
}
