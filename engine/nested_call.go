package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// CallWithin runs a method for the handler of the call outer. For example, a script that the model
// wrote calls methods in this way. arguments is a JSON object. The same rules hold as for a request
// of the model: visibility, approval, limits, provenance and audit. The ID of the call is the ID of
// outer, a dot and a number. CallWithin returns the whole text of the result. The error says why
// the call failed, in words for the model, or is the cause of ctx's end. People see the call as
// progress of outer. If outer belongs to a run, the call counts against Config.MaxCalls. CallWithin
// may be called from several goroutines until the handler returns.
func (s *Session) CallWithin(
	ctx context.Context, outer *tool.Call, method string, arguments json.RawMessage,
) (text string, err error) {
	req := executor.Request{ID: outer.ID + "." + strconv.FormatInt(s.nested.Add(1), 10), Whole: true}
	req.ToolName = method
	if req.Arguments, err = argumentsOf(arguments); err != nil {
		return "", err
	}
	if budget := callBudgetOf(ctx); budget.take(1) == 0 {
		req.Err = budget.exceeded(s.engine.knownSettings().language())
	}
	outer.Progress(method)
	result := s.Execute(ctx, []executor.Request{req})[0]
	if err := context.Cause(ctx); err != nil {
		return "", err
	}
	if result.Status != protocol.StatusSuccess {
		return "", errors.New(joinLines(result.ToolResult.Result, result.Suggestion))
	}
	return result.ToolResult.Result, nil
}

// argumentsOf returns the members of a JSON object as arguments, in their order.
func argumentsOf(object json.RawMessage) (list []protocol.Argument, err error) {
	members, err := orderedjson.Members(object)
	if err != nil {
		return nil, fmt.Errorf("the arguments must be a JSON object: %w", err)
	}
	for _, m := range members {
		list = append(list, protocol.Argument{Name: m.Name, Value: string(m.Value), Form: protocol.FormJSON})
	}
	return list, nil
}
