package executor

import (
	"container/list"
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/vcpgo/vcp/tool"
)

// What one conversation keeps of results: enough for what a model asks for twice, and little enough for many conversations.
const (
	maxCached      = 256
	maxCachedBytes = 8 << 20
)

// outputs are results that may be given again; the ones used last come first. The zero value is empty. It is safe for concurrent use.
type outputs struct {
	mu    sync.Mutex
	byKey map[outputKey]*list.Element
	order list.List // of *output
	bytes int
}

// outputKey hangs on the entry, so that a method that takes another's place has results of its own.
type outputKey struct {
	method *tool.Entry
	digest Digest
}

type output struct {
	key     outputKey
	out     tool.Output
	bytes   int
	expires time.Time
}

func (c *outputs) get(key outputKey) (tool.Output, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[key]
	if e == nil {
		return tool.Output{}, false
	}
	o := e.Value.(*output)
	if !time.Now().Before(o.expires) {
		c.drop(e)
		return tool.Output{}, false
	}
	c.order.MoveToFront(e)
	return o.out, true
}

func (c *outputs) put(key outputKey, out tool.Output, lifetime time.Duration) {
	bytes, known := sizeOf(out)
	if !known || bytes > maxCachedBytes {
		return
	}
	o := &output{key: key, out: out, bytes: bytes, expires: time.Now().Add(lifetime)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byKey == nil {
		c.byKey = map[outputKey]*list.Element{}
	}
	if e := c.byKey[key]; e != nil {
		c.drop(e)
	}
	c.byKey[key] = c.order.PushFront(o)
	c.bytes += o.bytes
	for c.bytes > maxCachedBytes || len(c.byKey) > maxCached {
		c.drop(c.order.Back())
	}
}

// sizeOf is what an output takes, in bytes; details count as the JSON that they become. It is not known where they become none: they may
// be anything, and have methods of their own.
func sizeOf(out tool.Output) (bytes int, known bool) {
	bytes = len(out.Text)
	for _, f := range out.Files {
		bytes += len(f.Name) + len(f.MediaType) + len(f.Data)
	}
	if out.Details == nil {
		return bytes, true
	}
	defer func() {
		if recover() != nil {
			known = false
		}
	}()
	details, err := json.Marshal(out.Details)
	return bytes + len(details), err == nil
}

func (c *outputs) drop(e *list.Element) {
	o := c.order.Remove(e).(*output)
	delete(c.byKey, o.key)
	c.bytes -= o.bytes
}

// caching gives the result of an earlier call of the same conversation with the same arguments, while that is fresh. Failures, and
// results that came too late to be given, are not kept.
func caching(next tool.Handler, m *Memory, method *tool.Entry, r *run) tool.Handler {
	return func(ctx context.Context, call *tool.Call) (tool.Output, error) {
		key := outputKey{method, digestOf(method.FullName, call.Arguments)}
		if out, ok := m.outputs.get(key); ok {
			r.cached.Store(true)
			return out, nil
		}
		out, err := next(ctx, call)
		if err == nil && ctx.Err() == nil {
			m.outputs.put(key, out, method.Method.CacheFor)
		}
		return out, err
	}
}
