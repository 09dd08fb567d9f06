package mcp

import (
	"context"
	"sync"
)

// delivery records what happens to one request: whether a part of it may have reached the server,
// and why it failed. The transport finds it in the request's context. It is safe for concurrent
// use. A nil delivery records nothing.
type delivery struct {
	mu    sync.Mutex
	state outcome
}

// outcome is what is known of a request.
type outcome struct {
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
func (d *delivery) begin() { d.record(func(o *outcome) { o.begun = true }) }

// fail records that the request failed, perhaps after the server has acted on it.
func (d *delivery) fail(err error) { d.record(func(o *outcome) { o.err = err }) }

// refuse records that the server refused the request, so that it did nothing.
func (d *delivery) refuse(err error) { d.record(func(o *outcome) { o.refused, o.err = true, err }) }

// failBadRequest records that the server did not understand the request.
func (d *delivery) failBadRequest(err error) {
	d.record(func(o *outcome) { o.bad, o.err = true, err })
}

func (d *delivery) record(change func(*outcome)) {
	if d != nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		change(&d.state)
	}
}

// outcome returns what is known of the request now.
func (d *delivery) outcome() outcome {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.state
}
