package engine

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// A request that did not run is shown to the model in the right form, with the model's own values.
// forms.Loose reads the damaged request. The result is only shown, and never runs.

// rewritten returns a request with the model's own values as it should be written. ok is false if a
// required argument is missing or if the method does not have one of the arguments: without it, the
// call would differ from what the model asked for.
func (r *runBase) rewritten(req *protocol.ToolRequest) (own protocol.ToolRequest, ok bool) {
	method := r.session.view.method(req)
	if method == nil {
		return own, false
	}
	declared := method.Definition(r.settings.language())
	own.ToolName = declared.ToolName
	if strings.Contains(string(method.MaskRequest(req.Arguments)), tool.Masked) {
		return own, false // a secret is not repeated
	}
	arguments := unwrapped(req.Arguments, declared.Parameters)
	size := 0
	for i := range declared.Parameters {
		p := &declared.Parameters[i]
		at := slices.IndexFunc(arguments, func(a protocol.Argument) bool { return a.Name == p.Name })
		if at < 0 {
			if p.Required {
				return own, false
			}
			continue
		}
		a := arguments[at]
		if size += len(a.Value); size > maxMeant || r.containsMarks(a.Name) {
			return own, false
		}
		typed := p.Type != "" && p.Type != "string"
		if a.Form == protocol.FormPlain && typed && json.Valid([]byte(a.Value)) {
			a.Form, a.Value = protocol.FormJSON, strings.TrimSpace(a.Value)
		}
		own.Arguments = append(own.Arguments, a)
	}
	if len(own.Arguments) < len(arguments) {
		return own, false // the method does not have one of the arguments
	}
	_, err := r.settings.protocol.FormatToolRequests([]protocol.ToolRequest{own})
	return own, err == nil
}

// unwrapped returns the members of an object that a model wrote as its only argument, such as
// "arguments", if the method does not have that argument. It returns all other arguments unchanged.
func unwrapped(arguments []protocol.Argument, declared []protocol.Parameter) []protocol.Argument {
	if len(arguments) != 1 || slices.ContainsFunc(declared, func(p protocol.Parameter) bool { return p.Name == arguments[0].Name }) {
		return arguments
	}
	members, err := orderedjson.Members(json.RawMessage(arguments[0].Value))
	if err != nil {
		return arguments
	}
	list := make([]protocol.Argument, len(members))
	for i, m := range members {
		list[i].Name = m.Name
		if json.Unmarshal(m.Value, &list[i].Value) != nil {
			list[i].Value, list[i].Form = string(m.Value), protocol.FormJSON
		}
	}
	return list
}

// markCharacters begin or end the marks of each form, or an escape in JSON.
const markCharacters = "{}<>＜＞《》「」&\\"

// fromForeignText reports whether the model may have copied a request from foreign text: a result
// or an imported message that contains what could be a part of a mark, or a description that also
// names the tool. Such a request is never shown in a form that runs, because a model may repeat
// whatever it reads. Messages are not searched for the name, because two messages may contain one
// half of it each.
func (r *runBase) fromForeignText(foreign []protocol.Message, req *protocol.ToolRequest) bool {
	marked := func(text string) bool { return strings.ContainsAny(text, markCharacters) }
	for i := range foreign {
		m := &foreign[i]
		if m.Origin != protocol.OriginEngine && marked(m.Content) {
			return true
		}
		for _, result := range m.Results {
			if marked(result.Result) {
				return true
			}
		}
		for _, c := range m.ToolCalls {
			if marked(c.Name) || marked(strings.TrimSuffix(strings.TrimPrefix(c.Arguments, "{"), "}")) {
				return true
			}
		}
	}
	names := []string{req.ToolName}
	if method := r.session.view.method(req); method != nil {
		names = append(names, method.FullName, method.Method.Name)
	}
	for _, e := range r.session.engine.options.Registry.Entries() {
		if !r.session.Visible(e) {
			continue
		}
		text := e.Method.Description
		named := func(name string) bool { return strings.Contains(text, name) }
		if marked(text) && (slices.ContainsFunc(names, named) || strings.Contains(text, `\u`)) || r.parametersContainMarks(e) {
			return true
		}
	}
	return false
}

// parametersContainMarks reports whether the texts of a method's parameters contain marks.
func (r *runBase) parametersContainMarks(e *tool.Entry) bool {
	for _, p := range e.Definition(r.settings.language()).Parameters {
		if r.containsMarks(p.Description) || r.containsMarks(string(p.Default)) || r.containsMarks(string(p.Schema)) ||
			slices.ContainsFunc(p.Enum, func(value json.RawMessage) bool { return r.containsMarks(string(value)) }) {
			return true
		}
	}
	return false
}

// containsMarks reports whether a text of a tool contains marks, so that a request must not contain
// it unchanged.
func (r *runBase) containsMarks(text string) bool {
	return r.settings.protocol.Neutralize(text) != text
}
