package loopback_test

import (
	"io"
	"net"
	"net/http"
	"testing"

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
