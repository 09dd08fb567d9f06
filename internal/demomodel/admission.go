package demomodel

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// What all clients together may hold, and how long one may take. Programs of other users of this machine reach the server too, and so do
// web pages, through a browser.
const (
	maxConnections = 128
	maxRequests    = 32       // chat requests being read or answered
	maxBodies      = 32 << 20 // bytes of their bodies together
	maxHeader      = 64 << 10 // bytes of the header of a request

	headerTime = 10 * time.Second // for the header of a request
	bodyTime   = 30 * time.Second // for all of a request
	idleTime   = time.Minute      // between two requests on one connection
	writeTime  = 30 * time.Second // for one piece of an answer
)

// local refuses what a web page sent: requests whose Host is a name that was made to lead here, and requests that came from another
// origin. Programs on this machine, which name a loopback address and no origin, are let through.
func local(next http.Handler) http.Handler {
	var origins http.CrossOriginProtection
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A client that reads nothing of its answer is not waited for. An error means that this writer has no deadlines.
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTime))
		asked := *r
		asked.Method = http.MethodPost // of others the origin is not looked at
		switch {
		case !loopback(hostName(r.Host)):
			refuse(w, &apiError{http.StatusForbidden, "foreign_host", "", fmt.Sprintf(
				"the request names the host %.100q; this server answers to localhost and to the loopback addresses alone", r.Host)})
		case origins.Check(&asked) != nil:
			refuse(w, &apiError{http.StatusForbidden, "foreign_origin", "", fmt.Sprintf(
				"the request comes from the origin %.100q; this server answers programs, and no pages of other origins", r.Header.Get("Origin"))})
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// hostName returns a host without its port.
func hostName(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.Trim(hostport, "[]")
}

// loopback reports whether a host is this machine's loopback.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// admission counts the chat requests that are read or answered, and the bytes of their bodies.
type admission struct {
	mu              sync.Mutex
	requests, bytes int
}

// enter takes room for a request with a body of that many bytes; below 0 means that the size is not known. It reports whether there was
// room. The request leaves with as many bytes as it entered with.
func (a *admission) enter(size int64) (room int, ok bool) {
	if size < 0 || size > maxBody {
		size = maxBody
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.requests == maxRequests || a.bytes+int(size) > maxBodies {
		return 0, false
	}
	a.requests++
	a.bytes += int(size)
	return int(size), true
}

func (a *admission) leave(room int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.requests--
	a.bytes -= room
}

// limited is a listener that has at most maxConnections connections open. Others wait in the system's queue.
type limited struct {
	net.Listener
	slots  chan struct{}
	closed chan struct{}
	once   sync.Once
}

func newLimited(l net.Listener) *limited {
	return &limited{Listener: l, slots: make(chan struct{}, maxConnections), closed: make(chan struct{})}
}

// Accept waits for a slot, and then for a connection.
func (l *limited) Accept() (net.Conn, error) {
	select {
	case l.slots <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	conn, err := l.Listener.Accept()
	if err != nil {
		<-l.slots
		return nil, err
	}
	return &limitedConn{Conn: conn, slots: l.slots}, nil
}

// Close ends a wait for a slot too.
func (l *limited) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// limitedConn gives its slot back when it is closed.
type limitedConn struct {
	net.Conn
	slots <-chan struct{}
	once  sync.Once
}

// Close may be called more than once.
func (c *limitedConn) Close() error {
	err := c.Conn.Close()
	c.once.Do(func() { <-c.slots })
	return err
}
