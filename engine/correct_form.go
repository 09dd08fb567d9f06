package engine

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// A request that did not run is shown to the model in the correct form, with the model's own
// values. Functions of package forms read the damaged request. What they read is only shown, and
// never runs.

// correctForm returns a request in the correct form, with the values that the model wrote. ok is
// false if no correct form may be shown. For example, a required argument is missing, a value is
// secret, or the method does not have one of the arguments.
func (r *runBase) correctForm(req *protocol.ToolRequest) (corrected protocol.ToolRequest, ok bool) {
	method := r.session.view.method(req)
	if method == nil {
		return corrected, false
	}
	declared := method.Definition(r.settings.language())
	corrected.ToolName = declared.ToolName
	if strings.Contains(string(method.MaskRequest(req.Arguments)), tool.Masked) {
		return corrected, false // a secret is not repeated
	}
	arguments := unwrapped(req.Arguments, declared.Parameters)
	size := 0
	for i := range declared.Parameters {
		p := &declared.Parameters[i]
		at := argumentFor(p.Name, arguments)
		if at < 0 {
			if p.Required {
				return corrected, false
			}
			continue
		}
		a := arguments[at]
		a.Name = p.Name // a text of the tool, which may contain marks
		if size += len(a.Value); size > maxReread || r.containsMarks(a.Name) {
			return corrected, false
		}
		typed := p.Type != "" && p.Type != "string"
		if a.Form == protocol.FormPlain && typed && json.Valid([]byte(a.Value)) {
			a.Form, a.Value = protocol.FormJSON, strings.TrimSpace(a.Value)
		}
		corrected.Arguments = append(corrected.Arguments, a)
	}
	if len(corrected.Arguments) != len(arguments) {
		return corrected, false // an argument belongs to no parameter: without it, the call would be another one
	}
	_, err := r.settings.protocol.FormatToolRequests([]protocol.ToolRequest{corrected})
	return corrected, err == nil
}

// argumentFor returns the index of the argument for a parameter, or -1. That is the argument with
// the same name, or else one whose name differs only in what the executor ignores, as "timezone"
// differs from "timeZone".
func argumentFor(parameter string, arguments []protocol.Argument) int {
	at := slices.IndexFunc(arguments, func(a protocol.Argument) bool { return a.Name == parameter })
	if at < 0 {
		folded := text.FoldName(parameter)
		at = slices.IndexFunc(arguments, func(a protocol.Argument) bool { return text.FoldName(a.Name) == folded })
	}
	return at
}

// unwrapped returns the members of an object that a model wrote as its only argument, such as
// "arguments", if the method does not have that argument. Any other list of arguments is returned
// unchanged.
func unwrapped(arguments []protocol.Argument, declared []protocol.Parameter) []protocol.Argument {
	isGiven := func(p protocol.Parameter) bool { return p.Name == arguments[0].Name }
	if len(arguments) != 1 || slices.ContainsFunc(declared, isGiven) {
		return arguments
	}
	members, err := orderedjson.Members(json.RawMessage(arguments[0].Value))
	if err != nil {
		return arguments
	}
	list := make([]protocol.Argument, len(members))
	for i, m := range members {
		list[i] = protocol.Argument{Name: m.Name, Value: string(m.Value), Form: protocol.FormJSON}
		if text, ok := orderedjson.StringText(m.Value); ok {
			list[i].Value, list[i].Form = text, protocol.FormPlain
		}
	}
	return list
}
