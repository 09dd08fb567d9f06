package server_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/server"
	"github.com/vcpgo/vcp/internal/modelserver"
)

// transport returns a transport whose connections are in memory. Their deadlines follow the clock
// of synctest.
func transport(l *modelserver.PipeListener) *http.Transport {
	return &http.Transport{DialContext: l.Dial}
}

// client is a connection to an application. It reads and writes only when the test calls for it.
type client struct {
	net.Conn
	t     *testing.T
	in    *bufio.Reader
	start time.Time
}

// connect sends the header of a request: methodAndPath and the lines in header.
func (p *page) connect(l *modelserver.PipeListener, methodAndPath string, header ...string) *client {
	p.t.Helper()
	conn, err := l.Dial(p.t.Context(), "", "")
	require.NoError(p.t, err)
	p.t.Cleanup(func() { conn.Close() })
	c := &client{conn, p.t, bufio.NewReader(conn), time.Now()}
	method, path, _ := strings.Cut(methodAndPath, " ")
	request := fmt.Sprintf("%s /api/conversations/%s%s HTTP/1.1\r\nHost: x\r\nX-User: %s\r\n", method, p.id, path, p.user)
	for _, line := range header {
		request += line + "\r\n"
	}
	_, err = io.WriteString(conn, request+"\r\n")
	require.NoError(p.t, err)
	return c
}

// response reads the header of a response, which must have the given status, and returns its body.
func (c *client) response(status int) io.Reader {
	c.t.Helper()
	r, err := http.ReadResponse(c.in, nil)
	require.NoError(c.t, err)
	c.t.Cleanup(func() { r.Body.Close() })
	require.Equal(c.t, status, r.StatusCode)
	return r.Body
}

// disconnected waits until the server closes the connection, and returns how long the connection
// was open. It reads nothing: a write fails with io.ErrClosedPipe after the server has closed.
func (c *client) disconnected() time.Duration {
	c.t.Helper()
	for {
		err := c.SetWriteDeadline(time.Now().Add(time.Second))
		if err == nil {
			_, err = c.Write([]byte("x"))
		}
		if errors.Is(err, io.ErrClosedPipe) {
			return time.Since(c.start).Truncate(time.Second)
		}
	}
}

// A page that reads nothing while a turn has more events than the log keeps is told to load the
// conversation again.
func TestASlowPageLoadsTheConversationAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const pieces = 120 // of 50 kB each, together more than the log keeps
		reply := func(_ context.Context, yield func(string) bool) {
			for i := range pieces {
				if !yield(strings.Repeat("word ", 10_000)) {
					return
				}
				if i == 0 {
					time.Sleep(time.Second) // until the slow page's stream waits because this piece is not read
				}
			}
		}
		l := modelserver.NewPipeListener()
		p := newAppOn(t, l, transport(l), nil, reply).open("ann")
		slow := p.connect(l, "GET /events?after="+p.show("").EventID).response(http.StatusOK)
		fast := p.stream("")
		p.send("Hi.")
		fast.until("run_done")
		require.NoError(t, p.server.Close(t.Context()))
		got, err := io.ReadAll(slow)
		require.NoError(t, err)
		require.Contains(t, string(got), `{"kind":"reset"}`, "the page is told to load the conversation again")
		require.Less(t, strings.Count(string(got), `"kind":"text"`), pieces)
	})
}

// Shutdown ends a turn and the streams of two pages, although its context has no deadline.
func TestShutdownEndsTurnsAndStreams(t *testing.T) {
	a := newApp(t, nil, waits("Some words", nil))
	p := a.open("ann")
	s, other := p.stream(""), p.stream("")
	p.send("Hi.")
	s.until("text")
	require.NoError(t, p.shutdown(t.Context()))
	for _, s := range []*events{s, other} {
		_, err := io.ReadAll(s.lines)
		require.NoError(t, err, "the streams end properly")
	}
}

// shutdown ends an application as docs/server.md says.
func (a *app) shutdown(ctx context.Context) error {
	down := make(chan error, 1)
	go func() { down <- a.http.Shutdown(ctx) }()
	return errors.Join(a.server.Close(ctx), <-down)
}

// TestNothingLastsLongerThanItsDeadline tests clients that send or read nothing, and turns and
// streams that do not end by themselves. A connection without requests has no deadline.
func TestNothingLastsLongerThanItsDeadline(t *testing.T) {
	for _, tt := range []struct {
		name    string
		change  func(*server.Options)
		replies []func(context.Context, func(string) bool)
		run     func(t *testing.T, p *page, l *modelserver.PipeListener)
	}{
		{name: "a body that does not arrive", run: func(t *testing.T, p *page, l *modelserver.PipeListener) {
			for _, path := range []string{"/messages", "/decisions", "/branches", "/continue"} {
				c := p.connect(l, "POST "+path, "Content-Type: application/json", "Content-Length: 100")
				_, err := io.WriteString(c, `{"te`)
				require.NoError(t, err)
				c.response(http.StatusRequestTimeout)
				require.Equal(t, 30*time.Second, time.Since(c.start))
			}
		}},
		{name: "a body that no handler reads and that does not arrive", run: func(t *testing.T, p *page, l *modelserver.PipeListener) {
			for _, request := range []string{"POST /stop", "POST /nothing", "GET ", "DELETE "} {
				c := p.connect(l, request, "Content-Length: 100")
				require.Equal(t, 30*time.Second, c.disconnected())
			}
			nobody := &page{p.app, "", p.id}
			nobody.connect(l, "POST /stop", "Content-Length: 100").disconnected()
		}},
		{name: "a response that the client does not read", run: func(t *testing.T, p *page, l *modelserver.PipeListener) {
			c := p.connect(l, "GET ")
			require.Equal(t, 30*time.Second, c.disconnected())
		}},
		{name: "a connection without requests for 10 minutes stays open", run: func(t *testing.T, p *page, l *modelserver.PipeListener) {
			for range 3 {
				p.show("")
				p.post(http.StatusOK, "/stop", `{}`, nil)
				time.Sleep(10 * time.Minute)
			}
		}},
		{
			name: "an event that the client does not read", replies: []func(context.Context, func(string) bool){says("Hello.")},
			run: func(t *testing.T, p *page, l *modelserver.PipeListener) {
				c := p.connect(l, "GET /events")
				c.response(http.StatusOK)
				fast := p.stream("")
				p.send("Hi.")
				fast.until("run_done")
				require.Zero(t, time.Since(c.start), "a slow page does not delay others")
				require.Equal(t, 30*time.Second, c.disconnected())
			},
		},
		{name: "a silent stream", run: func(t *testing.T, p *page, l *modelserver.PipeListener) {
			start := time.Now()
			text, err := io.ReadAll(p.stream("").body)
			require.NoError(t, err)
			require.Equal(t, 15*time.Minute, time.Since(start))
			require.InDelta(t, 45, strings.Count(string(text), ": ping\n\n"), 1, "one ping every 20 seconds")
		}},
		{
			name: "a turn without an end", replies: []func(context.Context, func(string) bool){waits("Some words", nil)},
			run: func(t *testing.T, p *page, l *modelserver.PipeListener) {
				start := time.Now()
				p.send("Hi.")
				synctest.Wait()
				for p.show("").Running {
					time.Sleep(time.Minute)
					synctest.Wait()
				}
				require.Equal(t, time.Hour, time.Since(start))
				require.True(t, p.show("").CanContinue)
			},
		},
		{
			name: "a turn that begins late", change: func(o *server.Options) { o.Store = &lateStore{Store: o.Store} },
			run: func(t *testing.T, p *page, l *modelserver.PipeListener) {
				s := p.stream("")
				start := time.Now()
				p.send("Hi.")
				require.Equal(t, 2*time.Second, time.Since(start), "the response does not wait for the turn")
				require.NotNil(t, last(s.until("failed")).Error)
				require.Equal(t, 5*time.Second, time.Since(start))
			},
		},
		{
			name:    "a page that reads nothing while the server shuts down",
			replies: []func(context.Context, func(string) bool){waits("Some words", nil)},
			run: func(t *testing.T, p *page, l *modelserver.PipeListener) {
				p.connect(l, "GET /events").response(http.StatusOK)
				p.send("Hi.")
				synctest.Wait()
				start := time.Now()
				require.NoError(t, p.shutdown(t.Context()))
				require.Less(t, time.Since(start), 3*time.Second,
					"the page has 2 seconds; http.Server.Shutdown checks the connections every half second")
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := modelserver.NewPipeListener()
				tt.run(t, newAppOn(t, l, transport(l), tt.change, tt.replies...).open("ann"), l)
			})
		})
	}
}

// The owner is checked after the body has arrived.
func TestAFormerOwnerChangesNothingWithASlowBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for path, body := range map[string]string{
			"/messages": `{"text":"Hi."}`, "/continue": `{}`, "/decisions": `{"requestId":"1"}`, "/branches": `{"after":0}`,
		} {
			l := modelserver.NewPipeListener()
			p := newAppOn(t, l, transport(l), nil).open("ann")
			c := p.connect(l, "POST "+path, "Content-Type: application/json", fmt.Sprintf("Content-Length: %d", len(body)))
			_, err := io.WriteString(c, body[:1])
			require.NoError(t, err)
			synctest.Wait()
			owner := "bob"
			require.NoError(t, p.store.ChangeMetadata(t.Context(), p.id, chat.MetadataChange{Owner: &owner}))
			_, err = io.WriteString(c, body[1:])
			require.NoError(t, err)
			c.response(http.StatusNotFound)
		}
	})
}

// lateStore takes 5 seconds to acquire a lease, and then returns an error.
type lateStore struct{ chat.Store }

func (s *lateStore) Acquire(context.Context, string, chat.LeaseRequest) (chat.Lease, error) {
	time.Sleep(5 * time.Second)
	return chat.Lease{}, &chat.StoreError{Problem: chat.ProblemLocked, Name: "late", Err: errors.New("it is locked")}
}
