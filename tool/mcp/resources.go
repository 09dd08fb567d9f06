package mcp

import (
	"context"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/vcpgo/vcp/tool"
)

// The names of the methods on resources. The usual names of tools have no colon.
const (
	listResources = "resources:list"
	readResource  = "resources:read"
)

const (
	maxResources = 2000    // limits the listed resources, and also the listed templates
	maxListed    = 4 << 20 // the lists end after so many bytes of resources and templates together
)

// resourceDefinitions returns the definitions of the methods that list and read a server's
// resources.
func (s *endpoint) resourceDefinitions() []definition {
	return []definition{
		{
			name: listResources, description: "Lists the resources of the server: their addresses, and what they are.",
			parameters: json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`),
			risk:       tool.RiskWrite, handler: s.listResources, ours: true,
		},
		{
			name: readResource, description: "Reads a resource of the server by its address, as the list of resources shows it. " +
				"In an address that is a template, replace the parts in braces first.",
			parameters: json.RawMessage(`{"type":"object","properties":{` +
				`"uri":{"type":"string","description":"the address of the resource"}},` +
				`"required":["uri"],"additionalProperties":false}`),
			risk: tool.RiskWrite, handler: s.readResource, ours: true,
		},
	}
}

// listResources is the handler of resources:list.
func (s *endpoint) listResources(ctx context.Context, call *tool.Call) (tool.Output, error) {
	b, err := request(ctx, s, func(ctx context.Context, conn *session) (*builder, error) {
		b := s.newBuilder(listResources, call)
		resources, templates := 0, 0
		for r, err := range conn.Resources(ctx, nil) {
			if err != nil {
				return nil, err
			}
			if r != nil {
				b.listResource(ResourceDetails{URI: r.URI, Name: r.Name, MediaType: r.MIMEType, Description: r.Description})
			}
			if resources++; resources == maxResources || b.listed >= maxListed {
				break
			}
		}
		for t, err := range conn.ResourceTemplates(ctx, nil) {
			if err != nil {
				break // many servers without templates answer with an error
			}
			if t != nil {
				b.listResource(ResourceDetails{
					URI: t.URITemplate, Name: t.Name, MediaType: t.MIMEType, Description: t.Description,
				})
			}
			if templates++; templates == maxResources || b.listed >= maxListed {
				break
			}
		}
		return b, nil
	})
	if err != nil {
		return tool.Output{}, err
	}
	if len(b.parts) == 0 {
		b.add(say(b.language, "The server has no resources."))
	}
	return b.output(nil, false)
}

// readResource is the handler of resources:read.
func (s *endpoint) readResource(ctx context.Context, call *tool.Call) (tool.Output, error) {
	var in struct {
		URI string `json:"uri"`
	}
	if err := json.Unmarshal(call.Arguments, &in); err != nil {
		return tool.Output{}, errorf("the address of a resource must be a text: %v", err)
	}
	r, err := request(ctx, s, func(ctx context.Context, conn *session) (*sdk.ReadResourceResult, error) {
		params := &sdk.ReadResourceParams{URI: in.URI}
		defer conn.progress.follow(params, call)()
		return conn.ReadResource(ctx, params)
	})
	if err != nil {
		return tool.Output{}, err
	}
	b := s.newBuilder(readResource, call)
	if err := each(ctx, r.Contents, b.resource); err != nil {
		return tool.Output{}, err
	}
	return b.output(nil, false)
}
