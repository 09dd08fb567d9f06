package server_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/markdown"
	"github.com/vcpgo/vcp/chat/server"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// app is an application with a Server.
type app struct {
	t      *testing.T
	url    string
	client *http.Client
	server *server.Server
	http   *http.Server
	model  *script
	store  chat.Store
}

type buyIn struct {
	Item string `json:"item"`
}

func newEngine(t *testing.T, m engine.Model) *engine.Engine {
	t.Helper()
	buy, err := tool.New("buy", "Buys something.", func(ctx context.Context, in buyIn) (tool.Output, error) {
		return tool.Output{
			Text:  server.UserFrom(ctx) + " bought " + in.Item,
			Files: []tool.File{{Name: "bill.svg", MediaType: "image/svg+xml", Data: []byte("<svg/>")}},
		}, nil
	}, tool.AgentCallable(), tool.WithRisk(tool.RiskDangerous))
	require.NoError(t, err)
	registry := tool.NewRegistry()
	require.NoError(t, registry.Register(tool.Tool{ID: "shop", Methods: []tool.Method{buy}}))
	e, err := engine.New(engine.Options{
		Registry: registry, Protocols: []protocol.Protocol{vcp.Protocol{}}, Model: m, Config: engine.DefaultConfig(),
		Approver: executor.AwaitDecision,
	})
	require.NoError(t, err)
	return e
}

// newApp starts an application. The header X-User of a request is the ID of its user; the user
// "guest" has no tools.
func newApp(t *testing.T, change func(*server.Options), replies ...func(context.Context, func(string) bool)) *app {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	return newAppOn(t, listener, &http.Transport{}, change, replies...)
}

// newAppOn starts an application on a listener, to which transport connects.
func newAppOn(
	t *testing.T, listener net.Listener, transport *http.Transport, change func(*server.Options),
	replies ...func(context.Context, func(string) bool),
) *app {
	t.Helper()
	m := &script{replies: replies}
	r, err := markdown.New(markdown.Options{Protocols: []protocol.Protocol{vcp.Protocol{}}})
	require.NoError(t, err)
	o := server.Options{
		Engine: newEngine(t, m), Store: chat.NewMemoryStore(), Renderer: r,
		User: func(r *http.Request) (server.User, error) {
			user := r.Header.Get("X-User")
			if user == "" {
				return server.User{}, fmt.Errorf("no X-User")
			}
			toggles := map[string]bool{"shop_buy": user != "guest"}
			return server.User{ID: user, Visibility: engine.Visibility{ToolToggles: toggles}}, nil
		},
	}
	if change != nil {
		change(&o)
	}
	s, err := server.New(o)
	require.NoError(t, err)
	h := &http.Server{Handler: http.StripPrefix("/api", s), ReadHeaderTimeout: time.Minute}
	served := make(chan error, 1)
	go func() { served <- h.Serve(listener) }()
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context())
		require.NoError(t, s.Close(ctx))
		transport.CloseIdleConnections()
		require.NoError(t, h.Shutdown(ctx))
		require.ErrorIs(t, <-served, http.ErrServerClosed)
	})
	return &app{t, "http://" + listener.Addr().String() + "/api", &http.Client{Transport: transport}, s, h, m, o.Store}
}
