package mcp

import (
	"cmp"
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/tool"
)

// toolDefinition returns the definition of a server's tool. The tool's annotations are hints of a
// server that is not trusted, so they can only raise the risk.
func (s *endpoint) toolDefinition(conn *session, t *sdk.Tool) definition {
	d := definition{
		name: t.Name, title: t.Title, description: t.Description, risk: tool.RiskWrite, handler: s.callTool(t.Name),
	}
	if a := t.Annotations; a != nil {
		d.title = cmp.Or(d.title, a.Title)
		if a.DestructiveHint != nil && *a.DestructiveHint && !a.ReadOnlyHint {
			d.risk = tool.RiskDangerous
		}
	}
	// The server's own text of the schema, because t.InputSchema has lost the order of its members.
	if d.parameters = conn.listing.schema(t.Name); d.parameters == nil {
		d.parameters, _ = orderedjson.Encode(t.InputSchema) // no error: the schema was decoded from JSON
	}
	return d
}

// callTool returns the handler of a server's tool.
func (s *endpoint) callTool(name string) tool.Handler {
	return func(ctx context.Context, call *tool.Call) (tool.Output, error) {
		r, err := request(ctx, s, func(ctx context.Context, conn *session) (*sdk.CallToolResult, error) {
			params := &sdk.CallToolParams{Name: name, Arguments: call.Arguments}
			defer conn.progress.follow(params, call)()
			return conn.CallTool(ctx, params)
		})
		if err != nil {
			return tool.Output{}, err
		}
		b := s.newBuilder(name, call)
		if err := each(ctx, r.Content, b.content); err != nil {
			return tool.Output{}, err
		}
		return b.output(r.StructuredContent, r.IsError)
	}
}
