package engine

import (
	"context"
	"fmt"

	"github.com/vcpgo/vcp/discovery"
	"github.com/vcpgo/vcp/tool"
)

// engineOwner is the Owner of the engine's own tools. One tool serves all engines on a registry,
// because its handler finds the session in the context of the call.
const engineOwner = "vcp engine"

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

// registerOwn registers a tool of the engine, unless it is already registered. method is the full
// name of its method. The error says what the tool is for (purpose) and how to configure the engine
// without it (alternative).
func registerOwn(reg *tool.Registry, t tool.Tool, method, purpose, alternative string) error {
	err := reg.Register(t)
	if err == nil {
		return nil
	}
	if registered, ok := reg.Lookup(method); ok && registered.Owner == engineOwner {
		return nil
	}
	return fmt.Errorf("engine: %s: %w; or %s", purpose, err, alternative)
}
