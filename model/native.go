package model

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool/schema"
	"github.com/vcpgo/vcp/tool/schema/export"
)

// maxProbeBytes limits what a model may write, including reasoning, before it makes the requested
// call.
const maxProbeBytes = 8 << 10

// Native implements engine.NativeModel. It reports whether tools are called through the API, as
// Options.Calls and the preset say. If neither decides, it asks the model once to call a tool, and
// keeps the outcome. Every error is an *Error.
func (c *Client) Native(ctx context.Context) (bool, error) {
	calls := c.calls
	if calls == CallsAuto {
		preset, err := c.Preset(ctx)
		if err != nil {
			return false, err
		}
		if calls = preset.Calls; !preset.ToolRole {
			calls = CallsText
		}
	}
	if calls != CallsAuto {
		return calls == CallsNative, nil
	}
	select { // sessions share one probe
	case c.probing <- struct{}{}:
		defer func() { <-c.probing }()
	case <-ctx.Done():
		return false, c.endpoint.newExchange("chat", nil).fail(ctx, ctx.Err())
	}
	if c.found == "" {
		native, err := c.probe(ctx)
		if err != nil {
			return false, err
		}
		if c.found = CallsText; native {
			c.found = CallsNative
		}
		c.endpoint.log.LogAttrs(ctx, slog.LevelInfo, "detected how tools are called",
			slog.String("server", c.endpoint.name), slog.String("calls", string(c.found)))
	}
	return c.found == CallsNative, nil
}

// probe asks the model to call a tool. The result is false if the server refuses or ignores the
// definition, or if the model does not call the tool. Any other failure is an error and decides
// nothing.
func (c *Client) probe(ctx context.Context) (native bool, err error) {
	ctx, cancel := withTimeout(ctx, c.endpoint.timeout)
	defer cancel()
	empty, err := schema.For[struct{}]()
	if err != nil {
		return false, err
	}
	tools, err := newToolDefinitions([]export.Definition{
		{Name: "ready", Description: "Reports that tools can be called.", Parameters: empty},
	}, nil)
	if err != nil {
		return false, err
	}
	r, err := c.prepare(ctx, engine.ModelRequest{Messages: []protocol.Message{
		{Role: protocol.RoleUser, Content: "Call the tool ready now, without any other words."},
	}}, tools)
	if err != nil {
		return false, err
	}
	written := 0
	err = c.endpoint.retry(ctx, "chat", func() attempt {
		a := c.stream(ctx, r, func(d engine.Delta, _ error) bool {
			written += len(d.Text) + len(d.Reasoning)
			native = native || d.CallPart != nil && d.CallPart.Name != ""
			return !native && written < maxProbeBytes
		})
		if a.err != nil && refusesTools(a.err.Status) {
			native = false
			return attempt{finished: true}
		}
		return a
	})
	return native && err == nil, err
}

// refusesTools reports whether a status can mean that the server accepts no definitions of tools.
// Some servers send 500.
func refusesTools(status int) bool {
	switch status {
	case http.StatusBadRequest, http.StatusMethodNotAllowed,
		http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity,
		http.StatusInternalServerError, http.StatusNotImplemented:
		return true
	}
	return false
}
