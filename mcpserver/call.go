package mcpserver

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// call runs a client's call as the engine runs a call of a model.
func (s *Server) call(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.life, cancel)()
	c := s.clients.of(r.Session, s.options.Engine)
	request := executor.Request{ID: "mcp-" + strconv.FormatUint(c.calls.Add(1), 10)}
	name, arguments, err := s.names().Call(r.Params.Name, string(r.Params.Arguments))
	if err != nil {
		return failure(err.Error()), nil
	}
	request.ToolRequest = protocol.ToolRequest{ToolName: name}
	for _, a := range arguments {
		request.Arguments = append(request.Arguments, protocol.Argument{Name: a.Name, Value: a.Value, Form: protocol.FormJSON})
	}
	ctx = withCall(ctx, &call{client: c, token: r.Params.GetProgressToken()})
	return answer(&c.engine.Execute(ctx, []executor.Request{request})[0]), nil
}

// answer returns the result for the client. It lacks Details, which are for people: clients show
// whole results to models.
func answer(r *executor.Result) *sdk.CallToolResult {
	if r.Status == protocol.StatusError {
		return failure(strings.TrimSpace(fmt.Sprintf("%s: %s\n%s", r.ErrorType, r.ToolResult.Result, r.Suggestion)))
	}
	result := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: r.ToolResult.Result}}}
	for _, f := range r.Files {
		result.Content = append(result.Content, fileContent(f))
	}
	return result
}

func failure(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}, IsError: true}
}

// fileContent returns a file as content for people, not for the model.
func fileContent(f tool.File) sdk.Content {
	forPeople := &sdk.Annotations{Audience: []sdk.Role{"user"}}
	switch kind, _, _ := strings.Cut(f.MediaType, "/"); kind {
	case "image":
		return &sdk.ImageContent{Data: f.Data, MIMEType: f.MediaType, Annotations: forPeople}
	case "audio":
		return &sdk.AudioContent{Data: f.Data, MIMEType: f.MediaType, Annotations: forPeople}
	}
	r := &sdk.ResourceContents{URI: "file:///" + url.PathEscape(f.Name), MIMEType: f.MediaType}
	if strings.HasPrefix(f.MediaType, "text/") && utf8.Valid(f.Data) {
		r.Text = string(f.Data)
	} else {
		r.Blob = f.Data
	}
	return &sdk.EmbeddedResource{Resource: r, Annotations: forPeople}
}
