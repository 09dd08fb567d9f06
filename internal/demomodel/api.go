package demomodel

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/vcpgo/vcp/internal/chatapi"
	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/protocol"
)

// maxBody bounds a request, in bytes.
const maxBody = 16 << 20

// bodyLimits keep what is decoded from a request a small multiple of its bytes.
var bodyLimits = document.Limits{Bytes: maxBody, Depth: 64, Entries: 100_000}

// api answers HTTP requests in the form of the OpenAI API.
type api struct {
	planner   *Planner
	pause     time.Duration
	logger    *slog.Logger
	admission admission
}

func (a *api) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/v1/models", only(http.MethodGet, a.models))
	mux.HandleFunc("/v1/models/{id}", only(http.MethodGet, a.model))
	mux.HandleFunc("/v1/chat/completions", only(http.MethodPost, a.chat))
	mux.HandleFunc("/{$}", only(http.MethodGet, a.about))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, &apiError{http.StatusNotFound, "unknown_url", "", fmt.Sprintf(
			"there is nothing at %s %s; there are GET /v1/models and POST /v1/chat/completions", r.Method, r.URL.Path)})
	})
	return mux
}

// only answers other methods with an error of the API's form.
func only(method string, h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method == method || method == http.MethodGet && r.Method == http.MethodHead {
			h(w, r)
			return
		}
		w.Header().Set("Allow", method)
		refuse(w, &apiError{http.StatusMethodNotAllowed, "method_not_allowed", "", fmt.Sprintf("%s takes %s, not %s", r.URL.Path, method, r.Method)})
	}
}

// An apiError is an error as the API has it.
type apiError struct {
	status  int
	code    string
	param   string
	message string
}

func refuse(w http.ResponseWriter, e *apiError) {
	body := chatapi.Error{Message: e.message, Type: "invalid_request_error", Param: e.param, Code: e.code}
	if e.status >= 500 {
		body.Type = "server_error"
	}
	chatapi.WriteJSON(w, e.status, body)
}

func (a *api) about(w http.ResponseWriter, _ *http.Request) {
	chatapi.WriteJSON(w, http.StatusOK, map[string]any{
		"name": ModelID, "about": "a small rule-based planner behind an OpenAI-compatible API; it is no language model",
		"endpoints": []string{"GET /v1/models", "POST /v1/chat/completions"},
	})
}

var modelCard = chatapi.NewModel(ModelID, "vcp (rule-based planner)")

func (a *api) models(w http.ResponseWriter, _ *http.Request) {
	chatapi.WriteJSON(w, http.StatusOK, chatapi.Models{modelCard})
}

func (a *api) model(w http.ResponseWriter, r *http.Request) {
	if id := r.PathValue("id"); id != ModelID {
		refuse(w, noModel(id))
		return
	}
	chatapi.WriteJSON(w, http.StatusOK, modelCard)
}

func noModel(id string) *apiError {
	return &apiError{http.StatusNotFound, "model_not_found", "model", fmt.Sprintf("there is no model %q here; the only one is %q", id, ModelID)}
}

// read returns a request that can be answered, or why it cannot.
func read(w http.ResponseWriter, r *http.Request) (*chatapi.Request, *apiError) {
	bad := func(param, format string, args ...any) *apiError {
		return &apiError{http.StatusBadRequest, "invalid_value", param, fmt.Sprintf(format, args...)}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, &apiError{http.StatusRequestEntityTooLarge, "request_too_large", "", fmt.Sprintf("the request has more than %d bytes", maxBody)}
	case err != nil:
		return nil, bad("", "the request broke off")
	}
	// A read deadline that passes while the reply is written would end it.
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	var q chatapi.Request
	err = document.CheckJSON(body, bodyLimits)
	if err == nil {
		err = json.Unmarshal(body, &q)
	}
	if err != nil {
		return nil, bad("", "the request is no JSON object of a chat request: %v", err)
	}
	if q.Model != "" && q.Model != ModelID {
		return nil, noModel(q.Model)
	}
	if len(q.Messages) == 0 {
		return nil, bad("messages", "messages are missing: send at least one")
	}
	for i, m := range q.Messages {
		switch m.Role {
		case "system", "developer", "user", "assistant":
		default:
			return nil, bad(fmt.Sprintf("messages[%d].role", i), "role %q is not one of system, developer, user, assistant", m.Role)
		}
	}
	if q.MaxCompletionTokens != nil {
		q.MaxTokens = q.MaxCompletionTokens
	}
	switch {
	case q.N != nil && *q.N != 1:
		return nil, bad("n", "n is %d, and only one reply is given", *q.N)
	case q.MaxTokens != nil && *q.MaxTokens < 1:
		return nil, bad("max_tokens", "max_tokens is %d, and must be at least 1", *q.MaxTokens)
	case len(q.Tools) > 0:
		return nil, &apiError{
			http.StatusBadRequest, "unsupported_parameter", "tools",
			ModelID + " takes no native tools: it calls tools in the text of its reply, by the definitions in the system prompt",
		}
	}
	return &q, nil
}

// messagesOf returns the messages of a request.
func messagesOf(q *chatapi.Request) []protocol.Message {
	messages := make([]protocol.Message, len(q.Messages))
	for i, m := range q.Messages {
		role := protocol.Role(m.Role)
		if m.Role == "developer" {
			role = protocol.RoleSystem
		}
		messages[i] = protocol.Message{Role: role, Content: m.Content}
	}
	return messages
}
