package model

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/protocol"
)

// HistoryError is a message that has no counterpart on the other side.
type HistoryError struct {
	Message int // its index, from 0; -1 where the whole is meant
	Reason  string
}

// Error names the message and what is wrong with it.
func (e *HistoryError) Error() string {
	if e.Message < 0 {
		return "history: " + e.Reason
	}
	return fmt.Sprintf("history: messages[%d] %s", e.Message, e.Reason)
}

// refuseData returns an error for a message that is not all text.
func refuseData(messages []protocol.Message) error {
	for i := range messages {
		if m := &messages[i]; len(m.Results) > 0 || len(m.Examples) > 0 {
			return &HistoryError{i, "holds results or examples as data; write them as text with Session.Render"}
		}
	}
	return nil
}

// body is the text and the images of a message as they are read from parts. A text part behind a text part begins a new line.
type body struct {
	text     strings.Builder
	images   []protocol.Image
	afterRun bool // the last part was text
}

func (b *body) add(text string) {
	if b.afterRun {
		b.text.WriteByte('\n')
	}
	b.text.WriteString(text)
	b.afterRun = true
}

func (b *body) addImage(i protocol.Image) {
	i.At = b.text.Len()
	b.images = append(b.images, i)
	b.afterRun = false
}

func (b *body) empty() bool { return b.text.Len() == 0 && len(b.images) == 0 && !b.afterRun }

// contentParts splits the content of a message: a text, or a list of parts. null and nothing are an empty list.
func contentParts[Part any](raw json.RawMessage) (text string, parts []Part, err error) {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return "", nil, nil
	case raw[0] == '[':
		err = json.Unmarshal(raw, &parts)
	default:
		err = json.Unmarshal(raw, &text)
	}
	return text, parts, err
}

// dataImage reads "data:TYPE;base64,…"; ok is false for any other URL, and for one that would not be written the same again.
func dataImage(url string) (image protocol.Image, ok bool) {
	rest, ok := strings.CutPrefix(url, "data:")
	if !ok {
		return image, false
	}
	mediaType, encoded, ok := strings.Cut(rest, ";base64,")
	if !ok || strings.ContainsAny(mediaType, ";,") {
		return image, false
	}
	data, err := base64.StdEncoding.Strict().DecodeString(encoded)
	if err != nil || strings.ContainsAny(encoded, "\r\n") || mediaType == "" || len(data) == 0 {
		return image, false
	}
	return protocol.Image{MediaType: mediaType, Data: data}, true
}

// encodeJSON writes v without escapes that only web pages need.
func encodeJSON(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, &HistoryError{Message: -1, Reason: err.Error()}
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// historyLimits are what a conversation from elsewhere may hold: more than a configuration, for the images and the arguments in it.
var historyLimits = document.Limits{Bytes: 64 << 20, Depth: 64, Entries: 1 << 20}

// readMessages takes a JSON array of messages, or an object with the member "messages", which is a request of the API.
func readMessages(raw json.RawMessage, request any, list any) error {
	raw = bytes.TrimSpace(raw)
	if err := document.CheckJSON(raw, historyLimits); err != nil {
		return &HistoryError{Message: -1, Reason: "neither a list of messages nor a request of the API: " + err.Error()}
	}
	into := list
	if len(raw) > 0 && raw[0] == '{' {
		into = request
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return &HistoryError{Message: -1, Reason: "neither a list of messages nor a request of the API: " + err.Error()}
	}
	return nil
}
