package demomodel

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/chatapi"
	"github.com/vcpgo/vcp/internal/loopback"
	"github.com/vcpgo/vcp/protocol"
)

// maxBody limits a request, in bytes.
const maxBody = 2 << 20

// Options configure a Server.
type Options struct {
	// Protocol is the protocol that the planner reads and writes. It must be a protocol.Reader too.
	Protocol protocol.Protocol
	// Addr is a loopback address to listen on, HOST:PORT; "" is a free port of 127.0.0.1.
	Addr string
	// Pause is the time between two pieces of a streamed reply.
	Pause    time.Duration
	listener net.Listener // set by a test, in place of Addr
}

// ModelID is the id of the demo model.
const ModelID = "vcp-demo-planner"

// A Server answers HTTP requests in the form of the OpenAI API until it is closed.
type Server struct {
	*loopback.Server
	planner *Planner
	pause   time.Duration // Options.Pause
}

// Start listens and serves in the background. The caller closes the server.
func Start(o Options) (*Server, error) {
	planner, err := NewPlanner(o.Protocol)
	if err != nil {
		return nil, err
	}
	refuse := func(w http.ResponseWriter, code, message string) {
		chatapi.Refuse(http.StatusForbidden, code, "", message).Write(w)
	}
	s := &Server{planner: planner, pause: o.Pause}
	s.Server, err = loopback.Start(loopback.Options{Addr: o.Addr, Listener: o.listener, Handler: s.handler(), Refuse: refuse})
	return s, err
}

// URL returns the base URL, ending in "/v1".
func (s *Server) URL() string { return "http://" + s.Addr() + "/v1" }

func (s *Server) handler() http.Handler {
	card := chatapi.NewModel(ModelID, "vcp (rule-based planner)")
	respond := func(v any) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { chatapi.WriteJSON(w, http.StatusOK, v) }
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.chat)
	mux.HandleFunc("GET /v1/models", respond(chatapi.Models{card}))
	mux.HandleFunc("GET /v1/models/"+ModelID, respond(card))
	mux.HandleFunc("GET /v1/models/{id}", func(w http.ResponseWriter, r *http.Request) {
		chatapi.NoModel(r.PathValue("id"), ModelID).Write(w)
	})
	mux.HandleFunc("GET /{$}", respond(map[string]any{
		"name": ModelID, "about": "a small rule-based planner with an OpenAI-compatible API, not a language model",
		"endpoints": []string{"GET /v1/models", "POST /v1/chat/completions"},
	}))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		message := fmt.Sprintf("there is nothing at %s %s; there are GET /v1/models and POST /v1/chat/completions", r.Method, r.URL.Path)
		chatapi.Refuse(http.StatusNotFound, "unknown_url", "", message).Write(w)
	})
	return mux
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	q, refusal := chatapi.Read(w, r, ModelID, maxBody)
	if refusal == nil && len(q.Tools) > 0 {
		refusal = chatapi.Refuse(http.StatusBadRequest, "unsupported_parameter", "tools",
			ModelID+" takes no native tools: it calls tools in the text of its reply, by the definitions in the system prompt")
	}
	if refusal != nil {
		refusal.Write(w)
		return
	}
	loopback.ExtendDeadlines(w)
	var messages []protocol.Message
	for _, m := range q.Messages {
		role := protocol.Role(strings.ReplaceAll(m.Role, "developer", "system"))
		messages = append(messages, protocol.Message{Role: role, Content: m.Content})
	}
	text, finish := q.Truncate(s.planner.Reply(messages))
	usage := q.Usage(text)
	frame := chatapi.Frame{ID: "chatcmpl-" + ModelID, Created: time.Now().Unix(), Model: ModelID}
	if !q.Stream {
		chatapi.WriteJSON(w, http.StatusOK, frame.Whole(chatapi.Text(text), finish, usage))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	pieces := chatapi.Texts(chatapi.Pieces(text, 3, 5, 2, 6, 4, 1, 7, 4)) // like the pieces of models
	for i, event := range frame.Events(pieces, finish, usage) {
		if i > 1 && i < len(pieces)+1 { // between two pieces; event 0 is the opening
			select {
			case <-time.After(s.pause):
			case <-r.Context().Done():
				return
			}
		}
		loopback.ExtendDeadlines(w) // again, so that the deadline limits one event and not the reply
		_, err := io.WriteString(w, event)
		if errors.Join(err, http.NewResponseController(w).Flush(), r.Context().Err()) != nil {
			return
		}
	}
}
