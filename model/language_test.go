package model_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
)

// TestErrorsHaveAChineseForm checks the Chinese form of an error as a person reads it.
func TestErrorsHaveAChineseForm(t *testing.T) {
	for _, tt := range []struct {
		name    string
		reply   modelserver.Reply
		chinese string // after the URL of the server
	}{
		{"no key", modelserver.Failure(401, "who are you"), "拒绝访问（401 Unauthorized）：who are you；没有发送 API 密钥"},
		{
			"too many requests", with(modelserver.Failure(429, "slow down"), "Retry-After", "120"),
			"暂时不再接受请求（429 Too Many Requests）：slow down；请稍后再试（服务器要求等待 2m0s）",
		},
		{
			"no path", modelserver.Failure(404, "nothing here"),
			"没有这个路径（404 Not Found）：nothing here；base URL 是否正确？它通常以 /v1 结尾",
		},
		{"silence", modelserver.Stalled("Let me"), "太慢：3s 内没有发送任何内容"},
		{"a web page", modelserver.Raw("text/html", "<html></html>"), "返回了网页，而不是模型的回复；base URL 是否正确？它通常以 /v1 结尾"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, c := piped(t, model.Options{IdleTimeout: 3 * time.Second, Retries: -1}, tt.reply)
				_, err := ask(t.Context(), c, hello)
				require.Equal(t, s.URL+" "+tt.chinese, message.In(err, "zh"))
				require.Equal(t, requireError(t, err).Message, message.In(err, "en"))
			})
		})
	}
}
