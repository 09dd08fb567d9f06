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
// which never considers a real network idle. Only the returned client reaches the server.
func Pipe(t testing.TB, script ...Reply) (*Server, *http.Client) {
	t.Helper()
	l := NewPipeListener()
	s := unstarted(script)
	s.http = &httptest.Server{Listener: l, Config: &http.Server{Handler: s.handler()}} //nolint:gosec // no stranger reaches it
	s.http.Start()
	s.URL = "http://modelserver/v1"
	transport := &http.Transport{DialContext: l.Dial}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		s.Close()
	})
	return s, &http.Client{Transport: transport}
}

// A PipeListener is a net.Listener with connections of net.Pipe. It is safe for concurrent use.
type PipeListener struct {
	dialed chan net.Conn
	closed chan struct{}
	once   sync.Once
}

// NewPipeListener returns an open listener.
func NewPipeListener() *PipeListener {
	return &PipeListener{dialed: make(chan net.Conn), closed: make(chan struct{})}
}

// Dial returns a connection as soon as the listener accepts it. The network and the address are
// ignored.
func (l *PipeListener) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
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

// Accept implements net.Listener.
func (l *PipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.dialed:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener. Connections stay open.
func (l *PipeListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// Addr implements net.Listener.
func (l *PipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "modelserver", Net: "pipe"} }
