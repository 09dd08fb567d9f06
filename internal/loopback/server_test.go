package loopback_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/vcpgo/vcp/internal/loopback"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestUnusableAddressesAreRefused(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	tests := []struct{ name, addr, says string }{
		{"an address of another machine is refused", "192.0.2.1:8080", "loopback"},
		{"the address of all interfaces is refused", "0.0.0.0:8080", "loopback"},
		{"an address without a host is refused", ":8080", "loopback"},
		{"an address without a port is refused", "127.0.0.1", "write it like"},
		{"an address in use is refused", taken.Addr().String(), "choose another port"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := loopback.Start(loopback.Options{Addr: tt.addr})
			var e *loopback.AddrError
			require.ErrorAs(t, err, &e)
			require.Equal(t, tt.addr, e.Addr)
			require.Contains(t, err.Error(), tt.addr)
			require.Contains(t, err.Error(), tt.says)
		})
	}
}

func TestWebPagesAreRefused(t *testing.T) {
	s, err := loopback.Start(loopback.Options{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }),
		Refuse:  func(w http.ResponseWriter, code, _ string) { http.Error(w, code, http.StatusForbidden) },
	})
	require.NoError(t, err)
	for _, tt := range []struct{ origin, host, want string }{
		{"", s.Addr(), "hello"},
		{"", "localhost:1", "hello"},
		{"https://evil.example", s.Addr(), "foreign_origin\n"},
		{"", "evil.example", "foreign_host\n"},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+s.Addr(), http.NoBody)
		require.NoError(t, err)
		req.Host = tt.host
		if tt.origin != "" {
			req.Header.Set("Origin", tt.origin)
		}
		resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
		require.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, tt.want, string(body))
	}
	require.NoError(t, s.Close(t.Context()))
	require.NoError(t, s.Wait(t.Context()))
}

// A countingListener sends to accepted for each connection that it accepts.
type countingListener struct {
	net.Listener
	accepted chan struct{}
}

func (l countingListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		l.accepted <- struct{}{}
	}
	return c, err
}

func TestAWaitingConnectionDoesNotDelayClose(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	entered, release, accepted := make(chan struct{}), make(chan struct{}), make(chan struct{}, 2)
	s, err := loopback.Start(loopback.Options{
		Listener:    countingListener{listener, accepted},
		Connections: 2,
		Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			entered <- struct{}{}
			<-release
		}),
	})
	require.NoError(t, err)
	for range 2 {
		c, err := net.Dial("tcp", s.Addr())
		require.NoError(t, err)
		t.Cleanup(func() { _ = c.Close() })
		_, err = io.WriteString(c, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
		require.NoError(t, err)
		<-accepted
	}
	<-entered // the first connection has the only place, and the second one waits for it
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	closed := make(chan error, 1)
	go func() { closed <- s.Close(ctx) }()
	select {
	case err := <-closed:
		require.ErrorIs(t, err, context.Canceled)
	case <-time.After(10 * time.Second):
		t.Error("Close waits for the handler of another connection")
	}
	close(release)
}
