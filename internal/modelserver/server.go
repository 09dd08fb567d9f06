// Package modelserver is an OpenAI-compatible server for tests. It sends the replies of a script in
// order, over real HTTP on a loopback port, and records the requests. It can misbehave as real
// servers do.
package modelserver

import (
	"encoding/json"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/vcpgo/vcp/internal/chatapi"
	"github.com/vcpgo/vcp/internal/jsonerror"
)

// A Server answers each chat request with the next reply of its script. It is safe for concurrent
// use.
type Server struct {
	// URL is the base URL, ending in "/v1".
	URL string

	http *httptest.Server

	mu       sync.Mutex
	script   []Reply // the replies that have not been sent
	requests []Request
	models   []string
	failures int // how many more times the list of models fails
	status   int // of these failures
}

// Start starts a server with a script, and closes it when the test ends. It has one model,
// "scripted". A chat request after the end of the script gets status 500 and an error. It is
// recorded like any other chat request.
func Start(t testing.TB, script ...Reply) *Server {
	t.Helper()
	s := unstarted(script)
	s.http = httptest.NewServer(s.handler())
	s.URL = s.http.URL + "/v1"
	t.Cleanup(s.Close)
	return s
}

// unstarted returns a server that does not listen yet.
func unstarted(script []Reply) *Server {
	return &Server{script: script, models: []string{scripted}}
}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.chat)
	mux.HandleFunc("GET /v1/models", s.listModels)
	return mux
}

// Close aborts the replies that are being sent, and stops the server. It may be called again.
func (s *Server) Close() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// Add appends replies to the script.
func (s *Server) Add(replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = append(s.script, replies...)
}

// SetModels sets the models that the server lists, which may be none.
func (s *Server) SetModels(ids ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.models = ids
}

// RefuseModels makes the list of models fail with status 404, as on servers without such a list.
func (s *Server) RefuseModels() { s.FailModels(http.StatusNotFound, math.MaxInt) }

// FailModels makes the list of models fail n times with a status, and then succeed.
func (s *Server) FailModels(status, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures, s.status = n, status
}

// Requests returns the chat requests so far, in the order of their arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Left returns how many replies of the script have not been sent.
func (s *Server) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.script)
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is gone
	}
	request := Request{At: time.Now(), Header: r.Header.Clone(), Body: body}
	if err := json.Unmarshal(body, &request); err != nil {
		message := "modelserver: the request is not a chat request: " + jsonerror.Explain(err).Error()
		Failure(http.StatusBadRequest, message).write(r.Context(), w, request.Stream)
		return
	}
	reply := s.nextReply(request)
	if reply.Func != nil {
		reply = reply.Func(request)
	}
	reply.write(r.Context(), w, request.Stream)
}

// nextReply records a request and returns the reply to it.
func (s *Server) nextReply(request Request) Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, request)
	if len(s.script) == 0 {
		return Failure(http.StatusInternalServerError, "modelserver: the script has no reply left")
	}
	reply := s.script[0]
	s.script = s.script[1:]
	return reply
}

func (s *Server) listModels(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	ids, failing, status := slices.Clone(s.models), s.failures > 0, s.status
	s.failures--
	s.mu.Unlock()
	if failing {
		http.Error(w, http.StatusText(status), status)
		return
	}
	list := make(chatapi.Models, len(ids))
	for i, id := range ids {
		list[i] = chatapi.NewModel(id, "modelserver")
	}
	chatapi.WriteJSON(w, http.StatusOK, list)
}
