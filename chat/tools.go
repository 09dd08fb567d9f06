package chat

import (
	"context"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// Tools gives tool calling to an application that keeps its conversation and calls its model itself. It is safe for concurrent use.
type Tools struct {
	engine  *engine.Engine
	session *engine.Session
}

// NewTools returns the Tools of one conversation, which the application knows by id. e must not be nil.
func NewTools(e *engine.Engine, id string) *Tools {
	return &Tools{engine: e, session: e.NewSession(id)}
}

// Session returns the session behind the verbs, for what they do not do: in mode manual its Execute runs what ProcessCycle hands out.
func (t *Tools) Session() *engine.Session { return t.session }

// Enabled reports whether tool calling is switched on.
func (t *Tools) Enabled() bool { return t.session.Enabled() }

// Prompt returns what the system prompt must tell the model of its tools; "" where there are none or tool calling is disabled.
func (t *Tools) Prompt() string { return t.session.Prompt() }

// Methods returns the methods that the model may see and call, sorted by full name.
func (t *Tools) Methods() []*tool.Entry { return t.session.Methods() }

// ProcessCycle reads a complete reply of the model, runs what it asks for and formats the results, as engine.Session.ProcessCycle
// says. Where ResultMessage is not nil, the application adds the reply and that message to its conversation, and asks the model again.
func (t *Tools) ProcessCycle(ctx context.Context, assistantText string, finish protocol.FinishReason) (engine.CycleResult, error) {
	return t.session.ProcessCycle(ctx, assistantText, finish)
}

// FormatResults returns the text that tells the model of cycle.Results, to be sent as a user message; "" where there are none. It is
// for results that the application has changed or, in mode manual, supplied: ResultMessage holds those of ProcessCycle already.
func (t *Tools) FormatResults(cycle engine.CycleResult) string {
	return t.session.FormatResults(cycle.Results)
}

// InvalidateCache drops all cached prompts of the engine. Changes of the registry and of the configuration need no such call; a
// filter that has changed its mind does.
func (t *Tools) InvalidateCache() { t.engine.InvalidatePrompts() }
