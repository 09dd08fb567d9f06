package chatapi

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/jsonerror"
)

// A Refusal is a response with an error instead of a reply.
type Refusal struct {
	Status int
	Error
}

// Refuse returns a refusal of a request. param is the member of the request that is wrong, or "".
func Refuse(status int, code, param, message string) *Refusal {
	return &Refusal{status, Error{Message: message, Type: "invalid_request_error", Param: param, Code: code}}
}

// NoModel returns a refusal of a request for the model id. served is the only model of the server.
func NoModel(id, served string) *Refusal {
	return Refuse(http.StatusNotFound, "model_not_found", "model",
		fmt.Sprintf("there is no model %q here; the only one is %q", id, served))
}

// Write responds with the refusal.
func (r *Refusal) Write(w http.ResponseWriter) { WriteJSON(w, r.Status, r.Error) }

// Read reads a chat request for a server with one model. It returns the request, or a refusal if
// the server cannot answer it. maxBytes limits the body.
func Read(w http.ResponseWriter, r *http.Request, model string, maxBytes int) (*Request, *Refusal) {
	bad := func(param, format string, args ...any) (*Request, *Refusal) {
		return nil, Refuse(http.StatusBadRequest, "invalid_value", param, fmt.Sprintf(format, args...))
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(maxBytes)))
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		return nil, Refuse(http.StatusRequestEntityTooLarge, "request_too_large", "",
			fmt.Sprintf("the request has more than %d bytes", maxBytes))
	case err != nil:
		return bad("", "the request is truncated")
	}
	var q Request
	// Within these limits, the decoded request takes at most a small multiple of maxBytes.
	if err = document.CheckJSON(body, document.Limits{Bytes: maxBytes, Depth: 64, Entries: 100_000}); err == nil {
		err = json.Unmarshal(body, &q)
	}
	q.MaxTokens = cmp.Or(q.MaxCompletionTokens, q.MaxTokens)
	switch {
	case err != nil:
		return bad("", "the request is not a JSON object of a chat request: %v", jsonerror.Explain(err))
	case q.Model != "" && q.Model != model:
		return nil, NoModel(q.Model, model)
	case len(q.Messages) == 0:
		return bad("messages", "messages are missing: send at least one")
	case q.N != nil && *q.N != 1:
		return bad("n", "n is %d; allowed is 1", *q.N)
	case q.MaxTokens != nil && *q.MaxTokens < 1:
		return bad("max_tokens", "max_tokens is %d; it must be at least 1", *q.MaxTokens)
	}
	for i, m := range q.Messages {
		if !slices.Contains([]string{"system", "developer", "user", "assistant"}, m.Role) {
			return bad(fmt.Sprintf("messages[%d].role", i), "role %q is not one of system, developer, user, assistant", m.Role)
		}
	}
	return &q, nil
}

// Truncate ends a reply at the first of the request's stop texts, or at its token limit, whichever
// comes first. It returns the beginning of the reply and the finish reason. Tokens are estimated.
func (r *Request) Truncate(reply string) (truncated, finish string) {
	end := len(reply)
	for _, stop := range r.Stop {
		if i := strings.Index(reply, stop); i >= 0 && stop != "" {
			end = min(end, i)
		}
	}
	reply = reply[:end] // only now, because stop texts may overlap
	if r.MaxTokens != nil && tokens(reply) > *r.MaxTokens {
		return strings.ToValidUTF8(reply[:*r.MaxTokens*bytesPerToken], ""), "length"
	}
	return reply, "stop"
}

// Usage estimates the tokens of the request and of a reply to it. It returns nil if the reply is
// streamed and the request does not ask for the usage.
func (r *Request) Usage(reply string) *Usage {
	if r.Stream && !r.StreamOptions.IncludeUsage {
		return nil
	}
	u := Usage{CompletionTokens: tokens(reply)}
	for _, m := range r.Messages {
		u.PromptTokens += tokens(m.Content)
	}
	u.TotalTokens = u.PromptTokens + u.CompletionTokens
	return &u
}

// bytesPerToken is the estimated length of a token.
const bytesPerToken = 4

// tokens estimates the tokens of a text, rounded up.
func tokens(text string) int { return (len(text) + bytesPerToken - 1) / bytesPerToken }
