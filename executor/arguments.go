package executor

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema"
)

// commandArgument is the name of the argument that takes the command of a request if the command
// does not name the method.
const commandArgument = "command"

// commandIsArgument reports whether the command of a request is passed to its method as an
// argument.
func commandIsArgument(req Request, resolution tool.Resolution) bool {
	return req.Command != "" && !resolution.UsesCommand && !resolution.DropCommand
}

// typedArguments converts the arguments of a request to the types in the method's schema. It also
// returns the repairs that were needed. Errors contain no secrets.
func typedArguments(
	req Request, resolution tool.Resolution, o schema.ObjectOptions,
) (json.RawMessage, []schema.Repaired, error) {
	var few [8]schema.Text // enough for most requests
	texts := few[:0]
	for _, a := range req.Arguments {
		texts = append(texts, schema.Text{Name: a.Name, Value: a.Value, JSON: a.Form == protocol.FormJSON})
	}
	if commandIsArgument(req, resolution) {
		texts = append(texts, schema.Text{Name: commandArgument, Value: req.Command})
	}
	object, repaired, err := resolution.Entry.Method.Parameters.ObjectWith(texts, o)
	if bad, ok := errors.AsType[*schema.ArgumentsError](err); ok {
		err = &schema.ArgumentsError{
			Problems: requestSecrets(req, resolution.Entry).MaskProblems(bad.Problems),
			More:     bad.More, Language: bad.Language,
		}
	}
	return object, resolution.Entry.MaskRepaired(repaired), err
}

// Accepts reports whether a method's schema accepts all arguments of a request.
func Accepts(method *tool.Entry, req protocol.ToolRequest) bool {
	_, _, err := typedArguments(Request{ToolRequest: req}, tool.Resolution{Entry: method}, schema.ObjectOptions{})
	return err == nil
}

// mayDropUnknown reports whether a request may run without the arguments that its method does not
// know. If an argument such as dry_run were dropped, a call that has effects could do more than the
// model wanted. A program that reads the whole result cannot be told what was dropped, so its
// requests are refused.
func mayDropUnknown(req Request, method *tool.Entry) bool {
	return method.Risk() == tool.RiskRead && !req.Whole
}

// requestSecrets returns the secrets in the arguments of a request, and in its command if the
// method has an argument for it.
func requestSecrets(req Request, method *tool.Entry) *tool.CallSecrets {
	args := req.Arguments
	if req.Command != "" && method.Declares(commandArgument) {
		args = append(slices.Clone(args), protocol.Argument{Name: commandArgument, Value: req.Command})
	}
	return method.RequestSecrets(args)
}

// editedArguments converts a JSON object that a person wrote to typed arguments. It returns a panic
// as an error.
func editedArguments(method *tool.Entry, object json.RawMessage) (typed json.RawMessage, err error) {
	defer func() {
		if p := recover(); p != nil {
			shown := method.CallSecrets(object).MaskText(fmt.Sprint(p))
			typed, err = nil, fmt.Errorf("the arguments cannot be read: %s", shown)
		}
	}()
	members, err := orderedjson.Members(object)
	if err != nil {
		return nil, errors.New("the arguments are not a JSON object")
	}
	var req Request
	for _, m := range members {
		argument := protocol.Argument{Name: m.Name, Value: string(m.Value), Form: protocol.FormJSON}
		req.Arguments = append(req.Arguments, argument)
	}
	typed, _, err = typedArguments(req, tool.Resolution{Entry: method}, schema.ObjectOptions{})
	return typed, err
}
