package weakmodel

import (
	"encoding/json"
	"maps"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/eval"
)

// recordMeant records a call that the model means to make. See Meant.
func (m *Model) recordMeant(name string, arguments map[string]any) {
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

// filled returns a text in which the values that Model has found replace {1}, {2} and so on.
func (m *Model) filled(text string) string {
	for i, found := range m.found {
		text = strings.ReplaceAll(text, "{"+strconv.Itoa(i+1)+"}", found)
	}
	return text
}
