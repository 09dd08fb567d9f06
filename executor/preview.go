package executor

import (
	"bytes"
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
)

const (
	// maxPreview limits a preview, in bytes.
	maxPreview = 16 << 10
	// previewTime is how long a method has to say what a call would do.
	previewTime = 10 * time.Second
)

// previewing is the outcome of asking a method what a call would do.
type previewing struct {
	text  string
	err   error
	stack []byte // of a panic
}

// run calls the method's Preview, unless that ends the goroutine.
func (p *previewing) run(ctx context.Context, call tool.Call) {
	defer func() {
		if r := recover(); r != nil {
			*p = previewing{err: fmt.Errorf("panic: %v", r), stack: debug.Stack()}
		}
	}()
	p.text, p.err = call.Method.Method.Preview(ctx, call.Arguments)
	p.text = text.Valid(text.TruncateBytes(p.text, maxPreview-len("…")))
}

// preview returns what a call would do, while it handles events. It fails if the method does: the
// call would fail, too.
func (b *batch) preview(c *execution) (string, *failure) {
	if c.method.Method.Preview == nil {
		return "", nil
	}
	ctx, cancel := context.WithTimeout(b.ctx, previewTime)
	defer cancel()
	c.preview = nil
	b.enter(ctx, c, stagePreviewing, previewTime, func(_ *batch, c *execution, _ time.Time) { c.stage = stagePending })
	go func() {
		p := &previewing{err: errPreviewEnded} // remains after runtime.Goexit
		defer func() {
			b.post(event{call: c, stage: stagePreviewing, preview: p, handle: func(_ *batch, e event) {
				e.call.preview, e.call.stage = e.preview, stagePending
			}})
		}()
		p.run(ctx, tool.Call{Method: c.method, Arguments: bytes.Clone(c.result.Arguments)})
	}()
	for c.stage == stagePreviewing {
		b.step()
	}
	b.stopTimers(c)
	switch p := c.preview; {
	case b.ctx.Err() != nil:
		return "", canceled(false)
	case p == nil:
		return "", previewLate(c.method, previewTime)
	case p.stack != nil:
		b.logPanic(c, p.err, p.stack)
		return "", brokeDown(c.method.FullName)
	case p.err != nil:
		return "", failed(c.masked(p.err.Error()))
	default:
		return c.masked(p.text), nil
	}
}

// sameEffect runs only a call that still does what a person approved.
func sameEffect(next tool.Handler, c *execution) tool.Handler {
	approved, secrets := c.previewed, c.secrets()
	if approved == "" {
		return next
	}
	return func(ctx context.Context, call *tool.Call) (tool.Output, error) {
		now := previewing{err: errPreviewEnded}
		now.run(ctx, *call)
		if err := ctx.Err(); err != nil {
			return tool.Output{}, err
		}
		if now.err != nil || secrets.MaskText(now.text) != approved {
			return tool.Output{}, errOtherEffect
		}
		return next(ctx, call)
	}
}
