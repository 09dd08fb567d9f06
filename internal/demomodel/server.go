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

// Options set up a Server.
type Options struct {
	// Protocol is what the planner reads and writes. It must be a protocol.Reader too.
	Protocol protocol.Protocol
	// Addr is the address to listen on, HOST:PORT; "" is a free port of 127.0.0.1. Hosts other than this machine's loopback are
	// refused: the server knows no keys. So are requests that name another host, or come from a web page of another origin.
	Addr string
	// Pause is waited between two pieces of a streamed reply, so that people see it being written; 0 waits not at all.
	Pause time.Duration
	// Logger is told of each request at level debug; nil logs nothing.
	Logger *slog.Logger
}

// A Server serves the planner over HTTP until it is closed.
type Server struct {
	url  string
	http *http.Server
	stop context.CancelFunc // ends what is still being written
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
	if err := checkLoopback(o.Addr); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", o.Addr)
	if err != nil {
		return nil, &AddrError{Addr: o.Addr, Reason: "cannot be listened on: choose another port, or 0 for a free one", Err: err}
	}
	return serve(listener, planner, o), nil
}

func serve(listener net.Listener, planner *Planner, o Options) *Server {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	base, stop := context.WithCancel(context.Background())
	s := &Server{
		url:  "http://" + listener.Addr().String() + "/v1",
		stop: stop,
		done: make(chan struct{}),
	}
	api := &api{planner: planner, pause: o.Pause, logger: o.Logger}
	s.http = &http.Server{
		Handler:           local(api.handler()),
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       bodyTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		BaseContext:       func(net.Listener) context.Context { return base },
		ErrorLog:          slog.NewLogLogger(o.Logger.Handler(), slog.LevelDebug),
	}
	go func() {
		defer close(s.done)
		if err := s.http.Serve(newLimited(listener)); !errors.Is(err, http.ErrServerClosed) {
			s.err = err
		}
	}()
	return s
}

// URL returns the base URL, ending in "/v1".
func (s *Server) URL() string { return s.url }

// Done is closed when the server has ended, of itself or by Close.
func (s *Server) Done() <-chan struct{} { return s.done }

// Err returns why the server ended of itself; nil while it runs and after Close.
func (s *Server) Err() error {
	select {
	case <-s.done:
		return s.err
	default:
		return nil
	}
}

// Close takes no more requests and waits for the replies being written until ctx ends; then it cuts them, and returns the
// context's error. Nothing is left running when it returns.
func (s *Server) Close(ctx context.Context) error {
	err := s.http.Shutdown(ctx)
	s.stop()
	if err != nil {
		_ = s.http.Close()
	}
	<-s.done
	return err
}

// AddrError is an address that cannot be served on.
type AddrError struct {
	Addr   string
	Reason string
	Err    error
}

// Error names the address and the way out.
func (e *AddrError) Error() string {
	text := fmt.Sprintf("address %q %s", e.Addr, e.Reason)
	if e.Err != nil {
		text += " (" + e.Err.Error() + ")"
	}
	return text
}

// Unwrap returns the cause.
func (e *AddrError) Unwrap() error { return e.Err }

func checkLoopback(addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return &AddrError{Addr: addr, Reason: "is none: it is written like 127.0.0.1:8080"}
	}
	if !loopback(host) {
		return &AddrError{Addr: addr, Reason: "is not on this machine's loopback: write it like 127.0.0.1:8080"}
	}
	return nil
}
