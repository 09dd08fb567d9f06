package chat

import (
	"context"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// Tools gives tool calling to an application that keeps its conversation and calls its model
// itself. It is safe for concurrent use.
type Tools struct {
	engine  *engine.Engine
	session *engine.Session
}

// NewTools returns the Tools of the conversation with that id. e must not be nil.
func NewTools(e *engine.Engine, id string) *Tools {
	return &Tools{engine: e, session: e.NewSession(id)}
}

// Session returns the session, for what Tools does not do. In mode manual, for example, its Execute
// runs what ProcessCycle dispatches.
func (t *Tools) Session() *engine.Session { return t.session }

// Enabled reports whether tool calling is enabled.
func (t *Tools) Enabled() bool { return t.session.Enabled() }

// Prompt returns what the system prompt must say about tools; "" if there are none or tool calling
// is disabled.
func (t *Tools) Prompt() string { return t.session.Prompt() }

// Methods returns the methods that the model may see and call, sorted by full name.
func (t *Tools) Methods() []*tool.Entry { return t.session.Methods() }

// ProcessCycle reads a complete reply of the model, runs its requests and formats the results, as
// engine.Session.ProcessCycle says. If ResultMessage is not nil, the application adds the reply and
// that message to its conversation, and asks the model again.
func (t *Tools) ProcessCycle(ctx context.Context, assistantText string, finish protocol.FinishReason) (engine.CycleResult, error) {
	return t.session.ProcessCycle(ctx, assistantText, finish)
}

// FormatResults returns cycle.Results as the text of a user message; "" if there are none. It is
// for results that the application changed or, in mode manual, supplied. ResultMessage already
// contains those of ProcessCycle.
func (t *Tools) FormatResults(cycle engine.CycleResult) string {
	return t.session.FormatResults(cycle.Results)
}

// InvalidateCache drops all cached prompts of the engine. It is needed if a filter decides
// differently than before. Changes of the registry and of the configuration do not need it.
func (t *Tools) InvalidateCache() { t.engine.InvalidatePrompts() }
