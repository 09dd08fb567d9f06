package engine

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// A request that did not run is shown to the model in the right form, with the model's own values.
// It is read loosely for that: what is read here is only shown and never runs.

// maxMeant limits a request that is read loosely, in bytes. Longer ones are not shown again.
const maxMeant = 4 << 10

// meantRequests returns the requests that a text seems to ask for, in any form that models write.
// It returns none if any part of the text is unclear.
func meantRequests(text string) []protocol.ToolRequest {
	if len(text) > maxMeant || strings.Contains(strings.ToUpper(text), "ESCAPE") {
		return nil
	}
	if at := strings.IndexByte(text, '{'); at >= 0 && !strings.ContainsAny(withoutMark(text[:at]), ":：") {
		return meantJSON(text[at:])
	}
	if pairs := linePairs(text); pairs != nil {
		return meantPairs(pairs)
	}
	if list := meantPairs(pairInMarks.FindAllStringSubmatch(text, -1)); list != nil {
		return list
	}
	if list := meantPairs(pairInTags.FindAllStringSubmatch(text, -1)); list != nil {
		if name := nameInTag.FindStringSubmatch(text); name != nil {
			list[0].ToolName = name[1]
		}
		return list
	}
	return nil
}

// withoutMark returns a text without the line of its first mark, which may contain anything.
func withoutMark(text string) string {
	if strings.HasPrefix(text, "<") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}

var (
	pairInMarks = regexp.MustCompile(`(?s)([\pL\pN_.-]+)\s*[:：]\s*「始」([^「」]*)「末」`)
	pairInTags  = regexp.MustCompile(`(?s)<parameter(?:=| name=")([\pL\pN_.-]+)"?>\n?(.*?)\n?</parameter>`)
	nameInTag   = regexp.MustCompile(`<(?:function=|invoke name=")([\pL\pN_./:-]+)"?>`)
	pairInLine  = regexp.MustCompile(`^([\pL\pN_.-]+)\s*[:：=]\s*(.*?),?$`)
)

// linePairs returns lines of "name: value"; nil if a line that is no mark is something else.
func linePairs(text string) (pairs [][]string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '<' || line[0] == '`' {
			continue
		}
		pair := pairInLine.FindStringSubmatch(line)
		if pair != nil && strings.HasPrefix(pair[2], "「始」") && strings.HasSuffix(pair[2], "「末」") {
			pair[2] = strings.TrimSuffix(strings.TrimPrefix(pair[2], "「始」"), "「末」")
		}
		if pair == nil || strings.HasPrefix(pair[2], "「") {
			return nil
		}
		var unquoted string
		if json.Unmarshal([]byte(pair[2]), &unquoted) == nil {
			pair[2] = unquoted
		}
		pairs = append(pairs, pair)
	}
	return pairs
}

// isNameKey reports whether a member names the tool.
func isNameKey(name string) bool { return name == "tool_name" || name == "name" || name == "tool" }

// meantPairs makes a request of pairs, of which the first may name the tool.
func meantPairs(pairs [][]string) []protocol.ToolRequest {
	if len(pairs) == 0 {
		return nil
	}
	var req protocol.ToolRequest
	for i, pair := range pairs {
		switch name, value := pair[1], pair[2]; {
		case i == 0 && isNameKey(name):
			req.ToolName = value
		case name == "tool_name":
			return []protocol.ToolRequest{req} // another request begins
		case names(req.Arguments, name):
			return nil
		default:
			req.Arguments = append(req.Arguments, protocol.Argument{Name: name, Value: value})
		}
	}
	return []protocol.ToolRequest{req}
}

// meantJSON reads the objects at the start of text, one after the other.
func meantJSON(text string) (list []protocol.ToolRequest) {
	text = closedJSON(text)
	decoder := json.NewDecoder(strings.NewReader(text))
	for {
		var object map[string]json.RawMessage
		if decoder.Decode(&object) != nil {
			return list
		}
		if inner, ok := object["function"]; ok {
			var call map[string]json.RawMessage
			if json.Unmarshal(inner, &call) == nil {
				object = call
			}
		}
		var req protocol.ToolRequest
		for _, key := range [...]string{"name", "tool_name", "tool", "function"} {
			if json.Unmarshal(object[key], &req.ToolName) == nil && req.ToolName != "" {
				delete(object, key)
				break
			}
		}
		for _, key := range [...]string{"arguments", "parameters", "args"} {
			var arguments map[string]json.RawMessage
			if json.Unmarshal(object[key], &arguments) == nil && arguments != nil {
				object = arguments
				break
			}
		}
		for _, name := range slices.Sorted(maps.Keys(object)) {
			a := protocol.Argument{Name: name}
			if json.Unmarshal(object[name], &a.Value) != nil {
				a.Value, a.Form = string(object[name]), protocol.FormJSON
			}
			req.Arguments = append(req.Arguments, a)
		}
		list = append(list, req)
	}
}

// closedJSON adds the braces that an object lacks at the end of its line.
func closedJSON(text string) string {
	object := text
	if at := strings.LastIndex(object, "\n<"); at >= 0 {
		object = object[:at]
	}
	for range 3 {
		if json.Valid([]byte(object)) {
			return object
		}
		object += "}"
	}
	return text
}

// method returns the visible method that a request names; nil if there is none.
func (r *run) method(req *protocol.ToolRequest) *tool.Entry {
	resolution, err := r.session.engine.options.Registry.Resolve(req.ToolName, req.Command, r.session.Visible)
	if err != nil {
		return nil
	}
	return resolution.Entry
}

// rewritten returns a request with the model's own values as it should be written. ok is false
// unless the request is complete and can be shown without altering anything in it.
func (r *run) rewritten(req *protocol.ToolRequest) (own protocol.ToolRequest, ok bool) {
	method := r.method(req)
	if method == nil {
		return own, false
	}
	declared := method.Definition()
	own.ToolName = declared.ToolName
	if strings.Contains(string(method.MaskRequest(req.Arguments)), tool.Masked) {
		return own, false // a secret is not repeated
	}
	size := 0
	for i := range declared.Parameters {
		p := &declared.Parameters[i]
		at := slices.IndexFunc(req.Arguments, func(a protocol.Argument) bool { return a.Name == p.Name })
		if at < 0 {
			if p.Required {
				return own, false
			}
			continue
		}
		a := req.Arguments[at]
		if size += len(a.Value); size > maxMeant || r.containsMarks(a.Name) {
			return own, false
		}
		typed := p.Type != "" && p.Type != "string"
		if a.Form == protocol.FormPlain && typed && json.Valid([]byte(a.Value)) {
			a.Form, a.Value = protocol.FormJSON, strings.TrimSpace(a.Value)
		}
		own.Arguments = append(own.Arguments, a)
	}
	_, err := r.settings.protocol.FormatToolRequests([]protocol.ToolRequest{own})
	return own, err == nil
}

// fromForeignText reports whether the model may have copied a request from foreign text: a result,
// an imported message or a description that names the tool and contains what could be a mark. Such
// a request is never shown in a form that runs, because a model may repeat whatever it reads.
func (r *run) fromForeignText(req *protocol.ToolRequest) bool {
	names := []string{req.ToolName}
	if method := r.method(req); method != nil {
		names = append(names, method.FullName, method.Method.Name)
	}
	holds := func(text string) bool {
		// An escape in JSON may hide a name.
		named := func(name string) bool { return strings.Contains(text, name) || strings.Contains(text, `\u`) }
		return strings.ContainsAny(text, "{<＜《「&") && slices.ContainsFunc(names, named)
	}
	for i := range r.conversation.foreign {
		m := &r.conversation.foreign[i]
		if m.Origin != protocol.OriginEngine && holds(m.Content) {
			return true
		}
		for _, result := range m.Results {
			if holds(result.Result) {
				return true
			}
		}
		for _, c := range m.ToolCalls {
			if holds(c.Name + " " + c.Arguments) {
				return true
			}
		}
	}
	for _, e := range r.session.engine.options.Registry.Entries() {
		if r.session.Visible(e) && holds(e.Method.Description) {
			return true
		}
	}
	return false
}
