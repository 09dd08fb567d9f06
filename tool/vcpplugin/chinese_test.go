package vcpplugin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message/messagetest"
	"github.com/vcpgo/vcp/tool"
)

func TestEachTextIsTranslated(t *testing.T) {
	// For each function or method, the index of the argument that must be translated.
	messagetest.Check(t, chinese.VCPPlugin, map[string]int{"say": 1, "Text": 0})
}

func TestResultsAreTranslated(t *testing.T) {
	var out tool.Output
	require.Equal(t, "[用户能看到文件 image-1.png，2 字节]", addFile(&out, "data:image/png;base64,YWI=", "zh"))
	require.Equal(t, "[一个文件被丢弃：它不是 base64 的 data URL]", addFile(&out, "data:image/png,ab", "zh"))
	require.Equal(t, `插件没有输出含有 "status" 的 JSON 对象（exit status 1）`, (&NoReplyError{State: "exit status 1"}).In("zh"))
}
