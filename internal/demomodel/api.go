package demomodel

import (
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

	"github.com/sashabaranov/go-openai"

	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/protocol"
)

// maxBody limits a request, in bytes.
const maxBody = 2 << 20

// bodyLimits keep what is decoded from a request a small multiple of its bytes.
var bodyLimits = document.Limits{Bytes: maxBody, Depth: 64, Entries: 100_000}

// An api answers HTTP requests in the form of the OpenAI API.
type api struct {
	planner *Planner
	pause   time.Duration
	logger  *slog.Logger
}

func (a *api) handler() http.Handler {
	card := openai.Model{ID: ModelID, Object: "model", OwnedBy: "vcp (rule-based planner)"}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": []any{card}})
	})
	mux.HandleFunc("GET /v1/models/{id}", func(w http.ResponseWriter, r *http.Request) {
		if id := r.PathValue("id"); id != ModelID {
			refuse(w, noModel(id))
			return
		}
		writeJSON(w, http.StatusOK, card)
	})
	mux.HandleFunc("POST /v1/chat/completions", a.chat)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]any{
			"name": ModelID, "about": "a small rule-based planner behind an OpenAI-compatible API; it is no language model",
			"endpoints": []string{"GET /v1/models", "POST /v1/chat/completions"},
		})
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		for _, allowed := range []string{http.MethodGet, http.MethodPost} {
			other := *r
			other.Method = allowed
			if _, pattern := mux.Handler(&other); pattern != "/" {
				w.Header().Set("Allow", allowed)
				refuse(w, refusal(http.StatusMethodNotAllowed, "method_not_allowed", "", "%s takes %s, not %s", r.URL.Path, allowed, r.Method))
				return
			}
		}
		refuse(w, refusal(http.StatusNotFound, "unknown_url", "",
			"there is nothing at %s %s; there are GET /v1/models and POST /v1/chat/completions", r.Method, r.URL.Path))
	})
	return mux
}

// local refuses what a web page sent: requests whose Host is a name that was made to lead here, and
// requests from another origin. Programs on this machine name a loopback address and no origin.
func local(next http.Handler) http.Handler {
	var origins http.CrossOriginProtection
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A client that reads nothing of its reply is not waited for. An error means that this writer has no deadlines.
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTime))
		asked := *r
		asked.Method = http.MethodPost // the origin of other methods is not checked
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = strings.Trim(r.Host, "[]")
		}
		switch {
		case !loopback(host):
			refuse(w, refusal(http.StatusForbidden, "foreign_host", "",
				"the request names the host %.100q; this server answers only to localhost and to the loopback addresses", r.Host))
		case origins.Check(&asked) != nil:
			refuse(w, refusal(http.StatusForbidden, "foreign_origin", "",
				"the request comes from the origin %.100q; this server answers programs, and no pages of other origins", r.Header.Get("Origin")))
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// loopback reports whether a host is the loopback of this machine.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

func refusal(status int, code, param, format string, args ...any) *openai.APIError {
	e := &openai.APIError{HTTPStatusCode: status, Code: code, Message: fmt.Sprintf(format, args...), Type: "invalid_request_error"}
	if param != "" {
		e.Param = &param
	}
	return e
}

func noModel(id string) *openai.APIError {
	return refusal(http.StatusNotFound, "model_not_found", "model", "there is no model %q here; the only one is %q", id, ModelID)
}

func refuse(w http.ResponseWriter, e *openai.APIError) {
	writeJSON(w, e.HTTPStatusCode, openai.ErrorResponse{Error: e})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // an error means that the client is gone
}

// A chatRequest is what is read of a chat request. Other fields are ignored.
type chatRequest struct {
	Model    string
	Messages []struct {
		Role    string
		Content texts
	}
	Stream        bool
	Stop          texts
	N             *int
	MaxTokens     *int `json:"max_tokens"`
	NewMaxTokens  *int `json:"max_completion_tokens"` // wins over MaxTokens
	Tools         []json.RawMessage
	StreamOptions openai.StreamOptions `json:"stream_options"`
}

// texts is a text, a list of texts, or a list of parts of which the texts count.
type texts struct {
	list []string
	bad  bool
}

// UnmarshalJSON marks what is none of these as bad.
func (t *texts) UnmarshalJSON(raw []byte) error {
	*t = texts{}
	var one *string
	if json.Unmarshal(raw, &one) == nil {
		if one != nil {
			t.list = []string{*one}
		}
		return nil
	}
	var parts []openai.ChatMessagePart
	if json.Unmarshal(raw, &t.list) == nil {
		return nil
	}
	t.list, t.bad = nil, json.Unmarshal(raw, &parts) != nil
	for _, p := range parts {
		t.list = append(t.list, p.Text)
	}
	return nil
}

// read returns a request that can be answered, with its messages.
func read(w http.ResponseWriter, r *http.Request) (*chatRequest, []protocol.Message, *openai.APIError) {
	bad := func(param, format string, args ...any) (*chatRequest, []protocol.Message, *openai.APIError) {
		return nil, nil, refusal(http.StatusBadRequest, "invalid_value", param, format, args...)
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		return nil, nil, refusal(http.StatusRequestEntityTooLarge, "request_too_large", "", "the request has more than %d bytes", maxBody)
	case err != nil:
		return bad("", "the request ended early")
	}
	// A read deadline that passes while the reply is written would end it.
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	var q chatRequest
	if err := errors.Join(document.CheckJSON(body, bodyLimits), json.Unmarshal(body, &q)); err != nil {
		return bad("", "the request is no JSON object of a chat request: %v", err)
	}
	if q.NewMaxTokens != nil {
		q.MaxTokens = q.NewMaxTokens
	}
	switch {
	case q.Model != "" && q.Model != ModelID:
		return nil, nil, noModel(q.Model)
	case len(q.Messages) == 0:
		return bad("messages", "messages are missing: send at least one")
	case q.N != nil && *q.N != 1:
		return bad("n", "n is %d; allowed is 1", *q.N)
	case q.MaxTokens != nil && *q.MaxTokens < 1:
		return bad("max_tokens", "max_tokens is %d; it must be at least 1", *q.MaxTokens)
	case q.Stop.bad:
		return bad("stop", "stop is neither a text nor a list of texts")
	case len(q.Tools) > 0:
		return nil, nil, refusal(http.StatusBadRequest, "unsupported_parameter", "tools",
			"%s takes no native tools: it calls tools in the text of its reply, by the definitions in the system prompt", ModelID)
	}
	roles := map[string]protocol.Role{
		"system": protocol.RoleSystem, "developer": protocol.RoleSystem, "user": protocol.RoleUser, "assistant": protocol.RoleAssistant,
	}
	var messages []protocol.Message
	for i, m := range q.Messages {
		switch {
		case roles[m.Role] == "":
			return bad(fmt.Sprintf("messages[%d].role", i), "role %q is not one of system, developer, user, assistant", m.Role)
		case m.Content.bad:
			return bad(fmt.Sprintf("messages[%d].content", i), "content is neither a text nor a list of parts")
		}
		messages = append(messages, protocol.Message{Role: roles[m.Role], Content: strings.Join(m.Content.list, "")})
	}
	return &q, messages, nil
}

// chat answers one chat request.
func (a *api) chat(w http.ResponseWriter, r *http.Request) {
	q, messages, refused := read(w, r)
	if refused != nil {
		refuse(w, refused)
		return
	}
	text, finish := q.limit(a.planner.Reply(messages))
	usage := openai.Usage{CompletionTokens: tokens(text)}
	for _, m := range messages {
		usage.PromptTokens += tokens(m.Content)
	}
	usage.TotalTokens = usage.PromptTokens + usage.CompletionTokens
	a.logger.Debug("chat", "messages", len(messages), "stream", q.Stream, "characters", utf8.RuneCountInString(text), "finish", finish)
	id, created := "chatcmpl-"+ModelID, time.Now().Unix()
	if !q.Stream {
		writeJSON(w, http.StatusOK, openai.ChatCompletionResponse{
			ID: id, Object: "chat.completion", Created: created, Model: ModelID, Usage: usage,
			Choices: []openai.ChatCompletionChoice{{
				Message: openai.ChatCompletionMessage{Role: openai.ChatMessageRoleAssistant, Content: text}, FinishReason: finish,
			}},
		})
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	control := http.NewResponseController(w)
	event := func(data string) bool {
		_ = control.SetWriteDeadline(time.Now().Add(writeTime)) // for this piece, however long the reply
		_, err := io.WriteString(w, "data: "+data+"\n\n")
		return errors.Join(err, control.Flush(), r.Context().Err()) == nil
	}
	chunk := func(usage *openai.Usage, choices ...openai.ChatCompletionStreamChoice) bool {
		raw, err := json.Marshal(openai.ChatCompletionStreamResponse{
			ID: id, Object: "chat.completion.chunk", Created: created, Model: ModelID, Choices: choices, Usage: usage,
		})
		return err == nil && event(string(raw))
	}
	for i, piece := range pieces(text) {
		if i > 0 {
			select {
			case <-time.After(a.pause):
			case <-r.Context().Done():
			}
		}
		if !chunk(nil, openai.ChatCompletionStreamChoice{Delta: openai.ChatCompletionStreamChoiceDelta{Role: "assistant", Content: piece}}) {
			return
		}
	}
	if !chunk(nil, openai.ChatCompletionStreamChoice{FinishReason: finish}) || q.StreamOptions.IncludeUsage && !chunk(&usage, []openai.ChatCompletionStreamChoice{}...) {
		return
	}
	event("[DONE]")
}

// limit ends a reply at the first stop text, or at the token limit, whichever comes first.
func (q *chatRequest) limit(text string) (string, openai.FinishReason) {
	for _, stop := range q.Stop.list {
		if i := strings.Index(text, stop); i >= 0 && stop != "" {
			text = text[:i]
		}
	}
	quarters := 0
	for i, r := range text {
		if quarters += cost(r); q.MaxTokens != nil && (quarters+3)/4 > *q.MaxTokens {
			return text[:i], openai.FinishReasonLength
		}
	}
	return text, openai.FinishReasonStop
}

// cost estimates what a character is, in quarters of a token.
func cost(r rune) int {
	if r < utf8.RuneSelf {
		return 1
	}
	return 4
}

func tokens(text string) int {
	quarters := 0
	for _, r := range text {
		quarters += cost(r)
	}
	return (quarters + 3) / 4
}

// pieces returns a text as models write it: a few characters at a time, and not always as many.
func pieces(text string) []string {
	lengths := [...]int{3, 5, 2, 6, 4, 1, 7, 4}
	var list []string
	for i, r := 0, []rune(text); len(r) > 0; i++ {
		n := min(lengths[i%len(lengths)], len(r))
		list = append(list, string(r[:n]))
		r = r[n:]
	}
	return list
}
