package weakmodel

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/eval"
	"github.com/vcpgo/vcp/protocol"
)

// mean records that a call is meant.
func (m *Model) mean(name string, arguments map[string]any) {
	var e eval.Expectation
	data, err := json.Marshal(map[string]any{"name": name, "arguments": arguments})
	if err == nil && e.UnmarshalJSON(data) == nil {
		m.meant = append(m.meant, e)
	}
}

// arguments returns the arguments of a step, with what was found in results.
func (m *Model) arguments(s *eval.Step) map[string]any {
	arguments := maps.Clone(s.Arguments)
	for name, value := range arguments {
		if text, ok := value.(string); ok {
			arguments[name] = m.filled(text)
		}
	}
	return arguments
}

// filled returns a text with what was found in place of {1}, {2}, …
func (m *Model) filled(text string) string {
	for i, found := range m.found {
		text = strings.ReplaceAll(text, "{"+strconv.Itoa(i+1)+"}", found)
	}
	return text
}

// clean returns a request as the protocol writes it.
func (m *Model) clean(name string, arguments map[string]any) string {
	return formatted(m.protocol, name, arguments)
}

// formatted writes a request; the names and values of suites can always be written.
func formatted(p protocol.Protocol, name string, arguments map[string]any) string {
	r := protocol.ToolRequest{ToolName: name}
	for _, key := range slices.Sorted(maps.Keys(arguments)) {
		a := protocol.Argument{Name: key}
		if text, ok := arguments[key].(string); ok {
			a.Value = text
		} else {
			value, _ := json.Marshal(arguments[key])
			a.Value, a.Form = string(value), protocol.FormJSON
		}
		r.Arguments = append(r.Arguments, a)
	}
	text, err := p.FormatToolRequests([]protocol.ToolRequest{r})
	if err != nil {
		return err.Error()
	}
	return text
}
