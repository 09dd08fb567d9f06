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
	// maxSessions limits the open sessions: if so many are open, another one over HTTP is refused.
	maxSessions = 64
	// MaxConnections is how many connections a server of Handler should accept. A client keeps one
	// connection for a stream of notifications as long as its session lasts, so half of the
	// connections remain for calls.
	MaxConnections = 2 * maxSessions
	// idleTime is the time after which a session without requests ends.
	idleTime = 30 * time.Minute
)

// Handler returns a handler for streamable HTTP, which works at any path. It refuses requests of
// web pages from other origins, and requests to a loopback address under another host name. It does
// not authenticate clients: whoever reaches it may call all methods that clients see. An
// application that serves other machines must put its own authentication before the handler.
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
			message := fmt.Sprintf("a request may have at most %d bytes", maxRequest)
			http.Error(w, message, http.StatusRequestEntityTooLarge)
			return
		case err != nil:
			http.Error(w, "the request could not be read", http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		loopback.ExtendDeadlines(w) // reading the request took time, and its call may take long
		stream.ServeHTTP(&deadlineWriter{w}, r)
	}))
}

// deadlineWriter extends the server's write deadline before each write. Otherwise a stream of
// events, which lasts as long as its connection, would end at the deadline.
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
