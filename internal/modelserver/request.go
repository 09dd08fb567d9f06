package modelserver

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/chatapi"
)

// scripted is the name of the server's model, unless Server.SetModels sets others.
const scripted = "scripted"

// A Request is one chat request as it arrived.
type Request struct {
	chatapi.Request

	At     time.Time       `json:"-"` // when the request arrived
	Header http.Header     `json:"-"`
	Body   json.RawMessage `json:"-"` // the whole body as sent
}

// Message is one message of a request.
type Message = chatapi.Message

// ToolCall is a native call in a request or a reply.
type ToolCall = chatapi.ToolCall

// Last returns the content of the last message, or "" if the request has no messages.
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
