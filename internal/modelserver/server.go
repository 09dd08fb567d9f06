// Package modelserver is a scripted OpenAI-compatible server for tests. It gives the replies of its script in order, over real HTTP
// on a loopback port, and records what it was sent. It can misbehave in the ways in which servers do.
package modelserver

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vcpgo/vcp/internal/chatapi"
)

// scripted is the model that a server has and that its replies name, unless a test lists others.
const scripted = "scripted"

// A Server answers each chat request with the next reply of its script. It is safe for concurrent use.
type Server struct {
	// URL is the base URL, ending in "/v1".
	URL string

	http   *httptest.Server
	closed chan struct{}
	once   sync.Once

	mu       sync.Mutex
	script   []Reply
	next     int
	requests []Request
	models   []string
	noModels bool
	failures int // of the question for models that are left
}

// A Request is one chat request as it arrived.
type Request struct {
	chatapi.Request

	At     time.Time       `json:"-"` // of its arrival
	Header http.Header     `json:"-"`
	Body   json.RawMessage `json:"-"` // all of it, as sent
}

// The parts of a request that tests name.
type (
	Message  = chatapi.Message
	ToolCall = chatapi.ToolCall
)

// Last returns the content of the last message; "" where there is none.
func (r Request) Last() string {
	if len(r.Messages) == 0 {
		return ""
	}
	return r.Messages[len(r.Messages)-1].Content
}

// System returns the contents of the system messages, joined by a line break.
func (r Request) System() string {
	var parts []string
	for _, m := range r.Messages {
		if m.Role == "system" {
			parts = append(parts, m.Content)
		}
	}
	return strings.Join(parts, "\n")
}

// New starts a server with a script. A request past the end of the script is answered with status 500 and an error that says so,
// and is recorded like any other. It has one model, "scripted".
func New(script ...Reply) *Server {
	s := unstarted(script)
	s.http = httptest.NewServer(s.handler())
	s.URL = s.http.URL + "/v1"
	return s
}

func unstarted(script []Reply) *Server {
	return &Server{script: script, closed: make(chan struct{}), models: []string{scripted}}
}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.chat)
	mux.HandleFunc("GET /v1/models", s.listModels)
	return mux
}

// Start is New with a server that is closed when the test ends.
func Start(t testing.TB, script ...Reply) *Server {
	t.Helper()
	s := New(script...)
	t.Cleanup(s.Close)
	return s
}

// Close cuts what is still being answered and stops the server.
func (s *Server) Close() {
	s.once.Do(func() {
		close(s.closed)
		s.http.CloseClientConnections()
		s.http.Close()
	})
}

// Add puts replies at the end of the script.
func (s *Server) Add(replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = append(s.script, replies...)
}

// SetModels makes these the models that the server lists. With none it lists an empty list.
func (s *Server) SetModels(ids ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.models = ids
}

// RefuseModels makes the question for models fail with status 404, as servers do that do not know it.
func (s *Server) RefuseModels() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noModels = true
}

// FailModels makes the question for models fail n times with status 503, and then succeed.
func (s *Server) FailModels(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures, s.noModels = n, false
}

// Requests returns the chat requests so far, in the order in which they came.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Left returns how many replies of the script have not been given.
func (s *Server) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(0, len(s.script)-s.next)
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is gone
	}
	request := Request{At: time.Now(), Header: r.Header.Clone(), Body: body}
	if err := json.Unmarshal(body, &request); err != nil {
		Failure(http.StatusBadRequest, "modelserver: the request is no JSON object of a chat request: "+err.Error()).write(w, r, request, nil)
		return
	}
	reply := s.take(request)
	if reply.Answer != nil {
		reply = reply.Answer(request)
	}
	reply.write(w, r, request, s.closed)
}

// take records a request and returns the reply to it.
func (s *Server) take(request Request) Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, request)
	if s.next >= len(s.script) {
		return Failure(http.StatusInternalServerError, "modelserver: the script has no reply left")
	}
	s.next++
	return s.script[s.next-1]
}

func (s *Server) listModels(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	ids, refused, failing := append([]string(nil), s.models...), s.noModels, s.failures > 0
	s.failures--
	s.mu.Unlock()
	switch {
	case refused:
		http.NotFound(w, r)
		return
	case failing:
		http.Error(w, "starting", http.StatusServiceUnavailable)
		return
	}
	list := make(chatapi.Models, len(ids))
	for i, id := range ids {
		list[i] = chatapi.NewModel(id, "modelserver")
	}
	chatapi.WriteJSON(w, http.StatusOK, list)
}
