package model

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/vcpgo/vcp/engine"
)

// A Client is a model on a server. It is safe for concurrent use.
type Client struct {
	endpoint    *endpoint // a pointer, so that a printed Client shows no secret
	preset      *Preset   // nil means the preset for the model's name
	temperature *float32
	tools       toolCache

	calls   Calls         // Options.Calls, or CallsText if that is ""
	probing chan struct{} // a lock for found, held while it contains a value; waiting can be canceled
	found   Calls         // what CallsAuto means for the model; "" until it is known

	mu   sync.Mutex
	name string // of the model; "" until it is known
}

var (
	_ engine.Model         = (*Client)(nil)
	_ engine.NativeModel   = (*Client)(nil)
	_ engine.ProfiledModel = (*Client)(nil)
)

// New returns a client. It sends nothing; the first request shows whether the server can be
// reached. If the options are not valid, the error is an *Error of kind KindOptions.
func New(o Options) (*Client, error) {
	s, err := newEndpoint(o)
	if err != nil {
		return nil, err
	}
	c := &Client{
		endpoint: s, calls: cmp.Or(o.Calls, CallsText),
		probing: make(chan struct{}, 1), name: strings.TrimSpace(o.Model),
	}
	if err := c.calls.check(); err != nil {
		return nil, newError(s.secrets, Error{Op: "new", Kind: KindOptions}, "Options.Calls is %v", err)
	}
	if o.Preset != nil {
		p := *o.Preset
		if err := p.check(); err != nil {
			return nil, err
		}
		c.preset = &p
	}
	if o.Temperature != nil {
		t := *o.Temperature
		c.temperature = &t
	}
	return c, nil
}

// String names the model, if its name is known, and the server.
func (c *Client) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.name == "" {
		return c.endpoint.name
	}
	return c.name + " at " + c.endpoint.name
}

// Secrets returns the API key and the other secrets of Options. The caller owns the slice.
func (c *Client) Secrets() []string { return slices.Clone(c.endpoint.secretValues) }

// Close closes idle connections, unless Options.HTTPClient is set. Open replies continue.
func (c *Client) Close() {
	if c.endpoint.ownHTTP {
		c.endpoint.http.CloseIdleConnections()
	}
}

// presetFor returns the preset of the model with that name.
func (c *Client) presetFor(name string) Preset {
	if c.preset != nil {
		return *c.preset
	}
	return PresetFor(name)
}
