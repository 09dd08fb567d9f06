package model

import (
	"context"
	"log/slog"
	"net/http"

	openai "github.com/sashabaranov/go-openai"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool/schema"
	"github.com/vcpgo/vcp/tool/schema/export"
)

var _ engine.NativeModel = (*Client)(nil)

// Native implements engine.NativeModel: it reports whether tools are called by the API, as Options.Calls and the preset say. Where
// both leave it open it asks the model, once, to call a tool, and keeps the answer. Every error is an *Error.
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
	// One question for all sessions that want to know.
	select {
	case c.probing <- struct{}{}:
		defer func() { <-c.probing }()
	case <-ctx.Done():
		return false, c.fail(ctx, "chat", &exchange{client: c}, ctx.Err())
	}
	if c.found != "" {
		return c.found == CallsNative, nil
	}
	native, err := c.probe(ctx)
	if err != nil {
		return false, err
	}
	if c.found = CallsText; native {
		c.found = CallsNative
	}
	c.log.LogAttrs(ctx, slog.LevelInfo, "found out how tools are called", slog.String("server", c.baseURL), slog.String("calls", string(c.found)))
	return native, nil
}

// probeBytes is how much a model may write, reasoning included, before it calls the tool that it was asked to call.
const probeBytes = 8 << 10

// probe asks the model to call a tool. A server that refuses definitions of tools, one that ignores them, and a model that does not
// call all mean calls in text. Any other failure is an error and says nothing about calls.
func (c *Client) probe(ctx context.Context) (native bool, err error) {
	ctx, cancel := c.within(ctx)
	defer cancel()
	name, err := c.Name(ctx)
	if err != nil {
		return false, err
	}
	empty, err := schema.For[struct{}]()
	if err != nil {
		return false, err
	}
	o, err := newOffer([]export.Definition{{Name: "ready", Description: "Tells that tools can be called.", Parameters: empty}}, nil)
	if err != nil {
		return false, err
	}
	preset := c.presetFor(name)
	question := c.request(name, &preset, o, engine.ModelRequest{Messages: []protocol.Message{{
		Role: protocol.RoleUser, Content: "Call the tool ready now, without any other words.",
	}}})
	written, refused := 0, false
	failure := c.persist(ctx, "chat", func() attempt {
		a := c.stream(ctx, name, question, o, func(d engine.Delta, _ error) bool {
			written += len(d.Text) + len(d.Reasoning)
			native = native || d.CallPart != nil && d.CallPart.Name != ""
			return !native && written < probeBytes
		})
		if refused = a.err != nil && refusal(a.err.Status); refused {
			a.err = nil
			a.finished = true
		}
		return a
	})
	if failure != nil {
		return false, failure
	}
	return native && !refused, nil
}

// refusal reports whether a status can mean that the server takes no definitions of tools. Some say so with 500.
func refusal(status int) bool {
	switch status {
	case http.StatusBadRequest, http.StatusMethodNotAllowed, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity,
		http.StatusInternalServerError, http.StatusNotImplemented:
		return true
	}
	return false
}

// addTools tells a request of tools.
func addTools(out *openai.ChatCompletionRequest, o *offer, noCalls bool) {
	if o == nil {
		return
	}
	out.Tools = o.tools
	if noCalls {
		out.ToolChoice = "none"
	}
}
