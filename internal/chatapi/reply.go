package chatapi

import (
	"encoding/json"
	"net/http"
	"unicode/utf8"
)

// A Frame contains the members that all chunks of one reply have in common.
type Frame struct {
	ID      string `json:"id"`
	Object  string `json:"object"` // set by Whole and Events
	Created int64  `json:"created"`
	Model   string `json:"model"`
}

// A Reply is a whole reply, or one chunk of a stream.
type Reply struct {
	Frame
	Choices []Choice `json:"choices"`
	Usage   *Usage   `json:"usage,omitempty"`
}

// A Choice has a Message in a whole reply, and a Delta in a chunk.
type Choice struct {
	Index        int      `json:"index"`
	Message      *Content `json:"message,omitempty"`
	Delta        *Content `json:"delta,omitempty"`
	FinishReason *string  `json:"finish_reason"`
}

// Content is the model's text, reasoning and calls, or a piece of them.
type Content struct {
	Role             string      `json:"role,omitempty"`
	Content          *string     `json:"content,omitempty"`
	ReasoningContent string      `json:"reasoning_content,omitempty"`
	ToolCalls        []CallPiece `json:"tool_calls,omitempty"`
}

// Usage is the cost of a reply, in tokens.
type Usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	TotalTokens      int `json:"total_tokens"`
}

// Text returns a piece of the reply's text.
func Text(text string) Content { return Content{Content: &text} }

// Texts returns pieces of the reply's text.
func Texts(pieces []string) []Content {
	contents := make([]Content, len(pieces))
	for i, piece := range pieces {
		contents[i] = Text(piece)
	}
	return contents
}

// Whole returns a reply that is not streamed. A finish reason "" is null. A nil usage is omitted.
func (f Frame) Whole(message Content, finish string, usage *Usage) Reply {
	f.Object, message.Role = "chat.completion", "assistant"
	return Reply{Frame: f, Choices: []Choice{{Message: &message, FinishReason: reason(finish)}}, Usage: usage}
}

// Events returns the events of a stream: an opening, the pieces, a finish reason if it is not
// "", a usage if it is not nil, and the end.
func (f Frame) Events(pieces []Content, finish string, usage *Usage) []string {
	f.Object = "chat.completion.chunk"
	chunk := func(delta Content, finish string) string {
		return event(Reply{Frame: f, Choices: []Choice{{Delta: &delta, FinishReason: reason(finish)}}})
	}
	events := []string{chunk(Content{Role: "assistant", Content: new(string)}, "")}
	for _, piece := range pieces {
		events = append(events, chunk(piece, ""))
	}
	if finish != "" {
		events = append(events, chunk(Content{}, finish))
	}
	if usage != nil {
		events = append(events, event(Reply{Frame: f, Choices: []Choice{}, Usage: usage}))
	}
	return append(events, "data: [DONE]\n\n")
}

// reason returns a finish reason for JSON; "" becomes null.
func reason(finish string) *string {
	if finish == "" {
		return nil
	}
	return &finish
}

// event returns a chunk as one event of a stream.
func event(chunk Reply) string {
	raw, _ := json.Marshal(chunk) // it always encodes
	return "data: " + string(raw) + "\n\n"
}

// An Error is the body of a response with an error status.
type Error struct {
	Message string `json:"message"`
	Type    string `json:"type"`
	Param   string `json:"param,omitempty"`
	Code    string `json:"code,omitempty"`
}

// MarshalJSON returns an object with the error as its member "error".
func (e Error) MarshalJSON() ([]byte, error) {
	type plain Error
	return json.Marshal(map[string]plain{"error": plain(e)})
}

// A Model is one entry of the list of models.
type Model struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"`
	OwnedBy string `json:"owned_by"`
}

// NewModel returns a Model with a fixed time of creation.
func NewModel(id, owner string) Model { return Model{ID: id, Object: "model", OwnedBy: owner} }

// Models is the list of models.
type Models []Model

// MarshalJSON returns the list in the form of the API: an object with the member "data".
func (m Models) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"object": "list", "data": append([]Model{}, m...)})
}

// WriteJSON responds with v as JSON. It ignores errors of the connection.
func WriteJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
}

// Pieces splits text into small pieces, as models write it. The lengths of the pieces are the
// sizes, in characters, in turn. Each size is at least 1.
func Pieces(text string, sizes ...int) []string {
	var pieces []string
	for i := 0; text != ""; i++ {
		end := 0
		for n := 0; n < sizes[i%len(sizes)] && end < len(text); n++ {
			_, size := utf8.DecodeRuneInString(text[end:])
			end += size
		}
		pieces, text = append(pieces, text[:end]), text[end:]
	}
	return pieces
}
