package engine

import (
	"context"
	"fmt"
	"sync"

	"github.com/vcpgo/vcp/discovery"
	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/tool"
)

// engineOwner is the Owner of the engine's own tools. One tool serves all engines on a registry,
// because its handler finds the session in the context of the call.
const engineOwner = "vcp engine"

func isOwn(e *tool.Entry) bool { return e.Owner == engineOwner }

// callSession is the session for which a tool runs, as the engine and its own tools see it. Session
// implements it.
type callSession interface {
	Visible(method *tool.Entry) bool
	keptResults() *keptResults
	// findMethods returns the visible methods that fit a query, the best first, and all visible
	// methods, in both cases without the engine's own. Later prompts list the methods found.
	findMethods(query string, limit int) (found []discovery.Match, visible []*tool.Entry)
}

type sessionKey struct{}

// callSessionFrom returns the session for which a tool is called, or nil if ctx has no session.
func callSessionFrom(ctx context.Context) callSession {
	s, _ := ctx.Value(sessionKey{}).(callSession)
	return s
}

// callLanguage returns the language of what a tool returns to the model.
func callLanguage(ctx context.Context) string {
	if call := tool.CallFrom(ctx); call != nil {
		return call.Language
	}
	return ""
}

// ownTool returns a function that returns t, a tool of the engine, with its only method. The schema
// of the method is compiled once for all engines.
func ownTool[In any](
	t tool.Tool, method, title, description string, fn func(context.Context, In) (tool.Output, error),
) func() (tool.Tool, error) {
	return sync.OnceValues(func() (tool.Tool, error) {
		m, err := tool.New(method, description, fn,
			tool.ResultTokens(-1), // fn limits the result itself
			tool.AgentCallable(), tool.WithRisk(tool.RiskRead), tool.Title(title),
			tool.Translate("zh", chinese.EngineDefinitions))
		t.Owner, t.Methods = engineOwner, []tool.Method{m}
		return t, err
	})
}

// registerOwn registers a tool of the engine, unless it is already registered. method is the full
// name of its method. The error says what the tool is for (purpose) and how to configure the engine
// without it (alternative).
func registerOwn(
	reg *tool.Registry, own func() (tool.Tool, error), method, purpose, alternative string,
) error {
	t, err := own()
	if err != nil {
		return err
	}
	if err = reg.Register(t); err == nil {
		return nil
	}
	if registered, ok := reg.Lookup(method); ok && isOwn(registered) {
		return nil
	}
	return fmt.Errorf("engine: %s: %w; or %s", purpose, err, alternative)
}
