package weakmodel

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

// form is how a clean request looks.
type form struct{ start, end, field string }

// formOf takes the form from a clean request: its first and its last line, and what introduces a
// value.
func formOf(clean string) form {
	lines := strings.Split(clean, "\n")
	f := form{start: lines[0], end: lines[len(lines)-1]}
	for _, field := range []string{":「始」", `"arguments"`, "<parameter="} {
		if strings.Contains(clean, field) {
			f.field = field
		}
	}
	return f
}

// shownIn reports whether a text shows the form.
func (f form) shownIn(text string) bool {
	return strings.Contains(text, f.start) && strings.Contains(text, f.field)
}

// firstRequest returns the first request that a text shows; "" if there is none.
func (f form) firstRequest(text string) string {
	_, after, ok := strings.Cut(text, f.start+"\n")
	body, _, closed := strings.Cut(after, "\n"+f.end)
	if !ok || !closed {
		return ""
	}
	return f.start + "\n" + body + "\n" + f.end
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
