package mcp

import (
	"context"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/tool"
)

// promptPrefix begins the name of each method that is made of a prompt. The usual names of tools
// have no colon.
const promptPrefix = "prompt:"

// promptDefinition returns the definition of the method for a server's prompt.
func (s *endpoint) promptDefinition(p *sdk.Prompt) definition {
	properties, required := orderedjson.New(), []any{}
	for _, a := range p.Arguments {
		if a == nil {
			continue
		}
		property := orderedjson.New("type", "string")
		if a.Description != "" {
			property.Set("description", a.Description)
		}
		properties.Set(a.Name, property)
		if a.Required {
			required = append(required, a.Name)
		}
	}
	parameters := orderedjson.New("type", "object", "properties", properties, "required", required,
		"additionalProperties", false)
	return definition{
		name: promptPrefix + p.Name, title: p.Title, description: promptLead + p.Description, risk: tool.RiskWrite,
		parameters: orderedjson.Append(nil, parameters), handler: s.getPrompt(p.Name),
	}
}

// getPrompt returns the handler of the method for a prompt.
func (s *endpoint) getPrompt(name string) tool.Handler {
	return func(ctx context.Context, call *tool.Call) (tool.Output, error) {
		arguments := map[string]string{}
		if err := json.Unmarshal(call.Arguments, &arguments); err != nil {
			return tool.Output{}, errorf("the arguments of a prompt must be texts: %v", err)
		}
		r, err := request(ctx, s, func(ctx context.Context, conn *session) (*sdk.GetPromptResult, error) {
			params := &sdk.GetPromptParams{Name: name, Arguments: arguments}
			defer conn.progress.follow(params, call)()
			return conn.GetPrompt(ctx, params)
		})
		if err != nil {
			return tool.Output{}, err
		}
		b := s.newBuilder(promptPrefix+name, call)
		err = each(ctx, r.Messages, func(m *sdk.PromptMessage) {
			if m != nil {
				b.add(string(m.Role) + ":")
				b.content(m.Content)
			}
		})
		if err != nil {
			return tool.Output{}, err
		}
		return b.output(nil, false)
	}
}
