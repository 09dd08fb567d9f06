package mcpserver

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/vcpgo/vcp/engine"
)

// client is the connection of one client. It has its own session of the engine, so approvals for
// the session end with the connection.
type client struct {
	session       *sdk.ServerSession
	engineSession *engine.Session
	calls         atomic.Uint64 // number of calls so far
}

// clients are the connections. The zero value is ready to use.
type clients struct {
	mu   sync.Mutex
	last int // number of the last client, for the name of its engine session
	all  map[*sdk.ServerSession]*client
}

// of returns the client of a connection. For a new connection it creates a client, and removes it
// when the connection ends.
func (c *clients) of(session *sdk.ServerSession, e *engine.Engine) *client {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.all[session]; known != nil {
		return known
	}
	if c.all == nil {
		c.all = map[*sdk.ServerSession]*client{}
	}
	c.last++
	added := &client{session: session, engineSession: e.NewSession("mcp-" + strconv.Itoa(c.last))}
	c.all[session] = added
	go func() {
		_ = session.Wait()
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.all, session)
	}()
	return added
}

// call is one call of a client.
type call struct {
	client *client
	token  any // the client's token for progress; nil if it wants no progress
}

type callKey struct{}

// withCall returns a context that carries c.
func withCall(ctx context.Context, c *call) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

// callFrom returns the client's call that ctx carries, or nil.
func callFrom(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
}
