package chat_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// A meter is a transport that counts the bytes read from responses, and records whether a response
// was closed.
type meter struct {
	http.RoundTripper
	read   atomic.Int64
	closed atomic.Bool
}

type meteredBody struct {
	io.ReadCloser
	meter *meter
}

func (m *meter) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := m.RoundTripper.RoundTrip(req)
	if err == nil {
		resp.Body = meteredBody{resp.Body, m}
	}
	return resp, err
}

func (b meteredBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.meter.read.Add(int64(n))
	return n, err
}

func (b meteredBody) Close() error {
	b.meter.closed.Store(true)
	return b.ReadCloser.Close()
}

// maxMemoryPerByte is how many bytes of memory each byte of a reply may take. Reasoning sections of
// a few bytes take the most memory, because each is an event and a part of the reply.
const maxMemoryPerByte = 64

// An endless reply is truncated at its limit, whatever it contains, and its connection is closed.
// The memory that the reply takes is in proportion to the limit.
func TestUnracedAnEndlessReplyIsClosedAtItsLimit(t *testing.T) {
	longtest.SkipIfRaced(t)
	const request = "<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_echo「末」\n"
	// text returns an event with about 1 KiB of a repeated piece.
	text := func(piece string) string { return body("content", "", strings.Repeat(piece, 1024/len(piece)+1)) }
	call := func(arguments string) string {
		return `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a",` +
			`"function":{"name":"t_echo","arguments":"` + arguments + `"}}]}}]}` + "\n\n"
	}
	for _, tt := range []struct {
		name string
		// The stream is start, followed by repeated without end.
		start, repeated string
		calls           model.Calls
		limit           int // of the reply in bytes; 0 means the default
	}{
		{name: "text, with the default limit", repeated: text("text ")},
		{name: "reasoning", repeated: body("reasoning_content", "", strings.Repeat("text ", 200)), limit: 1 << 20},
		{name: "blanks", repeated: text(" "), limit: 1 << 20},
		{name: "reasoning in the text", repeated: text("<think>a</think>\n"), limit: 1 << 20},
		{name: "requests", repeated: text(request + "text:「始」a「末」\n<<<[END_TOOL_REQUEST]>>>\n"), limit: 1 << 20},
		{name: "requests in code", repeated: text("`" + request + "<<<[END_TOOL_REQUEST]>>>`\n"), limit: 1 << 20},
		{
			name: "blocks that are not requests", repeated: text("<<<[TOOL_REQUEST]>>>\n<<<[END_TOOL_REQUEST]>>>\n"),
			limit: 1 << 20,
		},
		{name: "a value", start: body("content", "", request+"text:「始」"), repeated: text("text "), limit: 1 << 20},
		{name: "fields", start: body("content", "", request), repeated: text("k:「始」v「末」\n"), limit: 1 << 20},
		{
			name: "reasoning sections in a request", start: body("content", "", request), repeated: text("<think>a</think>\n"),
			limit: 1 << 20,
		},
		{
			name: "arguments of a native call", start: call(`{\"text\":\"`), repeated: call(strings.Repeat("x", 1024)),
			calls: model.CallsNative, limit: 1 << 20,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			// Raw must not be empty; a colon begins a comment of the stream.
			server, client := modelserver.Pipe(t, modelserver.Reply{Raw: tt.start + ":\n\n", Endless: tt.repeated})
			wire := &meter{RoundTripper: client.Transport}
			m, err := model.New(model.Options{
				BaseURL: server.URL, Model: "scripted", HTTPClient: &http.Client{Transport: wire}, Calls: tt.calls,
				Logger: slog.New(slog.DiscardHandler),
			})
			require.NoError(t, err)
			config := engine.DefaultConfig()
			if tt.limit > 0 {
				config.MaxReplyBytes = tt.limit
			}
			reg := tool.NewRegistry()
			ran := false
			require.NoError(t, reg.Register(tool.Tool{ID: "t", Methods: []tool.Method{
				fn(t, "echo", func(context.Context, in) (string, error) { ran = true; return "", nil }),
			}}))
			e, err := engine.New(engine.Options{
				Registry: reg, Protocols: []protocol.Protocol{vcp.Protocol{}}, Model: m, Config: config,
				Logger: slog.New(slog.DiscardHandler),
			})
			require.NoError(t, err)
			conversation, err := chat.New(e, chat.Options{ID: "test"})
			require.NoError(t, err)
			var memoryBefore, memoryAfter runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&memoryBefore)
			var end engine.Event
			yielded := 0
			for ev, err := range conversation.Send(t.Context(), "go") {
				require.NoError(t, err)
				if end = ev; ev.Kind == engine.EventIterationDone {
					runtime.GC()
					runtime.ReadMemStats(&memoryAfter)
				} else {
					yielded += len(ev.Text)
				}
			}
			require.Equal(t, engine.StopIncomplete, end.Stop)
			require.Equal(t, engine.LimitReplyBytes, end.Limit)
			require.True(t, wire.closed.Load(), "the connection is closed")
			require.Less(t, int(wire.read.Load()), 3*config.MaxReplyBytes,
				"in JSON the text takes less than three times as much")
			require.LessOrEqual(t, yielded, config.MaxReplyBytes)
			require.Less(t, int(memoryAfter.HeapAlloc)-int(memoryBefore.HeapAlloc), maxMemoryPerByte*config.MaxReplyBytes)
			require.False(t, ran)
			last, _ := conversation.Last()
			require.True(t, last.Incomplete || last.Role == protocol.RoleUser, "a reply without text is not kept")
		})
	}
}
