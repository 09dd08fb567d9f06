package executor

import (
	"container/list"
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"weak"

	"github.com/vcpgo/vcp/tool"
)

// Limits of the results that one registry caches.
const (
	maxCached       = 4096 // results
	maxCachedBytes  = 32 << 20
	maxCachedResult = 8 << 20 // bytes of one result
	cachedOverhead  = 256     // estimated bytes of a result, apart from its output, owner and language
)

// A resultCache keeps the outputs of the cacheable calls on one registry, the most recently used
// first. The zero value is empty. It is safe for concurrent use.
type resultCache struct {
	mu     sync.Mutex
	byKey  map[cacheKey]*list.Element
	order  list.List // of *cachedOutput
	bytes  int
	writes map[string]int // how many writes began or ended, by the tool's id
}

// A cacheKey identifies the calls that share one cached result. It contains the method's entry and
// not its name, so that a method that replaces another has results of its own. The pointer is weak
// because handlers may refer to the registry to which the cache is attached.
type cacheKey struct {
	scope    cacheScope
	method   weak.Pointer[tool.Entry]
	digest   Digest
	language string // of the call
}

// A cacheScope names the calls that share results: those of one owner or, if the conversation has
// no owner, those of the conversation.
type cacheScope struct {
	owner        string
	conversation weak.Pointer[Conversation]
}

func (c *Conversation) cacheScope() cacheScope {
	if c.Owner != "" {
		return cacheScope{owner: c.Owner}
	}
	return cacheScope{conversation: weak.Make(c)}
}

type cachedOutput struct {
	key     cacheKey
	toolID  string
	output  tool.Output
	bytes   int
	expires time.Time
}

// cachingHandler returns a handler that uses the cache. If the output of an earlier equal call is
// still fresh, the handler returns it and sets hit. Otherwise it runs next, and passes the output
// to put if the call succeeded in time.
func (c *resultCache) cachingHandler(
	next tool.Handler, method *tool.Entry, scope cacheScope, hit *atomic.Bool,
) tool.Handler {
	return func(ctx context.Context, call *tool.Call) (tool.Output, error) {
		key := cacheKey{scope, weak.Make(method), digestOf(method.FullName, call.Arguments), call.Language}
		output, writes, found := c.get(key, method.Tool.ID)
		if found {
			hit.Store(true)
			return output, nil
		}
		output, err := next(ctx, call)
		output.Files = slices.Clip(output.Files) // an append by a middleware then copies them
		if err == nil && ctx.Err() == nil {
			c.put(key, method, writes, output)
		}
		return output, err
	}
}

// droppingHandler returns a handler that runs next, and drops the cached results of the tool before
// and after that.
func (c *resultCache) droppingHandler(next tool.Handler, toolID string) tool.Handler {
	return func(ctx context.Context, call *tool.Call) (tool.Output, error) {
		c.drop(toolID)
		defer c.drop(toolID)
		return next(ctx, call)
	}
}

// get returns the cached output for key, if a fresh one is cached. Otherwise the caller runs the
// method, and passes writes, the count of the tool's writes so far, to put.
func (c *resultCache) get(key cacheKey, toolID string) (output tool.Output, writes int, found bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.byKey[key]; e != nil {
		o := e.Value.(*cachedOutput)
		if time.Now().Before(o.expires) {
			c.order.MoveToFront(e)
			return o.output, 0, true
		}
		c.remove(e)
	}
	return tool.Output{}, c.writes[toolID], false
}

// put keeps the output of a method. It drops an output that is too long or of unknown size. It also
// drops the output if a write of the tool began or ended since the call of get that returned
// writes.
func (c *resultCache) put(key cacheKey, method *tool.Entry, writes int, output tool.Output) {
	size, known := sizeOf(output)
	if !known || size > maxCachedResult {
		return
	}
	o := &cachedOutput{
		key: key, toolID: method.Tool.ID, output: output, expires: time.Now().Add(method.Method.CacheFor),
		bytes: size + len(key.scope.owner) + len(key.language) + cachedOverhead,
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.writes[o.toolID] != writes {
		return
	}
	if c.byKey == nil {
		c.byKey = map[cacheKey]*list.Element{}
	}
	if e := c.byKey[o.key]; e != nil {
		c.remove(e)
	}
	c.byKey[o.key] = c.order.PushFront(o)
	c.bytes += o.bytes
	for c.bytes > maxCachedBytes || len(c.byKey) > maxCached {
		c.remove(c.order.Back())
	}
}

// drop removes the results of a tool. The results of its calls that run now will not be cached.
func (c *resultCache) drop(toolID string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for e := c.order.Front(); e != nil; {
		next := e.Next()
		if e.Value.(*cachedOutput).toolID == toolID {
			c.remove(e)
		}
		e = next
	}
	if c.writes == nil {
		c.writes = map[string]int{}
	}
	c.writes[toolID]++
}

func (c *resultCache) remove(e *list.Element) {
	o := c.order.Remove(e).(*cachedOutput)
	delete(c.byKey, o.key)
	c.bytes -= o.bytes
}

// sizeOf returns the bytes of an output. Details count as the JSON that encodes them. The size is
// unknown if they cannot be encoded: they may be of any type, and their own methods may panic.
func sizeOf(o tool.Output) (bytes int, known bool) {
	details := detailsJSON(o.Details)
	bytes = len(o.Text) + len(details)
	for _, f := range o.Files {
		bytes += len(f.Name) + len(f.MediaType) + len(f.Data)
	}
	return bytes, o.Details == nil || details != nil
}
