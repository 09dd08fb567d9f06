package server

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// Server is the http.Handler of conversations. It is safe for concurrent use.
type Server struct {
	o       Options
	handler http.Handler
	closing context.Context // ends when Close is called
	close   context.CancelFunc
	tasks   sync.WaitGroup
	turns   counter
	streams counter

	mu    sync.Mutex       // guards rooms; no room is entered and no task begins while Close holds it
	rooms map[string]*room // by the conversation's id
}

// ServeHTTP answers one request. Its routes begin at the root; http.StripPrefix mounts them
// elsewhere.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength != 0 { // also for a body that no handler reads, because net/http waits for its end
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(readTime)) // not every ResponseWriter has deadlines
	}
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	s.handler.ServeHTTP(w, r)
}

// Close stops the turns that run, ends the streams, and refuses further requests. It waits until
// all turns have stored what they did, or for the end of ctx, whose error it returns.
func (s *Server) Close(ctx context.Context) error {
	s.mu.Lock()
	s.close()
	s.mu.Unlock()
	done := make(chan struct{})
	go func() { // ends with the turns
		s.tasks.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// work runs f on a goroutine that Close waits for. If the server is closed, it returns false and f
// does not run.
func (s *Server) work(f func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing.Err() != nil {
		return false
	}
	s.tasks.Go(f)
	return true
}
