package model

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"slices"
	"time"

	"github.com/vcpgo/vcp/engine"
)

// usageWait limits the wait for usage after a finish reason, without the time that the reader of
// the reply takes. The reply is complete, and some servers keep the connection open.
const usageWait = time.Second

// errStopped ends the reading of a reply when its reader stops.
var errStopped = errors.New("the reader stopped")

// Stream implements engine.Model. Every error is an *Error. A reply that begins, and ends cleanly
// without a finish reason, is not an error: the sequence ends without a Finished delta.
//
// A request that fails before the first delta is sent again, as Options say. After the first delta,
// nothing is sent again.
func (c *Client) Stream(ctx context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		ctx, cancel := withTimeout(ctx, c.endpoint.timeout)
		defer cancel()
		r, err := c.prepare(ctx, req, nil)
		if err == nil {
			err = c.endpoint.retry(ctx, "chat", func() attempt { return c.stream(ctx, r, yield) })
		}
		if err != nil {
			yield(engine.Delta{}, err)
		}
	}
}

// A preparedRequest is a request with everything needed to read its reply.
type preparedRequest struct {
	*chatRequest
	preset Preset
	tools  *toolDefinitions
}

// prepare returns the request to send. If tools is nil, the tools are those of req. The error is an
// *Error.
func (c *Client) prepare(
	ctx context.Context, req engine.ModelRequest, tools *toolDefinitions,
) (*preparedRequest, error) {
	name, err := c.Name(ctx)
	if err != nil {
		return nil, err
	}
	if tools == nil {
		tools, err = c.tools.definitions(req)
	}
	r := &preparedRequest{preset: c.presetFor(name), tools: tools}
	if err == nil {
		r.chatRequest, err = newRequest(name, &r.preset, c.temperature, tools, req)
	}
	if err != nil {
		return nil, c.endpoint.newExchange("chat", nil).fail(ctx, err)
	}
	return r, nil
}

// stream sends the request once and yields its reply. If yield returns false, reading ends.
func (c *Client) stream(ctx context.Context, r *preparedRequest, yield func(engine.Delta, error) bool) (a attempt) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	x := c.endpoint.newExchange("chat", cancel)
	defer x.close()
	if err := x.send(ctx, http.MethodPost, "/chat/completions", "text/event-stream", r.chatRequest); err != nil {
		a.err = c.refused(ctx, r.Model, x, err)
		return a
	}
	reply := newReplyReader(c.endpoint.secrets, &r.preset, r.tools)
	values := 0
	err := readValues(x, c.endpoint.secrets, func(value []byte) error {
		values++
		if err := reply.read(value); err != nil {
			return err
		}
		if reply.finished && !a.finished {
			a.finished, x.waitLeft = true, usageWait
		}
		for _, d := range reply.deltas {
			if a.delivered = true; d.Usage == nil {
				x.silentBytes = 0
			}
			if !yield(d, nil) {
				return errStopped
			}
		}
		return nil
	})
	switch {
	case a.finished || errors.Is(err, errStopped) || err == nil && reply.begun:
		// After a finish reason the reply is complete, even if the connection fails.
		return a
	case err == nil:
		// Without a value, the response was [DONE] alone, which is as temporary as an empty
		// response.
		err = &fault{kind: KindResponse, message: say("sent a response without a reply"), temporary: values == 0}
	}
	a.err = x.fail(ctx, err)
	return a
}

// refused returns the error of a request that got no reply. Servers report an unknown model in many
// ways, and most do not list the known ones.
func (c *Client) refused(ctx context.Context, name string, x *exchange, err error) *Error {
	e := x.fail(ctx, err)
	if ctx.Err() != nil || x.status != http.StatusNotFound && readReport(x.errorBody).code != "model_not_found" {
		return e
	}
	ids, err := c.rawIDs(ctx)
	if err != nil || slices.Contains(ids, name) {
		return e
	}
	m := c.endpoint.modelError("chat", name, c.endpoint.shown(ids))
	m.Status = e.Status
	return m
}
