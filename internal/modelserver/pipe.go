package modelserver

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// Pipe starts a server as Start does, but with connections in memory. It is for testing/synctest,
// for which a network is never idle. Only the returned client reaches the server.
func Pipe(t testing.TB, script ...Reply) (*Server, *http.Client) {
	t.Helper()
	l := &pipes{dialed: make(chan net.Conn), closed: make(chan struct{})}
	s := unstarted(script)
	s.http = &httptest.Server{Listener: l, Config: &http.Server{Handler: s.handler()}} //nolint:gosec // no stranger reaches it
	s.http.Start()
	s.URL = "http://modelserver/v1"
	transport := &http.Transport{DialContext: l.dial}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		s.Close()
	})
	return s, &http.Client{Transport: transport}
}

// pipes is a listener whose connections are net.Pipes.
type pipes struct {
	dialed chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (l *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.dialed <- server:
		return client, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-l.dialed:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipes) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "modelserver", Net: "pipe"} }
