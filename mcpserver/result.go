package mcpserver

import (
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// clientResult converts a result for the client. It omits Details, which are for people, because
// clients show whole results to models.
func clientResult(r *executor.Result) *sdk.CallToolResult {
	if r.Status == protocol.StatusError {
		return failure(strings.TrimSpace(fmt.Sprintf("%s: %s\n%s", r.ErrorType, r.ToolResult.Result, r.Suggestion)))
	}
	result := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: r.ToolResult.Result}}}
	for _, f := range r.Files {
		result.Content = append(result.Content, fileContent(f))
	}
	return result
}

// failure returns a result that reports an error.
func failure(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}, IsError: true}
}

// fileContent converts a file to content with the annotation that it is for people, not for models.
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
