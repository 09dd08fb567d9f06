package mcpserver

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/vcpgo/vcp/internal/loopback"
)

const (
	// maxSessions limits the connections over HTTP. Each lasts until idleTime has passed.
	maxSessions = 64
	idleTime    = 30 * time.Minute
)

// Handler returns a handler for streamable HTTP, which works at any path. It refuses
// requests of web pages of other origins, and requests to a loopback address by another name. It
// does not authenticate clients: whoever reaches it may call all methods that clients see. An
// application that serves other machines puts its own authentication before the handler.
func (s *Server) Handler() http.Handler {
	stream := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server {
		count := 0
		for range s.sdk.Sessions() {
			if count++; count >= maxSessions {
				return nil
			}
		}
		return s.sdk
	}, &sdk.StreamableHTTPOptions{SessionTimeout: idleTime, MaxRequestBodyBytes: maxRequest})
	return http.NewCrossOriginProtection().Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
		switch {
		case errors.As(err, new(*http.MaxBytesError)):
			http.Error(w, fmt.Sprintf("a request may have at most %d bytes", maxRequest), http.StatusRequestEntityTooLarge)
			return
		case err != nil:
			http.Error(w, "the request could not be read", http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		loopback.ExtendDeadlines(w) // the request was read, and its call may take long
		stream.ServeHTTP(&deadlineWriter{w}, r)
	}))
}

// deadlineWriter gives each piece of a response the time that a server gives to a whole response. A
// stream of events lasts as long as its connection.
type deadlineWriter struct{ http.ResponseWriter }

// Write implements io.Writer.
func (w *deadlineWriter) Write(p []byte) (int, error) {
	loopback.ExtendDeadlines(w.ResponseWriter)
	return w.ResponseWriter.Write(p)
}

// Flush implements http.Flusher.
func (w *deadlineWriter) Flush() {
	loopback.ExtendDeadlines(w.ResponseWriter)
	_ = http.NewResponseController(w.ResponseWriter).Flush() // the next Write reports a lost connection
}

// Unwrap lets http.ResponseController reach the connection.
func (w *deadlineWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
