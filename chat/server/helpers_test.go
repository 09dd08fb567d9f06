package server_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/markdown"
	"github.com/vcpgo/vcp/chat/server"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/requesttest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// script is an engine.Model that writes one reply after the other. All conversations share the list
// of replies.
type script struct {
	mu      sync.Mutex
	replies []func(ctx context.Context, yield func(string) bool)
	systems []string // the system prompts of the requests
}

func (s *script) Stream(ctx context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		s.mu.Lock()
		s.systems = append(s.systems, req.Messages[0].Content)
		write := says("Nothing more.")
		if len(s.replies) > 0 {
			write, s.replies = s.replies[0], s.replies[1:]
		}
		s.mu.Unlock()
		wanted := true
		write(ctx, func(text string) bool {
			wanted = wanted && yield(engine.Delta{Text: text}, nil)
			return wanted
		})
		if !wanted {
			return
		}
		if ctx.Err() != nil {
			yield(engine.Delta{}, context.Cause(ctx))
			return
		}
		yield(engine.Delta{Finished: true, Finish: protocol.FinishStop}, nil)
	}
}

// says returns a reply that writes the pieces one after the other.
func says(pieces ...string) func(context.Context, func(string) bool) {
	return func(_ context.Context, yield func(string) bool) {
		for _, p := range pieces {
			if !yield(p) {
				return
			}
		}
	}
}

// waits returns a reply that writes a beginning, and then waits until the turn is canceled or
// release is closed.
func waits(beginning string, release <-chan struct{}) func(context.Context, func(string) bool) {
	return func(ctx context.Context, yield func(string) bool) {
		if !yield(beginning) {
			return
		}
		select {
		case <-ctx.Done():
		case <-release:
		}
	}
}

// calls returns a reply that requests a method.
func calls(t testing.TB, name string, args ...string) func(context.Context, func(string) bool) {
	t.Helper()
	return says("Look:\n", requesttest.Text(t, vcp.Protocol{}, name, args...))
}

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
			return server.User{ID: user, Visibility: engine.Visibility{ToolToggles: map[string]bool{"shop_buy": user != "guest"}}}, nil
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

// page is a tab of a user's browser that shows a conversation.
type page struct {
	*app
	user, id string
}

// open creates a conversation of a user and returns a page that shows it.
func (a *app) open(user string) *page {
	a.t.Helper()
	p := &page{a, user, ""}
	var m chat.Metadata
	p.post(http.StatusCreated, "", `{}`, &m)
	p.id = m.ID
	return p
}

// response is the response to a request of a page. Its body is closed at the end of the test.
type response struct {
	StatusCode int
	Header     http.Header
	Body       io.ReadCloser
}

func (p *page) request(method, path, body string, header ...string) response {
	p.t.Helper()
	address := p.url + "/conversations"
	if p.id != "" {
		address += "/" + p.id
	}
	req, err := http.NewRequestWithContext(p.t.Context(), method, address+path, strings.NewReader(body))
	require.NoError(p.t, err)
	req.Header.Set("X-User", p.user)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	r, err := p.client.Do(req)
	require.NoError(p.t, err)
	p.t.Cleanup(func() { r.Body.Close() })
	return response{r.StatusCode, r.Header, r.Body}
}

// read decodes the JSON of a response, which must have the given status.
func (p *page) read(r response, status int, out any) {
	p.t.Helper()
	data, err := io.ReadAll(r.Body)
	require.NoError(p.t, err)
	require.Equal(p.t, status, r.StatusCode, string(data))
	if out != nil {
		require.NoError(p.t, json.Unmarshal(data, out), string(data))
	}
}

func (p *page) post(status int, path, body string, out any) {
	p.t.Helper()
	p.read(p.request(http.MethodPost, path, body), status, out)
}

// refused fails the test unless a response is an error with the given status and code.
func (p *page) refused(r response, status int, code string) {
	p.t.Helper()
	var out struct{ Error server.Error }
	p.read(r, status, &out)
	require.Equal(p.t, code, out.Error.Code, out.Error.Message)
}

func (p *page) send(text string) {
	p.t.Helper()
	body, err := json.Marshal(map[string]string{"text": text})
	require.NoError(p.t, err)
	p.post(http.StatusAccepted, "/messages", string(body), nil)
}

// shownMessage is the JSON of a message as a page reads it.
type shownMessage struct {
	Seq                 int64
	Role, Content, HTML string
	Text                string
	ToolCall            []struct{ Status, Result string }
}

// shown is the JSON of a conversation as a page reads it.
type shown struct {
	Title                string
	Messages             []shownMessage
	Before               int64
	Pending              []call
	Running, CanContinue bool
	EventID              string
}

type call struct {
	RequestID, Digest, Method string
	Arguments                 json.RawMessage
}

func (p *page) show(query string) (c shown) {
	p.t.Helper()
	p.read(p.request(http.MethodGet, query, ""), http.StatusOK, &c)
	return c
}

func (c shown) texts() (list []string) {
	for _, m := range c.Messages {
		switch {
		case len(m.ToolCall) > 0:
			list = append(list, "result: "+m.ToolCall[0].Status)
		case m.Role == "assistant":
			list = append(list, m.Text)
		default:
			list = append(list, m.Content)
		}
	}
	return list
}

// event contains the members of an event that the tests check.
type event struct {
	ID, Raw          string `json:"-"`
	Kind, Text, Stop string
	RequestID        string
	After            int64
	Messages         []shownMessage
	Approval         *call
	Error            any
	Result           struct{ Status, ErrorType, Result, Why string }
}

// events reads the events of an open stream.
type events struct {
	t     *testing.T
	lines *bufio.Reader
	body  io.ReadCloser
}

// stream opens the stream after an event; "" means from now on.
func (p *page) stream(after string) *events {
	p.t.Helper()
	r := p.request(http.MethodGet, "/events", "", "Last-Event-ID", after)
	require.Equal(p.t, http.StatusOK, r.StatusCode)
	require.Equal(p.t, "text/event-stream", r.Header.Get("Content-Type"))
	return &events{p.t, bufio.NewReader(r.Body), r.Body}
}

// next returns the next event. It returns false at the end of the stream.
func (s *events) next() (e event, ok bool) {
	s.t.Helper()
	for {
		line, err := s.lines.ReadBytes('\n')
		if err != nil {
			return e, false
		}
		name, value, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(": "))
		switch string(name) {
		case "id":
			e.ID = string(value)
		case "data":
			e.Raw = string(value)
			require.NoError(s.t, json.Unmarshal(value, &e), "%d bytes, from %.40q to %.40q", len(value), value,
				value[max(0, len(value)-40):])
		case "":
			if e.Raw != "" {
				return e, true
			}
		}
	}
}

// until returns the events up to the first of the given kind.
func (s *events) until(kind string) (list []event) {
	s.t.Helper()
	for {
		e, ok := s.next()
		require.True(s.t, ok, "the stream ended before %s", kind)
		if list = append(list, e); e.Kind == kind {
			return list
		}
	}
}

func last(list []event) event { return list[len(list)-1] }
