package chat_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/memorytest"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/internal/work"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// A cost is the work of reading replies, from the bytes that a server sends to the events of a
// conversation.
type cost struct {
	sent      int // bytes of the bodies
	examined  int // bytes; a byte that is examined twice counts twice
	allocated int // bytes
}

// cost runs a turn with a server that sends the stream. n is as in hostileStream.bodies.
func (s *hostileStream) cost(t *testing.T, n int) (c cost) {
	var replies []modelserver.Reply
	for _, body := range s.bodies(n) {
		replies = append(replies, modelserver.Reply{Raw: body, Chunk: s.chunk})
		c.sent += len(body)
	}
	for range 8 { // for further requests of the engine
		replies = append(replies, modelserver.Text("x"))
	}
	server, client := modelserver.Pipe(t, replies...)
	defer server.Close()
	preset := model.DefaultPreset()
	if s.preset != nil {
		s.preset(&preset)
	}
	m, err := model.New(model.Options{
		BaseURL: server.URL, Model: "scripted", HTTPClient: client, Preset: &preset, Calls: s.calls, Retries: -1,
		Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	textProtocol := s.protocol
	if textProtocol == nil {
		textProtocol = vcp.Protocol{}
	}
	reg := tool.NewRegistry()
	echo := fn(t, "echo", func(_ context.Context, in in) (string, error) { return in.Text, nil })
	require.NoError(t, reg.Register(tool.Tool{ID: "t", Methods: []tool.Method{echo}}))
	e, err := engine.New(engine.Options{
		Registry: reg, Protocols: []protocol.Protocol{textProtocol}, Model: m, Config: engine.DefaultConfig(),
		Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	conversation, err := chat.New(e, chat.Options{ID: "test"})
	require.NoError(t, err)
	c.allocated = memorytest.Allocated(func() {
		c.examined = work.Count(func() {
			for range conversation.Send(t.Context(), "go") { //nolint:errcheck // any end is fine here
			}
		})
	})
	return c
}

// Four times as much input may cost maxGrowth times as much: a quarter more than four times,
// because buffers grow in steps. Each byte of a body may be examined maxExamined times: as part of
// a line, of an event and of nested values, and by the parser.
const (
	maxGrowth   = 4 * 1.25
	maxExamined = 40
)

// The work from the body to the events is in proportion to the size of any stream. No clock is
// involved: readers count the bytes that they examine (internal/work), and the allocated memory
// shows how much is copied.
func TestUnracedWorkIsLinear(t *testing.T) {
	longtest.SkipIfRaced(t)
	const n = 1000
	streams := hostileStreams()
	streams[0].cost(t, n) // warm up
	for _, s := range streams {
		t.Run(s.name, func(t *testing.T) {
			s.requireLinear(t, n)
		})
	}
}

// requireLinear fails the test if a cost, without that of the smallest stream, grows faster than n.
func (s *hostileStream) requireLinear(t *testing.T, n int) {
	base, small, large := s.cost(t, 1), s.cost(t, n), s.cost(t, 4*n)
	counts := fmt.Sprintf("bytes of the small, the large and the smallest stream: "+
		"sent %d, %d, %d; examined %d, %d, %d; allocated %d, %d, %d",
		small.sent, large.sent, base.sent, small.examined, large.examined, base.examined,
		small.allocated, large.allocated, base.allocated)
	require.LessOrEqual(t, large.examined, maxExamined*large.sent, counts)
	requireGrowth := func(small, large int) {
		t.Helper()
		require.LessOrEqual(t, float64(large), maxGrowth*float64(small), counts)
	}
	requireGrowth(small.examined-base.examined, large.examined-base.examined)
	requireGrowth(small.allocated-base.allocated, large.allocated-base.allocated)
}
