package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// net/http writes unsolicited data of a server unchanged to the log of the standard library.
func TestUnsolicitedResponsesAreNotShown(t *testing.T) {
	const key = "sk-proj-A1b2C3d4E5f6G7h8"
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				in := bufio.NewReader(conn)
				for {
					req, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					_, _ = io.Copy(io.Discard, req.Body)
					body := `data: {"choices":[{"delta":{"content":"Hello."},"finish_reason":"stop"}]}` +
						"\n\ndata: [DONE]\n\n"
					fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"+
						"Content-Length: %d\r\n\r\n%s"+
						"HTTP/1.1 400 %s\r\n\r\n", len(body), body, key) // the second response is unsolicited
				}
			}()
		}
	}()
	o := invocation{
		args:  []string{"chat", "--base-url", "http://" + l.Addr().String() + "/v1", "--model", "m"},
		stdin: "one\ntwo\nthree\n", env: []string{"OPENAI_API_KEY=" + key},
	}.runProcess(t) // a process, because the function main discards the log of net/http
	require.Contains(t, o.stdout, "Hello.")
	require.NotContains(t, o.stdout+o.stderr, "A1b2C3d4")
}
