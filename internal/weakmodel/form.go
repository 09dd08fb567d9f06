package weakmodel

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

// form is the form of a request without a slip: its first and last line, and a text that shows how
// the protocol writes a field.
type form struct{ start, end, field string }

// formOf returns the form of clean, a request without a slip.
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

// firstRequest returns the first request in a text, or "" if the text has no request.
func (f form) firstRequest(text string) string {
	_, rest, begun := strings.Cut(text, f.start+"\n")
	body, _, closed := strings.Cut(rest, "\n"+f.end)
	if !begun || !closed {
		return ""
	}
	return f.start + "\n" + body + "\n" + f.end
}

// formatted returns a request as the protocol writes it, or the text of the protocol's error.
func formatted(p protocol.Protocol, name string, arguments map[string]any) string {
	text, err := p.FormatToolRequests([]protocol.ToolRequest{request(name, arguments)})
	if err != nil {
		return err.Error()
	}
	return text
}

// request returns a request with the arguments in the order of their names.
func request(name string, arguments map[string]any) protocol.ToolRequest {
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
	return r
}
