package model

import (
	"encoding/json"
	"slices"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool/schema/export"
)

// An offer is the tools that a request tells of, in the API's form.
type offer struct {
	request engine.ModelRequest // the one that it was made for: its Tools and its Protocol alone
	names   *export.Tools
	tools   []openai.Tool
	full    map[string]string // the API's names to full ones
}

// offerFor returns the offer for the tools of a request; nil for none. The last one is kept: a conversation makes the same again and
// again.
func (c *Client) offerFor(req engine.ModelRequest) (*offer, error) {
	if len(req.Tools) == 0 {
		return nil, nil
	}
	c.mu.Lock()
	last := c.offered
	c.mu.Unlock()
	if last != nil && slices.Equal(last.request.Tools, req.Tools) && protocolID(last.request) == protocolID(req) {
		return last, nil
	}
	definitions := make([]export.Definition, len(req.Tools))
	for i, entry := range req.Tools {
		definitions[i] = entry.NativeDefinition()
	}
	o, err := newOffer(definitions, req.Protocol)
	if err != nil {
		return nil, err
	}
	o.request.Tools, o.request.Protocol = slices.Clone(req.Tools), req.Protocol
	c.mu.Lock()
	c.offered = o
	c.mu.Unlock()
	return o, nil
}

// protocolID names the text protocol in use; "" if none is.
func protocolID(req engine.ModelRequest) string {
	if req.Protocol == nil {
		return ""
	}
	return req.Protocol.ID()
}

// newOffer writes definitions, neutralized for p if that is not nil.
func newOffer(definitions []export.Definition, p protocol.Protocol) (*offer, error) {
	names, err := export.NewTools(export.OpenAI, definitions)
	if err != nil {
		return nil, err
	}
	var wire []struct {
		Function struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		} `json:"function"`
	}
	text := names.JSON()
	if p != nil {
		text = names.Neutralized(p.Neutralize)
	}
	if err := json.Unmarshal(text, &wire); err != nil {
		return nil, err
	}
	o := &offer{names: names, full: map[string]string{}}
	for i, w := range wire {
		o.full[w.Function.Name] = definitions[i].Name
		o.tools = append(o.tools, openai.Tool{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{
			Name: w.Function.Name, Description: w.Function.Description, Parameters: w.Function.Parameters,
		}})
	}
	return o, nil
}

// fullName turns the API's name of a tool back. Another name stays: what it means is for the registry to say.
func (o *offer) fullName(wire string) string {
	if o != nil {
		if name, ok := o.full[wire]; ok {
			return name
		}
	}
	return wire
}

// wireCalls are the calls of a message in the history, as the API takes them.
func (o *offer) wireCalls(calls []protocol.ToolCall) []openai.ToolCall {
	var list []openai.ToolCall
	for _, c := range calls {
		name := ""
		if o != nil {
			name = o.names.Name(c.Name)
		}
		if name == "" { // a tool that is no longer there
			name = allowedName(c.Name)
		}
		list = append(list, openai.ToolCall{ID: c.ID, Type: openai.ToolTypeFunction, Function: openai.FunctionCall{
			Name: name, Arguments: soundArguments(c),
		}})
	}
	return list
}

// allowedName writes a name with the characters that the API takes.
func allowedName(name string) string {
	const most = 64
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
	if name == "" {
		return "_"
	}
	return name[:min(len(name), most)]
}

// soundArguments returns the arguments of a call as a JSON object: servers read them to render the history, and fail on others. What a
// model wrote instead stands in one argument, so that it can see what it did.
func soundArguments(c protocol.ToolCall) string {
	if strings.TrimSpace(c.Arguments) == "" {
		return "{}"
	}
	if _, err := c.Request(); err == nil {
		return c.Arguments
	}
	b, _ := json.Marshal(map[string]string{"not_json": c.Arguments}) // strings always encode
	return string(b)
}
