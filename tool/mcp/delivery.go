package mcp

import (
	"context"
	"sync"
)

// delivery records what happens to one request: whether a part of it may have reached the server,
// and why it failed. The transport finds it in the request's context. It is safe for concurrent
// use. A nil delivery records nothing.
type delivery struct {
	mu      sync.Mutex
	begun   bool  // bytes of the request may have been sent
	refused bool  // the server refused the request
	bad     bool  // the server did not understand the request
	err     error // why the request failed; nil if it did not
}

type deliveryKey struct{}

// withDelivery returns a context for one request. The transport records in d what happens to the
// request.
func withDelivery(ctx context.Context, d *delivery) context.Context {
	return context.WithValue(ctx, deliveryKey{}, d)
}

func deliveryFrom(ctx context.Context) *delivery {
	d, _ := ctx.Value(deliveryKey{}).(*delivery)
	return d
}

// begin records that sending the request has begun.
func (d *delivery) begin() { d.record(func() { d.begun = true }) }

// fail records that the request failed, perhaps after the server has acted on it.
func (d *delivery) fail(err error) { d.record(func() { d.err = err }) }

// refuse records that the server refused the request, so that it did nothing.
func (d *delivery) refuse(err error) { d.record(func() { d.refused, d.err = true, err }) }

// failBadRequest records that the server did not understand the request.
func (d *delivery) failBadRequest(err error) { d.record(func() { d.bad, d.err = true, err }) }

func (d *delivery) record(change func()) {
	if d != nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		change()
	}
}

// badRequest reports whether the server did not understand the request.
func (d *delivery) badRequest() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.bad
}

// outcome reports whether the request may have reached the server, whether the server refused it,
// and why it failed.
func (d *delivery) outcome() (begun, refused bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.begun, d.refused, d.err
}
