package model

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	openai "github.com/sashabaranov/go-openai"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool/schema/export"
)

// toolDefinitions are the tools of a request in the form of the API. Nil means no tools.
type toolDefinitions struct {
	names *export.Tools // converts between full names and the names in the API
	json  json.RawMessage
}

// newToolDefinitions writes definitions, neutralized for the protocol p unless p is nil.
func newToolDefinitions(definitions []export.Definition, p protocol.Protocol) (*toolDefinitions, error) {
	names, err := export.NewTools(export.OpenAI, definitions)
	if err != nil {
		return nil, err
	}
	d := &toolDefinitions{names: names, json: names.JSON()}
	if p != nil {
		d.json = names.Neutralized(p.Neutralize)
	}
	return d, nil
}

// fullName returns the full name for a name in the API. An unknown name stays as it is; the
// registry refuses it.
func (d *toolDefinitions) fullName(name string) string {
	if d != nil {
		name, _, _ = d.names.Call(name, "") // no arguments, so there is no error
	}
	return name
}

// calls returns the calls of a message in the history, in the form of the API.
func (d *toolDefinitions) calls(calls []protocol.ToolCall) []openai.ToolCall {
	var list []openai.ToolCall
	for _, c := range calls {
		f := openai.FunctionCall{Arguments: objectArguments(c)}
		if d != nil {
			f.Name = d.names.Name(c.Name)
		}
		if f.Name == "" { // the tool is gone
			f.Name = allowedName(c.Name)
		}
		list = append(list, openai.ToolCall{ID: c.ID, Type: openai.ToolTypeFunction, Function: f})
	}
	return list
}

// allowedName replaces the characters of a name that the API refuses, and shortens the name.
func allowedName(name string) string {
	const maxName = 64 // bytes; the limit of OpenAI
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
	if name == "" {
		return "_"
	}
	return name[:min(len(name), maxName)]
}

// objectArguments returns the arguments of a call as a JSON object, because servers refuse a
// history with any other JSON. What a model wrote instead of an object becomes one argument, so
// that the model sees its mistake.
func objectArguments(c protocol.ToolCall) string {
	if strings.TrimSpace(c.Arguments) == "" {
		return "{}"
	}
	if _, err := c.Request(); err == nil {
		return c.Arguments
	}
	b, _ := json.Marshal(map[string]string{"not_json": c.Arguments}) // strings always encode
	return string(b)
}

// toolCache keeps the last definitions, because a conversation sends the same ones again and again.
// The zero value is ready to use. It is safe for concurrent use.
type toolCache struct {
	mu              sync.Mutex
	lastDefinitions *toolDefinitions
	// lastRequest has the Tools, Language and Protocol of lastDefinitions.
	lastRequest engine.ModelRequest
}

// definitions returns the definitions for a request, or nil for a request without tools.
func (c *toolCache) definitions(req engine.ModelRequest) (*toolDefinitions, error) {
	if len(req.Tools) == 0 {
		return nil, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lastDefinitions != nil && slices.Equal(c.lastRequest.Tools, req.Tools) && c.lastRequest.Language == req.Language &&
		protocolID(c.lastRequest) == protocolID(req) {
		return c.lastDefinitions, nil
	}
	definitions := make([]export.Definition, len(req.Tools))
	for i, entry := range req.Tools {
		definitions[i] = entry.NativeDefinition(req.Language)
	}
	d, err := newToolDefinitions(definitions, req.Protocol)
	if err != nil {
		return nil, requestFault(err)
	}
	c.lastRequest = engine.ModelRequest{Tools: slices.Clone(req.Tools), Language: req.Language, Protocol: req.Protocol}
	c.lastDefinitions = d
	return d, nil
}

// protocolID names the text protocol in use. It is "" if the model calls tools only through the
// API.
func protocolID(req engine.ModelRequest) string {
	if req.Protocol == nil {
		return ""
	}
	return req.Protocol.ID()
}
