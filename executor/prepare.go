package executor

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema"
)

// commandArgument is the name under which a command is passed on where it is an ordinary argument.
const commandArgument = "command"

// prepare finds the method and the typed arguments. A panic in code that is asked on the way (a scope's filter, a schema's
// format) refuses the request.
func (b *batch) prepare(c *call) (f *failure) {
	defer func() {
		if p := recover(); p != nil {
			b.logPanic(c, p, debug.Stack())
			f = brokeDown(c.req.ToolName)
		}
	}()
	if c.req.Err != nil {
		return malformed(c.req.Err)
	}
	resolution, f := b.resolve(c.req)
	if f != nil {
		return f
	}
	c.method = resolution.Entry
	c.result.Method, c.result.ToolName = c.method.FullName, c.method.FullName
	if f := b.allowed(c.method); f != nil {
		return f
	}
	object, repaired, err := arguments(c.req, resolution)
	if err != nil {
		var bad *schema.ArgumentsError
		if errors.As(err, &bad) {
			c.result.Problems = bad.Problems
		}
		return c.invalidArguments(err.Error())
	}
	c.result.Arguments, c.result.Repaired = object, repaired
	return nil
}

func (b *batch) visible(e *tool.Entry) bool {
	return e.Method.AgentCallable && b.scope != nil && b.scope.Visible(e)
}

// resolve finds the method meant. A hidden method is never run, but where it is what the model named, the model is told that rather
// than offered, or given, something like it.
func (b *batch) resolve(req Request) (tool.Resolution, *failure) {
	reg := b.executor.registry
	if e, ok := reg.Lookup(req.ToolName); ok && !b.visible(e) {
		return tool.Resolution{Entry: e}, nil
	}
	resolution, err := reg.Resolve(req.ToolName, req.Command, b.visible)
	if err == nil {
		return resolution, nil
	}
	if hidden, hiddenErr := reg.Resolve(req.ToolName, req.Command, nil); hiddenErr == nil {
		return hidden, nil
	}
	var notFound *tool.NotFoundError
	if errors.As(err, &notFound) {
		return resolution, &failure{kind: notFound.Kind, message: notFound.Error(), suggestion: notFound.Suggestion()}
	}
	return resolution, &failure{
		kind: ErrorToolNotFound, message: err.Error(), suggestion: "Use one of the tools that you were told of, by exactly its name.",
	}
}

func (b *batch) allowed(method *tool.Entry) *failure {
	if !method.Method.AgentCallable {
		return notCallable(method)
	}
	if !b.visible(method) {
		return disabled(method)
	}
	return nil
}

// recheck asks once more, right before the run and each further attempt, what prepare and leave have asked: time has passed, in which
// a person may have been asked.
func (b *batch) recheck(c *call) (f *failure) {
	defer func() {
		if p := recover(); p != nil {
			b.logPanic(c, p, debug.Stack())
			f = brokeDown(c.req.ToolName)
		}
	}()
	if now, ok := b.executor.registry.Lookup(c.method.FullName); !ok || now != c.method {
		return changed(c.method)
	}
	if f := b.allowed(c.method); f != nil {
		return f
	}
	switch b.policy().Decide(c.method) {
	case DecisionDeny:
		return forbidden()
	case DecisionAsk:
		if c.trail.decider == AuditByRule { // nobody was asked
			return tightened(c.method)
		}
	case DecisionAllow:
	}
	return nil
}

// arguments returns the typed arguments. What is wrong with them is told without their secrets.
func arguments(req Request, resolution tool.Resolution) (json.RawMessage, []schema.Repaired, error) {
	var few [8]schema.Text // as many as most requests have
	texts := few[:0]
	for _, a := range req.Arguments {
		texts = append(texts, schema.Text{Name: a.Name, Value: a.Value, JSON: a.Form == protocol.FormJSON})
	}
	if req.Command != "" && !resolution.UsesCommand && !resolution.DropCommand {
		texts = append(texts, schema.Text{Name: commandArgument, Value: req.Command})
	}
	object, repaired, err := resolution.Entry.Method.Parameters.Object(texts)
	var bad *schema.ArgumentsError
	if errors.As(err, &bad) {
		err = &schema.ArgumentsError{Problems: requestSecrets(req, resolution.Entry).MaskProblems(bad.Problems), More: bad.More}
	}
	return object, resolution.Entry.MaskRepaired(repaired), err
}

// requestSecrets returns the secrets of what a model wrote, its command included if that may be an argument.
func requestSecrets(req Request, method *tool.Entry) *tool.CallSecrets {
	args := req.Arguments
	for _, p := range method.Method.Parameters.Properties() {
		if p.Name == commandArgument && req.Command != "" {
			args = append(slices.Clone(args), protocol.Argument{Name: commandArgument, Value: req.Command})
		}
	}
	return method.RequestSecrets(args)
}

func (b *batch) logPanic(c *call, value any, stack []byte) {
	b.executor.options.Logger.LogAttrs(b.ctx, slog.LevelError, "panic in a tool call",
		slog.String("id", c.req.ID), slog.String("tool", c.result.ToolName), slog.String("panic", cut(c.masked(fmt.Sprint(value)))),
		slog.String("stack", string(stack)))
}
