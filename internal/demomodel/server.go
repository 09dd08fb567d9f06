package demomodel

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/vcpgo/vcp/protocol"
)

// The limits of all clients together, and of the time that one may take. Programs of other users of
// this machine reach the server too, and so do web pages, through a browser.
const (
	maxConnections = 32       // each with one request of maxBody bytes at a time
	maxHeader      = 64 << 10 // bytes of the header of a request

	headerTime = 10 * time.Second // for the header of a request
	bodyTime   = 30 * time.Second // for all of a request
	idleTime   = time.Minute      // between two requests on one connection
	writeTime  = 30 * time.Second // for one piece of a reply
)

// Options configure a Server.
type Options struct {
	// Protocol is what the planner reads and writes. It must be a protocol.Reader too.
	Protocol protocol.Protocol
	// Addr is the address to listen on, HOST:PORT; "" is a free port of 127.0.0.1. Hosts other than
	// the loopback of this machine are refused, since the server knows no keys.
	Addr string
	// Pause is the time between two pieces of a streamed reply, so that people see it being written.
	Pause time.Duration
	// Logger receives each request at level debug; nil logs nothing.
	Logger *slog.Logger
}

// A Server serves the planner over HTTP until it is closed.
type Server struct {
	url  string
	http *http.Server
	stop context.CancelFunc // ends the replies being written
	done chan struct{}
	err  error // why serving ended; set before done is closed
}

// Start listens and serves in the background. The caller closes the server.
func Start(o Options) (*Server, error) {
	planner, err := NewPlanner(o.Protocol)
	if err != nil {
		return nil, err
	}
	if o.Addr == "" {
		o.Addr = "127.0.0.1:0"
	}
	switch host, _, err := net.SplitHostPort(o.Addr); {
	case err != nil:
		return nil, &AddrError{Addr: o.Addr, Reason: "has no host and port; write it like 127.0.0.1:8080"}
	case !loopback(host):
		return nil, &AddrError{Addr: o.Addr, Reason: "is not on the loopback of this machine; write it like 127.0.0.1:8080"}
	}
	listener, err := net.Listen("tcp", o.Addr)
	if err != nil {
		return nil, &AddrError{o.Addr, fmt.Sprintf("cannot be listened on (%v); choose another port, or 0 for a free one", err), err}
	}
	return serve(listener, planner, o), nil
}

func serve(listener net.Listener, planner *Planner, o Options) *Server {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	base, stop := context.WithCancel(context.Background())
	s := &Server{url: "http://" + listener.Addr().String() + "/v1", stop: stop, done: make(chan struct{})}
	connections := make(chan struct{}, maxConnections-1)
	s.http = &http.Server{
		Handler:           local((&api{planner: planner, pause: o.Pause, logger: o.Logger}).handler()),
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       bodyTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		BaseContext:       func(net.Listener) context.Context { return base },
		ErrorLog:          slog.NewLogLogger(o.Logger.Handler(), slog.LevelDebug),
		// A new connection is announced before the next one is accepted. So one that has to wait
		// here keeps the others in the queue of the system.
		ConnState: func(_ net.Conn, state http.ConnState) {
			switch state {
			case http.StateNew:
				connections <- struct{}{}
			case http.StateClosed:
				<-connections
			}
		},
	}
	go func() {
		defer close(s.done)
		if err := s.http.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.err = err
		}
	}()
	return s
}

// URL returns the base URL, ending in "/v1".
func (s *Server) URL() string { return s.url }

// Done is closed when the server has ended, of itself or by Close.
func (s *Server) Done() <-chan struct{} { return s.done }

// Err returns why the server ended of itself; nil after Close. It is called after Done is closed.
func (s *Server) Err() error { return s.err }

// Close accepts no more requests and waits for the replies being written. When ctx ends it truncates
// them and returns the context's error. Nothing is left running when it returns.
func (s *Server) Close(ctx context.Context) error {
	err := s.http.Shutdown(ctx)
	s.stop()
	if err != nil {
		_ = s.http.Close()
	}
	<-s.done
	return err
}

// AddrError is an address that cannot be served on. Err is the cause if the address itself is allowed.
type AddrError struct {
	Addr, Reason string
	Err          error
}

// Error names the address and the way out.
func (e *AddrError) Error() string { return fmt.Sprintf("address %q %s", e.Addr, e.Reason) }

// Unwrap returns the cause.
func (e *AddrError) Unwrap() error { return e.Err }
