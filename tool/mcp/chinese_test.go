package mcp

import (
	"encoding/json"
	"fmt"
	"io"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message/messagetest"
)

func TestEachTextIsTranslated(t *testing.T) {
	// For each function or method, the index of the argument that must be translated.
	messagetest.Check(t, chinese.MCP, map[string]int{"say": 1, "errorf": 0}, promptLead, "image", "audio")
	var texts []string
	for _, d := range (&endpoint{}).resourceDefinitions() {
		texts = append(texts, d.description)
		var parameters struct {
			Properties map[string]struct{ Description string }
		}
		require.NoError(t, json.Unmarshal(d.parameters, &parameters))
		for _, p := range parameters.Properties {
			texts = append(texts, p.Description)
		}
	}
	messagetest.CheckTexts(t, chinese.MCPDefinitions, texts)
}

func TestErrorsAreTranslated(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  interface{ In(language string) string }
		want string
	}{
		{
			"a reason of this package", &DownError{Server: "s", Reason: errNotBack},
			"MCP 服务器 s 现在无法连接，因此什么都没有做：连接已中断，尚未恢复。",
		},
		{
			"a reason in an error of the SDK",
			&DownError{Server: "s", Reason: newExplanation(nil, fmt.Errorf("calling initialize: %w", errNotBack), shownOutput)},
			"MCP 服务器 s 现在无法连接，因此什么都没有做：连接已中断，尚未恢复。",
		},
		{
			"the parts of a reason",
			&LostError{
				Server: "s", Refused: true,
				Reason: newExplanation(nil, errorf("the server answers %s", "500"), shownOutput, errorf("the server exited (%s)", "killed")),
			},
			"MCP 服务器 s 没有接受这次调用，因此什么都没有做：该服务器返回 500；该服务器已退出（killed）。如果仍然需要，请再次发送。",
		},
		{"a foreign reason", &DownError{Server: "s", Reason: io.EOF}, "MCP 服务器 s 现在无法连接，因此什么都没有做：EOF。"},
		{
			"the server's error", &ServerError{Server: "s", Code: -32602, Message: "bad city"},
			"MCP 服务器 s 返回了错误 -32602：bad city",
		},
	} {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, tt.err.In("zh")) })
	}
}

func TestLinesAboutFilesAreTranslated(t *testing.T) {
	b := builder{language: "zh"}
	err := each(t.Context(), []sdk.Content{
		&sdk.ImageContent{MIMEType: "image/png", Data: []byte("12")},
		&sdk.ResourceLink{URI: "x://y", Name: "y"},
		&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "x://z", Text: "z"}},
	}, b.content)
	require.NoError(t, err)
	require.Equal(t, []string{
		"[图像 image-1.png，image/png，2 字节；用户能看到，你看不到]", "[资源 x://y, y]", "[资源 x://z]\nz",
	}, b.parts)
}
