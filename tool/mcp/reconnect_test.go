package mcp_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/tool"
)

func TestACallThatWasUnderWayIsNotSentAgain(t *testing.T) {
	c := testServerConfig(t, "dies")
	w := start(t, c)
	for n := 1; n <= 3; n++ {
		r := w.call("s/echo")
		require.Equal(t, executor.ErrorExecutionFailed, r.ErrorType)
		require.Contains(t, r.ToolResult.Result, "may or may not have been carried out")
		require.Contains(t, r.ToolResult.Result, "exit status 4")
		text, err := os.ReadFile(c.Env[fileEnv])
		require.NoError(t, err)
		require.Equal(t, strings.Repeat("echo\n", n), string(text))
	}
}

func TestErrorsInAChineseConversationAreChinese(t *testing.T) {
	w := start(t, testServerConfig(t, "dies"))
	w.language = "zh"
	r := w.call("s/echo")
	require.Equal(t, executor.ErrorExecutionFailed, r.ErrorType)
	require.Contains(t, r.ToolResult.Result, "这次调用可能已经执行，也可能没有")
	require.Contains(t, r.ToolResult.Result, "该服务器已退出（exit status 4）")
}

func TestChangedListsAreReadAgain(t *testing.T) {
	w := start(t, testServerConfig(t, "changes"))
	require.Equal(t, []string{"s/change", "s/post"}, w.names())
	w.says("s/change", "name", `"more"`, "description", `"Posts a text."`)
	w.eventually("the new tool is there", func() bool { return len(w.names()) == 3 })
	require.Equal(t, "done", w.says("s/more"))
	require.False(t, w.entry("s/more").Method.Changed.Open(), "a new tool needs no approval of a change")
	require.False(t, w.entry("s/post").Method.Changed.Open())
}

func TestAnAnnouncementDuringTheHandshakeDoesNoHarm(t *testing.T) {
	w := start(t, testServerConfig(t, "eager"))
	require.Equal(t, `echo {}`, w.says("s/echo"))
}

func TestCanceledCallsAreCanceledAtTheServer(t *testing.T) {
	c := testServerConfig(t, "hangs")
	w := start(t, c)
	noted := func(text string) func() bool {
		return func() bool {
			list, _ := os.ReadFile(c.Env[fileEnv])
			return strings.Contains(string(list), text)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for !noted("called")() && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	r := w.callIn(ctx, executor.Observer{}, "s/echo")
	require.Equal(t, executor.ErrorCanceled, r.ErrorType)
	w.eventually("the server knows", noted("canceled"))
	require.Equal(t, tool.HealthUp, w.state().Health, "the connection is still good")
}
