// Package loopback serves HTTP to programs on this machine, but not to web pages. Programs of other
// users can reach such a server too, and so can web pages through a browser. Therefore the server
// limits the memory of all clients together, and refuses requests of web pages.
package loopback

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"time"
)

const (
	// MaxConnections limits the simultaneous connections if Options.Connections is 0. Each
	// connection handles one request at a time.
	MaxConnections = 32

	maxHeader  = 64 << 10         // bytes of the header of a request
	headerTime = 10 * time.Second // for the header of a request
	bodyTime   = 30 * time.Second // for a whole request
	idleTime   = time.Minute      // between two requests on one connection
	writeTime  = 30 * time.Second // for a response, or for the part after ExtendDeadlines
)

// Options configure a Server. Handler and Refuse are required.
type Options struct {
	// Addr is the address to listen on, HOST:PORT; "" is a free port of 127.0.0.1. HOST must be
	// localhost or a loopback address.
	Addr string
	// Listener is used instead of Addr, if it is set. It must listen on a loopback address; Start
	// does not check that.
	Listener net.Listener
	// Handler answers requests. The context of a request also ends when Close stops waiting for the
	// response.
	Handler http.Handler
	// Connections limits the simultaneous connections; 0 means MaxConnections. It must not be 1:
	// the last connection waits until another one is closed.
	Connections int
	// Refuse writes the response to a refused request of a web page. code is foreign_host or
	// foreign_origin, and message says what is wrong.
	Refuse func(w http.ResponseWriter, code, message string)
}

// Server serves until it is closed. Its methods are safe for concurrent use.
type Server struct {
	addr net.Addr
	http *http.Server
	stop context.CancelFunc // ends the contexts of all requests
	// beginClose ends the wait of a connection for a place under the limit.
	beginClose context.CancelFunc
	done       chan struct{} // closed when the server has ended
	err        error         // the failure that ended the server; set before done is closed
}

// Start listens and serves in the background. The caller must close the server. The error is an
// *AddrError.
func Start(o Options) (*Server, error) {
	if o.Listener == nil {
		var err error
		if o.Listener, err = listen(cmp.Or(o.Addr, "127.0.0.1:0")); err != nil {
			return nil, err
		}
	}
	return serve(o), nil
}

func listen(addr string) (net.Listener, error) {
	switch host, _, err := net.SplitHostPort(addr); {
	case err != nil:
		return nil, &AddrError{Addr: addr, Reason: "has no host and port; write it like 127.0.0.1:8080"}
	case !isLoopback(host):
		return nil, &AddrError{Addr: addr, Reason: "is not a loopback address of this machine; write it like 127.0.0.1:8080"}
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, &AddrError{addr, fmt.Sprintf("cannot be listened on (%v); choose another port, or 0 for a free one", err), err}
	}
	return listener, nil
}

func serve(o Options) *Server {
	base, stop := context.WithCancel(context.Background())
	closing, beginClose := context.WithCancel(context.Background())
	s := &Server{addr: o.Listener.Addr(), stop: stop, beginClose: beginClose, done: make(chan struct{})}
	// Each connection takes a place. There is one place less than the limit, because one more
	// connection is accepted and then waits for a place.
	places := make(chan struct{}, cmp.Or(o.Connections, MaxConnections)-1)
	s.http = &http.Server{
		Handler:           refusePages(o),
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       bodyTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		BaseContext:       func(net.Listener) context.Context { return base },
		ErrorLog:          log.New(io.Discard, "", 0), // failures of connections concern nobody
		// The server calls ConnState with a new connection before it accepts the next one. If the
		// limit is reached, this call waits, and the next connections stay in the system's queue.
		ConnState: func(_ net.Conn, state http.ConnState) {
			switch state {
			case http.StateNew:
				select {
				case places <- struct{}{}:
				case <-closing.Done(): // Shutdown waits for this call, and other connections may keep their places
				}
			case http.StateClosed:
				select {
				case <-places:
				default: // the connection got no place, because the server was being closed
				}
			}
		},
	}
	go func() {
		defer close(s.done)
		if err := s.http.Serve(o.Listener); !errors.Is(err, http.ErrServerClosed) {
			s.err = fmt.Errorf("the server ended: %w", err)
		}
	}()
	return s
}

// Addr returns the address on which the server listens.
func (s *Server) Addr() string { return s.addr.String() }

// Wait waits until the server has ended, by a failure or by Close, or until ctx ends. It returns
// the failure of the server.
func (s *Server) Wait(ctx context.Context) error {
	select {
	case <-s.done:
		return s.err
	case <-ctx.Done():
		return nil
	}
}

// Close stops accepting requests, and waits until all responses are written. If ctx ends before
// that, it closes the connections and returns the context's error. Handlers that ignore the context
// of their request may still run then.
func (s *Server) Close(ctx context.Context) error {
	s.beginClose()
	err := s.http.Shutdown(ctx)
	s.stop()
	if err != nil {
		_ = s.http.Close()
	}
	<-s.done
	return err
}

// ExtendDeadlines extends the deadlines of a connection. A handler that has read the whole request
// calls it before each piece of a long response. It does nothing if w has no deadlines.
func ExtendDeadlines(w http.ResponseWriter) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // a deadline that passes while a response is written would end the response
	_ = control.SetWriteDeadline(time.Now().Add(writeTime))
}

// refusePages refuses requests of web pages: requests with a Host that is not a loopback name, and
// requests from another origin. Programs on this machine name a loopback address and no origin.
func refusePages(o Options) http.Handler {
	var origins http.CrossOriginProtection
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The server does not wait for a client that reads nothing.
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTime))
		withPost := *r
		withPost.Method = http.MethodPost // CrossOriginProtection does not check GET, HEAD and OPTIONS
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = strings.Trim(r.Host, "[]")
		}
		switch {
		case !isLoopback(host):
			o.Refuse(w, "foreign_host", fmt.Sprintf(
				"the request names the host %.100q; this server answers only to localhost and to the loopback addresses", r.Host))
		case origins.Check(&withPost) != nil:
			o.Refuse(w, "foreign_origin", fmt.Sprintf(
				"the request comes from the origin %.100q; this server refuses web pages of other origins",
				r.Header.Get("Origin")))
		default:
			o.Handler.ServeHTTP(w, r)
		}
	})
}

// isLoopback reports whether a host is localhost or a loopback address.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// AddrError is the error for an address on which the server cannot listen.
type AddrError struct {
	Addr   string
	Reason string // what is wrong, and what is allowed
	Err    error  // the error of listening; nil if the address is not allowed
}

func (e *AddrError) Error() string { return fmt.Sprintf("address %q %s", e.Addr, e.Reason) }

// Unwrap returns Err.
func (e *AddrError) Unwrap() error { return e.Err }
