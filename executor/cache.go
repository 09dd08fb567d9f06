package executor

import (
	"container/list"
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vcpgo/vcp/tool"
)

// Limits of the results that one conversation caches.
const (
	maxCached      = 256
	maxCachedBytes = 8 << 20
)

// A resultCache keeps outputs, the most recently used first. The zero value is empty. It is safe
// for concurrent use.
type resultCache struct {
	mu    sync.Mutex
	byKey map[cacheKey]*list.Element
	order list.List // of *cachedOutput
	bytes int
}

// cacheKey contains the entry, so that a method that replaces another has results of its own.
type cacheKey struct {
	method *tool.Entry
	digest Digest
}

type cachedOutput struct {
	key     cacheKey
	output  tool.Output
	bytes   int
	expires time.Time
}

// handler returns the output of an earlier call with the same arguments while it is fresh, and then
// sets hit. Otherwise it runs next and keeps its output, unless the call failed or timed out.
func (c *resultCache) handler(next tool.Handler, method *tool.Entry, hit *atomic.Bool) tool.Handler {
	return func(ctx context.Context, call *tool.Call) (tool.Output, error) {
		key := cacheKey{method, digestOf(method.FullName, call.Arguments)}
		if output, ok := c.get(key); ok {
			hit.Store(true)
			return output, nil
		}
		output, err := next(ctx, call)
		if err == nil && ctx.Err() == nil {
			c.put(key, output, method.Method.CacheFor)
		}
		return output, err
	}
}

func (c *resultCache) get(key cacheKey) (tool.Output, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[key]
	if e == nil {
		return tool.Output{}, false
	}
	o := e.Value.(*cachedOutput)
	if !time.Now().Before(o.expires) {
		c.remove(e)
		return tool.Output{}, false
	}
	c.order.MoveToFront(e)
	return o.output, true
}

func (c *resultCache) put(key cacheKey, output tool.Output, lifetime time.Duration) {
	bytes, known := sizeOf(output)
	if !known || bytes > maxCachedBytes {
		return
	}
	o := &cachedOutput{key: key, output: output, bytes: bytes, expires: time.Now().Add(lifetime)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byKey == nil {
		c.byKey = map[cacheKey]*list.Element{}
	}
	if e := c.byKey[key]; e != nil {
		c.remove(e)
	}
	c.byKey[key] = c.order.PushFront(o)
	c.bytes += o.bytes
	for c.bytes > maxCachedBytes || len(c.byKey) > maxCached {
		c.remove(c.order.Back())
	}
}

func (c *resultCache) remove(e *list.Element) {
	o := c.order.Remove(e).(*cachedOutput)
	delete(c.byKey, o.key)
	c.bytes -= o.bytes
}

// sizeOf returns the bytes of an output. Details count as the JSON that encodes them. The size is
// unknown if they do not encode: they may be of any type and have methods of their own.
func sizeOf(o tool.Output) (bytes int, known bool) {
	bytes = len(o.Text)
	for _, f := range o.Files {
		bytes += len(f.Name) + len(f.MediaType) + len(f.Data)
	}
	if o.Details == nil {
		return bytes, true
	}
	defer func() {
		if recover() != nil {
			known = false
		}
	}()
	details, err := json.Marshal(o.Details)
	return bytes + len(details), err == nil
}
