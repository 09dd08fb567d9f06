package demomodel

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/chatapi"
	"github.com/vcpgo/vcp/internal/document"
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
	// Pause is the time between two pieces of a streamed reply, so that people see it being
	// written.
	Pause time.Duration
	// Logger receives each request at level debug; nil logs nothing.
	Logger *slog.Logger

	listener net.Listener // of a test, in place of Addr
}

// A Server serves the planner until it is closed.
type Server struct{ *loopback.Server }

// Start listens and serves in the background. The caller closes the server.
func Start(o Options) (*Server, error) {
	planner, err := NewPlanner(o.Protocol)
	if err != nil {
		return nil, err
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	a := &api{o, planner}
	refuse := func(w http.ResponseWriter, code, message string) {
		(&refusal{http.StatusForbidden, code, "", message}).write(w)
	}
	s, err := loopback.Start(loopback.Options{Addr: o.Addr, Listener: o.listener, Handler: a.handler(), Refuse: refuse, Logger: o.Logger})
	return &Server{s}, err
}

// URL returns the base URL, ending in "/v1".
func (s *Server) URL() string { return "http://" + s.Addr() + "/v1" }

// An api answers HTTP requests in the form of the OpenAI API.
type api struct {
	Options
	planner *Planner
}

func (a *api) handler() http.Handler {
	card := chatapi.NewModel(ModelID, "vcp (rule-based planner)")
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", a.chat)
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		chatapi.WriteJSON(w, http.StatusOK, chatapi.Models{card})
	})
	mux.HandleFunc("GET /v1/models/{id}", func(w http.ResponseWriter, r *http.Request) {
		if id := r.PathValue("id"); id == ModelID {
			chatapi.WriteJSON(w, http.StatusOK, card)
		} else {
			noModel(id).write(w)
		}
	})
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		chatapi.WriteJSON(w, http.StatusOK, map[string]any{
			"name": ModelID, "about": "a small rule-based planner with an OpenAI-compatible API, not a language model",
			"endpoints": []string{"GET /v1/models", "POST /v1/chat/completions"},
		})
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if allowed := map[string]string{"/v1/models": "GET", "/v1/chat/completions": "POST"}[r.URL.Path]; allowed != "" {
			w.Header().Set("Allow", allowed)
			(&refusal{http.StatusMethodNotAllowed, "method_not_allowed", "", fmt.Sprintf("%s takes %s, not %s", r.URL.Path, allowed, r.Method)}).write(w)
			return
		}
		(&refusal{http.StatusNotFound, "unknown_url", "", fmt.Sprintf(
			"there is nothing at %s %s; there are GET /v1/models and POST /v1/chat/completions", r.Method, r.URL.Path)}).write(w)
	})
	return mux
}

// A refusal is a response without a reply.
type refusal struct {
	status               int
	code, param, message string
}

func (r *refusal) write(w http.ResponseWriter) {
	chatapi.WriteJSON(w, r.status, chatapi.Error{Message: r.message, Type: "invalid_request_error", Param: r.param, Code: r.code})
}

func noModel(id string) *refusal {
	return &refusal{http.StatusNotFound, "model_not_found", "model", fmt.Sprintf("there is no model %q here; the only one is %q", id, ModelID)}
}

// readRequest returns a request that can be answered, with its messages.
func readRequest(w http.ResponseWriter, r *http.Request) (*chatapi.Request, []protocol.Message, *refusal) {
	bad := func(param, format string, args ...any) (*chatapi.Request, []protocol.Message, *refusal) {
		return nil, nil, &refusal{http.StatusBadRequest, "invalid_value", param, fmt.Sprintf(format, args...)}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		return nil, nil, &refusal{http.StatusRequestEntityTooLarge, "request_too_large", "", fmt.Sprintf("the request has more than %d bytes", maxBody)}
	case err != nil:
		return bad("", "the request ended early")
	}
	loopback.ExtendDeadlines(w)
	var q chatapi.Request
	// The decoded request takes a small multiple of the bytes.
	if err = document.CheckJSON(body, document.Limits{Bytes: maxBody, Depth: 64, Entries: 100_000}); err == nil {
		err = json.Unmarshal(body, &q)
	}
	q.MaxTokens = cmp.Or(q.MaxCompletionTokens, q.MaxTokens)
	switch {
	case err != nil:
		return bad("", "the request is not a JSON object of a chat request: %v", err)
	case q.Model != "" && q.Model != ModelID:
		return nil, nil, noModel(q.Model)
	case len(q.Messages) == 0:
		return bad("messages", "messages are missing: send at least one")
	case q.N != nil && *q.N != 1:
		return bad("n", "n is %d; allowed is 1", *q.N)
	case q.MaxTokens != nil && *q.MaxTokens < 1:
		return bad("max_tokens", "max_tokens is %d; it must be at least 1", *q.MaxTokens)
	case len(q.Tools) > 0:
		return nil, nil, &refusal{
			http.StatusBadRequest, "unsupported_parameter", "tools",
			ModelID + " takes no native tools: it calls tools in the text of its reply, by the definitions in the system prompt",
		}
	}
	messages := make([]protocol.Message, len(q.Messages))
	for i, m := range q.Messages {
		role := protocol.Role(strings.ReplaceAll(m.Role, "developer", "system"))
		switch role {
		case protocol.RoleSystem, protocol.RoleUser, protocol.RoleAssistant:
		default:
			return bad(fmt.Sprintf("messages[%d].role", i), "role %q is not one of system, developer, user, assistant", m.Role)
		}
		messages[i] = protocol.Message{Role: role, Content: m.Content}
	}
	return &q, messages, nil
}

// chat answers one chat request.
func (a *api) chat(w http.ResponseWriter, r *http.Request) {
	q, messages, refused := readRequest(w, r)
	if refused != nil {
		refused.write(w)
		return
	}
	text, finish := limit(a.planner.Reply(messages), q.Stop, q.MaxTokens)
	usage := chatapi.Usage{CompletionTokens: tokens(text)}
	for _, m := range messages {
		usage.PromptTokens += tokens(m.Content)
	}
	usage.TotalTokens = usage.PromptTokens + usage.CompletionTokens
	a.Logger.Debug("chat", "messages", len(messages), "stream", q.Stream, "characters", utf8.RuneCountInString(text), "finish", finish)
	frame := chatapi.Frame{ID: "chatcmpl-" + ModelID, Created: time.Now().Unix(), Model: ModelID}
	if !q.Stream {
		chatapi.WriteJSON(w, http.StatusOK, frame.Whole(chatapi.Text(text), finish, &usage))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	control := http.NewResponseController(w)
	send := func(event string) bool {
		loopback.ExtendDeadlines(w) // for this piece, however long the reply
		_, err := io.WriteString(w, event)
		return errors.Join(err, control.Flush(), r.Context().Err()) == nil
	}
	if !send(chatapi.Event(frame.Chunk(chatapi.Opening(), ""))) {
		return
	}
	for i, piece := range chatapi.Pieces(text, 3, 5, 2, 6, 4, 1, 7, 4) { // sizes as of models
		if i > 0 {
			select {
			case <-time.After(a.Pause):
			case <-r.Context().Done():
			}
		}
		if !send(chatapi.Event(frame.Chunk(chatapi.Text(piece), ""))) {
			return
		}
	}
	end := chatapi.Event(frame.Chunk(chatapi.Content{}, finish))
	if q.StreamOptions.IncludeUsage {
		end += chatapi.Event(frame.UsageChunk(usage))
	}
	send(end + chatapi.Done)
}

// limit ends a reply at the first stop text, or at the token limit, whichever comes first.
func limit(text string, stops []string, maxTokens *int) (limited, finish string) {
	for _, stop := range stops {
		if i := strings.Index(text, stop); i >= 0 && stop != "" {
			text = text[:i]
		}
	}
	if maxTokens != nil && tokens(text) > *maxTokens {
		return strings.ToValidUTF8(text[:4**maxTokens], ""), "length"
	}
	return text, "stop"
}

// tokens estimates the tokens of a text.
func tokens(text string) int { return (len(text) + 3) / 4 }
