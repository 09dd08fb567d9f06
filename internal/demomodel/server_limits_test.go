package demomodel_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/demomodel"
	"github.com/vcpgo/vcp/internal/loopback"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/protocol/vcp"
)

func TestForeignHostsAndOriginsAreRefused(t *testing.T) {
	s := startServer(t, demomodel.Options{})
	own := strings.TrimSuffix(strings.TrimPrefix(s.URL(), "http://"), "/v1")
	_, port, err := net.SplitHostPort(own)
	require.NoError(t, err)
	type header = map[string]string
	for _, tt := range []struct {
		name, host string
		header     header
		code       string // of the refusal
	}{
		{"a program", own, nil, ""},
		{"a program that names localhost", "LocalHost:" + port, nil, ""},
		{"a program that names the IPv6 loopback", "[::1]:" + port, nil, ""},
		{"a program that uses a tunnel from another port", "127.0.0.1:9", nil, ""},
		{"a host without a port", "127.0.0.2", nil, ""},
		{"a page that the server itself serves", own, header{"Origin": "http://" + own, "Sec-Fetch-Site": "same-origin"}, ""},
		{"an address that a person typed", own, header{"Sec-Fetch-Site": "none"}, ""},
		{"a foreign name that resolves to the loopback", "evil.example:" + port, nil, "foreign_host"},
		{
			"a foreign name as its own origin", "evil.example:" + port,
			header{"Origin": "http://evil.example:" + port, "Sec-Fetch-Site": "same-origin"},
			"foreign_host",
		},
		{"a name that begins like the loopback", "127.0.0.1.evil.example", nil, "foreign_host"},
		{"a name that contains localhost", "evil.localhost.example", nil, "foreign_host"},
		{"another address", "192.0.2.1:" + port, nil, "foreign_host"},
		{"every address", "0.0.0.0:" + port, nil, "foreign_host"},
		{"a page of another origin", own, header{"Origin": "https://evil.example"}, "foreign_origin"},
		{"a page with the origin null", own, header{"Origin": "null"}, "foreign_origin"},
		{"a page of another port", own, header{"Origin": "http://127.0.0.1:1"}, "foreign_origin"},
		{"a page without an Origin header", own, header{"Sec-Fetch-Site": "cross-site"}, "foreign_origin"},
		{"a page of the same site", own, header{"Sec-Fetch-Site": "same-site"}, "foreign_origin"},
	} {
		for _, ask := range []struct{ method, path, body string }{
			{"POST", "/chat/completions", chatBody(t, nil)},
			{"GET", "/models", ""},
			{"GET", "/nowhere", ""},
			{"OPTIONS", "/chat/completions", ""},
		} {
			t.Run(tt.name+" asks with "+ask.method+" "+ask.path, func(t *testing.T) {
				req, err := http.NewRequestWithContext(t.Context(), ask.method, s.URL()+ask.path, strings.NewReader(ask.body))
				require.NoError(t, err)
				req.Host = tt.host
				for key, value := range tt.header {
					req.Header.Set(key, value)
				}
				resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
				require.NoError(t, err)
				defer resp.Body.Close()
				answer, err := io.ReadAll(resp.Body)
				require.NoError(t, err)
				require.Empty(t, resp.Header.Get("Access-Control-Allow-Origin"))
				if tt.code == "" {
					require.NotEqual(t, http.StatusForbidden, resp.StatusCode, string(answer))
					return
				}
				require.Equal(t, http.StatusForbidden, resp.StatusCode, string(answer))
				var got apiReply
				require.NoError(t, json.Unmarshal(answer, &got), string(answer))
				require.Equal(t, tt.code, got.Error.Code)
			})
		}
	}
}

// dial returns a connection to a server, or nil if the server does not accept it.
func dial(l *modelserver.PipeListener) net.Conn {
	// The timeout is on the fake clock, which moves when all goroutines wait.
	ctx, cancel := context.WithTimeout(context.Background(), time.Nanosecond)
	defer cancel()
	c, err := l.Dial(ctx, "", "")
	if err != nil {
		return nil
	}
	return c
}

// inMemory runs a test on the fake clock, with a server that listens in memory.
func inMemory(t *testing.T, test func(t *testing.T, l *modelserver.PipeListener)) {
	t.Helper()
	inMemoryWith(t, demomodel.Options{Protocol: vcp.Protocol{}}, test)
}

func inMemoryWith(t *testing.T, o demomodel.Options, test func(t *testing.T, l *modelserver.PipeListener)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := modelserver.NewPipeListener()
		s, err := demomodel.Serve(l, o)
		require.NoError(t, err)
		test(t, l)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_ = s.Close(ctx)        // also closes the connections that the test did not close
		time.Sleep(time.Minute) // of the fake clock, because net/http delays closing a connection
	})
}

func write(t *testing.T, c net.Conn, format string, args ...any) {
	t.Helper()
	_, err := fmt.Fprintf(c, format, args...)
	require.NoError(t, err)
}

const head = "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"

// The server disconnects a client that sends nothing or only a part: reading from its connection
// ends at some time of the fake clock.
func TestSlowClientsAreDisconnected(t *testing.T) {
	for _, tt := range []struct{ name, says string }{
		{"sends nothing", ""},
		{"sends part of a header", "POST /v1/chat"},
		{"sends part of a body", head + "Content-Length: 100\r\n\r\n{"},
		{"sends part of a chunk", head + "Transfer-Encoding: chunked\r\n\r\n5\r\n{"},
		{"sends a body with GET", "GET /v1/models HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"},
		{"is refused before its body", "POST /v1/chat/completions HTTP/1.1\r\nHost: evil\r\nContent-Length: 100\r\n\r\n{"},
		{"sends no second request", "GET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inMemory(t, func(t *testing.T, l *modelserver.PipeListener) {
				c := dial(l)
				defer c.Close()
				write(t, c, "%s", tt.says)
				_, err := io.Copy(io.Discard, c) // this never ends if the connection is kept
				require.NoError(t, err)
			})
		})
	}
}

func TestSilentReadersAreDisconnected(t *testing.T) {
	inMemory(t, func(t *testing.T, l *modelserver.PipeListener) {
		body := chatBody(t, map[string]any{"stream": true})
		for range loopback.MaxConnections { // each is open until the server disconnects it
			c := dial(l)
			require.NotNil(t, c)
			t.Cleanup(func() { _ = c.Close() })
			write(t, c, head+"Content-Length: %d\r\n\r\n%s", len(body), body)
		}
		time.Sleep(time.Hour) // of the fake clock
		requireAnswer(t, l, body, http.StatusOK)
	})
}

// The limits apply to the request and to each piece of the reply, not to the whole reply.
func TestAReplyMayTakeLong(t *testing.T) {
	o := demomodel.Options{Protocol: vcp.Protocol{}, Pause: time.Hour}
	inMemoryWith(t, o, func(t *testing.T, l *modelserver.PipeListener) {
		c := dial(l)
		defer c.Close()
		body := chatBody(t, map[string]any{"stream": true})
		write(t, c, head+"Connection: close\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		answer, err := io.ReadAll(c)
		require.NoError(t, err)
		require.Contains(t, string(answer), "data: [DONE]")
	})
}

func requireAnswer(t *testing.T, l *modelserver.PipeListener, body string, status int) {
	t.Helper()
	c := dial(l)
	require.NotNil(t, c)
	defer c.Close()
	write(t, c, head+"Connection: close\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	require.NoError(t, err)
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, status, resp.StatusCode, string(answer))
}

// A connection has one request at a time, so the limit of connections also limits all bodies
// together.
func TestConnectionsAreLimited(t *testing.T) {
	require.LessOrEqual(t, loopback.MaxConnections*demomodel.MaxBody, 64<<20, "the bytes of all bodies together")
	for _, tt := range []struct{ name, says string }{
		{"silent", ""},
		{"with a body of a known size", head + "Content-Length: 2000000\r\n\r\n{"},
		{"with a body of an unknown size", head + "Transfer-Encoding: chunked\r\n\r\n5\r\n{"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inMemory(t, func(t *testing.T, l *modelserver.PipeListener) {
				var held []net.Conn
				for i := range loopback.MaxConnections {
					c := dial(l)
					require.NotNil(t, c)
					t.Cleanup(func() { _ = c.Close() })
					if i < loopback.MaxConnections-1 { // the server does not read from the last connection yet
						write(t, c, "%s", tt.says)
					}
					held = append(held, c)
				}
				require.Nil(t, dial(l), "a further connection is not accepted yet")
				_ = held[0].Close()
				time.Sleep(time.Second) // of the fake clock, because net/http delays closing a connection
				requireAnswer(t, l, chatBody(t, nil), http.StatusOK)
			})
		})
	}
}

func TestAHeaderWithoutEndIsRefused(t *testing.T) {
	inMemory(t, func(t *testing.T, l *modelserver.PipeListener) {
		c := dial(l)
		defer c.Close()
		go func() { // the server stops reading
			_, _ = io.Copy(c, io.MultiReader(strings.NewReader(head+"X: "), io.LimitReader(endless{}, 1<<20)))
		}()
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		require.NoError(t, err)
		defer resp.Body.Close()
		require.Equal(t, http.StatusRequestHeaderFieldsTooLarge, resp.StatusCode)
	})
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// The limits of nesting and of the number of values keep the decoded request small. Two members of
// the same name are refused, too.
func TestRequestsWithManyPartsAreRefused(t *testing.T) {
	s := startServer(t, demomodel.Options{})
	for name, body := range map[string]string{
		"messages":   `{"messages":[` + strings.Repeat(`{},`, 200_000) + `{}]}`,
		"tools":      `{"tools":[` + strings.Repeat(`1,`, 200_000) + `1]}`,
		"nesting":    `{"messages":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`,
		"two models": `{"model":"a","model":"b","messages":[]}`,
	} {
		status, answer := send(t, "POST", s.URL()+"/chat/completions", body)
		require.Equal(t, 400, status, name)
		require.Contains(t, answer, "not a JSON object of a chat request", name)
	}
}
