// Package history converts conversations between protocol.Message and the forms of two APIs: the
// chat completions API of OpenAI and the messages API of Anthropic.
//
// Text, images, calls and results are kept. Messages that are read have the origin
// protocol.OriginImport, so that all their text is foreign. Every error is an *Error.
package history

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/jsonerror"
	"github.com/vcpgo/vcp/protocol"
)

// Error says which message cannot be converted, and why.
type Error struct {
	Message int // the index of the message, from 0; -1 for the history as a whole
	Reason  string
}

// Error names the message and the reason.
func (e *Error) Error() string {
	if e.Message < 0 {
		return "history: " + e.Reason
	}
	return fmt.Sprintf("history: messages[%d] %s", e.Message, e.Reason)
}

// limits are larger than those of a configuration, because a history contains images and arguments.
var limits = document.Limits{Bytes: 64 << 20, Depth: 64, Entries: 1 << 20}

// decode reads a JSON array of messages, or a request of the API. It returns the request's system
// prompt unchanged.
func decode[Message any](raw json.RawMessage) (messages []Message, system json.RawMessage, err error) {
	var request struct {
		System   json.RawMessage   `json:"system"`
		Messages []json.RawMessage `json:"messages"`
	}
	raw = bytes.TrimSpace(raw)
	if err = document.CheckJSON(raw, limits); err == nil {
		if bytes.HasPrefix(raw, []byte("{")) {
			err = json.Unmarshal(raw, &request)
		} else {
			err = json.Unmarshal(raw, &request.Messages)
		}
	}
	if err != nil {
		return nil, nil, &Error{
			-1,
			"neither a list of messages nor a request of the API: " + jsonerror.Explain(err).Error(),
		}
	}
	messages = make([]Message, len(request.Messages))
	for i, m := range request.Messages {
		if err := json.Unmarshal(m, &messages[i]); err != nil {
			return nil, nil, &Error{i, "cannot be read: " + jsonerror.Explain(err).Error()}
		}
	}
	return messages, request.System, nil
}

// checkText returns an error for the first message that contains data rather than text.
func checkText(messages []protocol.Message) error {
	for i := range messages {
		if m := &messages[i]; len(m.Results) > 0 || len(m.Examples) > 0 {
			return &Error{i, "contains results or examples as data; write them as text with Session.Render"}
		}
	}
	return nil
}

// content collects the text and the images of a message from its parts. Between two adjacent text
// parts it adds a line break.
type content struct {
	text      strings.Builder
	images    []protocol.Image
	afterText bool // the last part was text
}

func (c *content) addText(text string) {
	if c.afterText {
		c.text.WriteByte('\n')
	}
	c.text.WriteString(text)
	c.afterText = true
}

func (c *content) addImage(i protocol.Image) {
	i.At = c.text.Len()
	c.images = append(c.images, i)
	c.afterText = false
}

func (c *content) empty() bool { return len(c.images) == 0 && !c.afterText }

// readParts reads content: a list of parts, or one text. null and "" are no parts.
func readParts[Part any](raw []byte, ofText func(string) Part) ([]Part, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		if text == "" {
			return nil, nil
		}
		return []Part{ofText(text)}, nil
	}
	var parts []Part
	if err := json.Unmarshal(raw, &parts); err != nil {
		return nil, fmt.Errorf("content is neither a text nor a list of parts (%w)", jsonerror.Explain(err))
	}
	return parts, nil
}

// readImage returns the image at a URL: its data if the URL is "data:TYPE;base64,…" in the
// spelling that imageURL writes, and otherwise the URL.
func readImage(url string) protocol.Image {
	rest, isData := strings.CutPrefix(url, "data:")
	mediaType, encoded, isBase64 := strings.Cut(rest, ";base64,")
	if isData && isBase64 && mediaType != "" && !strings.ContainsAny(mediaType, ";,") && !strings.ContainsAny(encoded, "\r\n") {
		if data, err := base64.StdEncoding.Strict().DecodeString(encoded); err == nil && len(data) > 0 {
			return protocol.Image{MediaType: mediaType, Data: data}
		}
	}
	return protocol.Image{URL: url}
}

// imageURL returns the address of an image, or the image as a data URL.
func imageURL(i *protocol.Image) string {
	if i.URL != "" {
		return i.URL
	}
	return "data:" + i.MediaType + ";base64," + base64.StdEncoding.EncodeToString(i.Data)
}

// MoveToolImages moves images of tool messages into a user message after them, because the chat
// completions API does not accept images in results. It does not change the slice messages. If
// there is nothing to move, it returns messages itself.
func MoveToolImages(messages []protocol.Message) []protocol.Message {
	hasImages := func(m protocol.Message) bool { return m.Role == protocol.RoleTool && len(m.Images) > 0 }
	if !slices.ContainsFunc(messages, hasImages) {
		return messages
	}
	var (
		list   []protocol.Message
		images []protocol.Image
	)
	for i, m := range messages {
		if hasImages(m) {
			for _, image := range m.Images {
				image.At = 0
				images = append(images, image)
			}
			m.Images = nil
		}
		list = append(list, m)
		lastResult := i+1 == len(messages) || messages[i+1].Role != protocol.RoleTool
		if lastResult && len(images) > 0 {
			list, images = append(list, protocol.Message{Role: protocol.RoleUser, Images: images}), nil
		}
	}
	return list
}
