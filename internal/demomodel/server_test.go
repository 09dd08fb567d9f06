package demomodel_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/demomodel"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// send makes one request on a new connection.
func send(t *testing.T, method, url, body string) (status int, answer string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	require.NoError(t, err)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(b)
}

type apiReply struct {
	Choices []struct {
		Delta, Message struct{ Role, Content string }
		FinishReason   *string `json:"finish_reason"`
	}
	Usage *struct {
		Prompt int `json:"prompt_tokens"`
		Reply  int `json:"completion_tokens"`
		Total  int `json:"total_tokens"`
	}
	Error *struct{ Message, Type, Code string }
}

func TestRequestsThatCannotBeAnsweredAreRefused(t *testing.T) {
	s := startServer(t, demomodel.Options{})
	tests := []struct {
		name, method, path, body string
		status                   int
		code, says               string
	}{
		{"no JSON", "POST", "/chat/completions", `{`, 400, "invalid_value", "not a JSON object"},
		{"JSON of another kind", "POST", "/chat/completions", `[]`, 400, "invalid_value", "not a JSON object"},
		{"no messages", "POST", "/chat/completions", `{"model":"vcp-demo-planner"}`, 400, "invalid_value", "messages are missing"},
		{
			"an unknown role", "POST", "/chat/completions", `{"messages":[{"role":"king","content":"x"}]}`, 400,
			"invalid_value", `role "king"`,
		},
		{
			"content of a wrong type", "POST", "/chat/completions", `{"messages":[{"role":"user","content":3}]}`, 400,
			"invalid_value", "content is neither",
		},
		{
			"another model", "POST", "/chat/completions", `{"model":"gpt-9","messages":[{"role":"user","content":"x"}]}`,
			404, "model_not_found", `"vcp-demo-planner"`,
		},
		{
			"several replies", "POST", "/chat/completions", `{"n":2,"messages":[{"role":"user","content":"x"}]}`, 400,
			"invalid_value", "n is 2",
		},
		{
			"a token limit of 0", "POST", "/chat/completions", `{"max_tokens":0,"messages":[{"role":"user","content":"x"}]}`,
			400, "invalid_value", "max_tokens is 0",
		},
		{
			"a stop of a wrong type", "POST", "/chat/completions", `{"stop":3,"messages":[{"role":"user","content":"x"}]}`,
			400, "invalid_value", "stop is neither",
		},
		{
			"native tools", "POST", "/chat/completions",
			`{"tools":[{"type":"function"}],"messages":[{"role":"user","content":"x"}]}`, 400, "unsupported_parameter", "native tools",
		},
		{"a request too large", "POST", "/chat/completions", strings.Repeat(" ", demomodel.MaxBody+1), 413, "request_too_large", "bytes"},
		{"another method", "GET", "/chat/completions", ``, 404, "unknown_url", "POST /v1/chat/completions"},
		{"another address", "POST", "/embeddings", `{}`, 404, "unknown_url", "/v1/chat/completions"},
		{"an unknown model", "GET", "/models/gpt-9", ``, 404, "model_not_found", "gpt-9"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			status, answer := send(t, tt.method, s.URL()+tt.path, tt.body)
			require.Equal(t, tt.status, status)
			var got apiReply
			require.NoError(t, json.Unmarshal([]byte(answer), &got), answer)
			require.NotNil(t, got.Error)
			require.Equal(t, tt.code, got.Error.Code)
			require.Contains(t, got.Error.Message, tt.says)
			require.NotEmpty(t, got.Error.Type)
		})
	}
}

func TestTheModelDescribesItself(t *testing.T) {
	s := startServer(t, demomodel.Options{})
	for _, path := range []string{"/models", "/models/vcp-demo-planner", "/../"} { // the last is the root, without /v1
		status, answer := send(t, "GET", s.URL()+path, "")
		require.Equal(t, 200, status)
		require.Contains(t, answer, "vcp-demo-planner")
		require.Contains(t, answer, "rule-based planner")
	}
}

func chatBody(t *testing.T, extra map[string]any) string {
	t.Helper()
	body := map[string]any{"messages": []any{map[string]any{"role": "user", "content": "Hello!"}}}
	for k, v := range extra {
		body[k] = v
	}
	b, err := json.Marshal(body)
	require.NoError(t, err)
	return string(b)
}

func complete(t *testing.T, s *demomodel.Server, extra map[string]any) (text, finish string) {
	t.Helper()
	status, answer := send(t, "POST", s.URL()+"/chat/completions", chatBody(t, extra))
	require.Equal(t, 200, status, answer)
	var got apiReply
	require.NoError(t, json.Unmarshal([]byte(answer), &got))
	require.Equal(t, "assistant", got.Choices[0].Message.Role)
	require.Equal(t, got.Usage.Total, got.Usage.Prompt+got.Usage.Reply)
	return got.Choices[0].Message.Content, *got.Choices[0].FinishReason
}

func TestStopTextsAndTokenLimitsEndAReply(t *testing.T) {
	s := startServer(t, demomodel.Options{})
	whole, finish := complete(t, s, nil)
	require.Equal(t, "stop", finish)
	untilStop, _, _ := strings.Cut(whole, whole[20:25])
	// A token is estimated as 4 bytes.
	tests := []struct {
		name   string
		extra  map[string]any
		want   string
		finish string
	}{
		{"a stop text ends the reply before it", map[string]any{"stop": whole[20:25]}, untilStop, "stop"},
		{"the first of several stop texts counts", map[string]any{"stop": []string{whole[40:46], whole[10:16], ""}}, whole[:10], "stop"},
		{"stop texts may overlap", map[string]any{"stop": []string{whole[12:18], whole[10:14]}}, whole[:10], "stop"},
		{"a stop text that does not occur changes nothing", map[string]any{"stop": []string{"☂"}}, whole, "stop"},
		{"null is not a stop text", map[string]any{"stop": nil}, whole, "stop"},
		{"the token limit truncates the reply", map[string]any{"max_tokens": 5}, whole[:20], "length"},
		{"the newer name of the token limit wins", map[string]any{"max_tokens": 500, "max_completion_tokens": 5}, whole[:20], "length"},
		{"a limit that is not reached changes nothing", map[string]any{"max_tokens": 4000}, whole, "stop"},
		{"a stop text before the token limit counts", map[string]any{"max_tokens": 5, "stop": whole[10:16]}, whole[:10], "stop"},
		{"the model may be named", map[string]any{"model": "vcp-demo-planner"}, whole, "stop"},
		{"content may come in parts", map[string]any{"messages": []any{map[string]any{
			"role": "user", "content": []any{map[string]any{"type": "text", "text": "Hel"}, map[string]any{"type": "text", "text": "lo!"}},
		}}}, whole, "stop"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text, finish := complete(t, s, tt.extra)
			require.Equal(t, tt.want, text)
			require.Equal(t, tt.finish, finish)
		})
	}
}

func TestAStreamIsTheSameReplyInSmallPieces(t *testing.T) {
	s := startServer(t, demomodel.Options{})
	whole, _ := complete(t, s, nil)
	_, answer := send(t, "POST", s.URL()+"/chat/completions", chatBody(t, map[string]any{
		"stream": true, "stream_options": map[string]any{"include_usage": true},
	}))
	require.True(t, strings.HasSuffix(answer, "data: [DONE]\n\n"))
	text, finish, usage := "", "", false
	lines := bufio.NewScanner(strings.NewReader(strings.TrimSuffix(answer, "data: [DONE]\n\n")))
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			require.Empty(t, lines.Text())
			continue
		}
		var got apiReply
		require.NoError(t, json.Unmarshal([]byte(data), &got))
		if got.Usage != nil {
			usage = true
			require.Empty(t, got.Choices)
			continue
		}
		require.Empty(t, finish, "nothing but usage comes after the finish reason")
		require.LessOrEqual(t, len([]rune(got.Choices[0].Delta.Content)), 8)
		text += got.Choices[0].Delta.Content
		if r := got.Choices[0].FinishReason; r != nil {
			finish = *r
		}
	}
	require.Equal(t, whole, text)
	require.Equal(t, "stop", finish)
	require.True(t, usage)
}

func TestAProtocolWithoutAReaderIsRefused(t *testing.T) {
	_, err := demomodel.Start(demomodel.Options{Protocol: struct{ protocol.Protocol }{vcp.Protocol{}}})
	require.ErrorContains(t, err, "protocol.Reader")
	_, err = demomodel.Start(demomodel.Options{})
	require.ErrorContains(t, err, "protocol.Reader")
}

// Close waits for an open reply, which the reader gets whole.
func TestCloseLetsAReplyEnd(t *testing.T) {
	s := startServer(t, demomodel.Options{Pause: time.Millisecond})
	client, err := model.New(model.Options{BaseURL: s.URL()})
	require.NoError(t, err)
	defer client.Close()
	closed := make(chan error, 1)
	text, finished := "", false
	for d, err := range client.Stream(t.Context(), engine.ModelRequest{Messages: []protocol.Message{asked("Hello!")}}) {
		require.NoError(t, err)
		if text == "" && d.Text != "" {
			go func() { closed <- s.Close(context.Background()) }()
		}
		text += d.Text
		finished = finished || d.Finished
	}
	require.True(t, finished)
	client.Close()
	require.NoError(t, <-closed)
	require.NoError(t, s.Wait(t.Context()))
}

// Close truncates a reply when the context of Close ends, and the client notices.
func TestCloseAbortsAReplyWhenItsContextEnds(t *testing.T) {
	s := startServer(t, demomodel.Options{Pause: time.Hour})
	client, err := model.New(model.Options{BaseURL: s.URL(), Model: demomodel.ModelID})
	require.NoError(t, err)
	defer client.Close()
	finished, pieces := false, 0
	for d, err := range client.Stream(t.Context(), engine.ModelRequest{Messages: []protocol.Message{asked("Hello!")}}) {
		finished = finished || d.Finished
		if err == nil {
			pieces++
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			require.ErrorIs(t, s.Close(ctx), context.Canceled)
		}
	}
	require.False(t, finished)
	require.Equal(t, 1, pieces)
	require.NoError(t, s.Wait(t.Context()))
}
