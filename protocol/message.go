package protocol

import (
	"encoding/json"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol/scan"
)

// Role is the speaker of a message.
type Role string

// The roles of a conversation, spelled as model servers spell them.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	// RoleTool is the outcome of one native call. It follows the message that made the call, before
	// any message of another role.
	RoleTool Role = "tool"
)

// Origin says who wrote a message, and so whether a model may see its text unchanged.
type Origin string

// The origins. Text of the user, of the application, and of the model in the protocol in use is
// shown unchanged. All other text is foreign: it is neutralized for the protocol in use
// (Protocol.Neutralize).
const (
	OriginUser        Origin = "user"
	OriginApplication Origin = "application"
	// OriginModel is a reply. Message.Protocol names the form of its requests.
	OriginModel Origin = "model"
	// OriginTool is what a tool returned.
	OriginTool Origin = "tool"
	// OriginEngine is what the engine tells the model. It may repeat what others wrote, such as a
	// tool's name.
	OriginEngine Origin = "engine"
	// OriginImport is a message of an imported conversation, of any role.
	OriginImport Origin = "import"
	// OriginFile is the text of a file, such as an attachment.
	OriginFile Origin = "file"
	// OriginPerson is what a person other than the user wrote, such as a mail.
	OriginPerson Origin = "person"
)

// Source says where foreign text came from.
type Source struct {
	Origin Origin `json:"origin"`
	// Name is a call such as "files_read notes.txt", or the name of a file or a person. It is "" if
	// the source is unknown. It is for people, and may contain foreign text.
	Name string `json:"name,omitempty"`
}

// sources name the sources of text, with a name after them and without.
var sources = map[Origin]struct{ named, unnamed string }{
	OriginTool:   {"the result of", "the result of a tool"},
	OriginImport: {"an imported message", "an imported message"},
	OriginFile:   {"the file", "a file"},
	OriginPerson: {"a message of", "a message of another person"},
}

// String names the source as in a sentence: "the result of files_read notes.txt".
func (s Source) String() string {
	what, known := sources[s.Origin]
	if !known {
		what.named, what.unnamed = "foreign text", "foreign text"
	}
	if s.Name == "" {
		return what.unnamed
	}
	return what.named + " " + s.Name
}

// NoProtocol is the Message.Protocol of a reply without requests: text that looks like a request is
// only text.
const NoProtocol = "-"

// Message is one message of a conversation. It is data: when a request to a model is built, a
// protocol writes Results and Examples as text, and neutralizes foreign text. The owner of a
// message may change its fields, but not the elements of its slices, which copies share.
type Message struct {
	Role Role `json:"role"`
	// Origin says who wrote Content. If it is "", Role decides: the application for RoleSystem, the
	// user for RoleUser, a tool for RoleTool, and the model for RoleAssistant.
	Origin Origin `json:"origin,omitempty"`
	// Source names where foreign text came from, like Name in the type Source; it may be "".
	Source  string `json:"source,omitempty"`
	Content string `json:"content"`
	// Protocol is set if the model wrote Content. It is the id of the text protocol in which the
	// model was to write requests, or NoProtocol. If another protocol is in use, nothing in Content
	// is shown as a request. "" is the protocol in use.
	Protocol string `json:"protocol,omitempty"`
	// Results are outcomes of requests in text. They are shown before Content.
	Results []ToolResult `json:"results,omitempty"`
	// Examples are requests that show the model the correct form after a wrong request. They are
	// shown after Content.
	Examples []ToolRequest `json:"examples,omitempty"`
	// Images are inside Content, in the order of their places.
	Images []Image `json:"images,omitempty"`
	// ToolCalls are native calls of an assistant message, in the model's order, after its Content.
	// Requests in the text of a protocol are part of Content and not listed.
	ToolCalls []ToolCall `json:"toolCalls,omitempty"`
	// ToolCallID names, in a message of RoleTool, the call that it answers.
	ToolCallID string `json:"toolCallId,omitempty"`
	// Failed marks a message of RoleTool that reports a failure.
	Failed bool `json:"failed,omitempty"`
}

// Foreign reports whether Content must be neutralized for a model that writes requests in the
// protocol of that id.
func (m *Message) Foreign(protocolID string) bool {
	switch m.Origin {
	case OriginUser, OriginApplication:
		return false
	case OriginModel:
		return m.Protocol != "" && m.Protocol != protocolID
	case "":
		return m.Role == RoleTool || m.Role == RoleAssistant && m.Protocol != "" && m.Protocol != protocolID
	}
	return true
}

// Image is an image in a message. It has a URL or Data.
type Image struct {
	// At is the byte offset of the image in the message's Content, from 0 to its length.
	At int `json:"at"`
	// URL is the address of the image. It may be a data URL that Data cannot express, such as one
	// that is not in base64.
	URL string `json:"url,omitempty"`
	// Data is the image itself, of the media type MediaType, such as "image/png".
	MediaType string `json:"mediaType,omitempty"`
	Data      []byte `json:"data,omitempty"`
	// Detail is the resolution at which a model sees the image, in the words of its API; "" is the
	// API's default.
	Detail string `json:"detail,omitempty"`
}

// Piece is a run of text or an image.
type Piece struct {
	Text  string // not empty if Image is nil
	Image *Image
}

// Pieces yields Content with the images in their places. An image with a place out of order or
// outside Content comes at the nearest valid place.
func (m *Message) Pieces() iter.Seq[Piece] {
	return func(yield func(Piece) bool) {
		at := 0
		for i := range m.Images {
			end := min(max(at, m.Images[i].At), len(m.Content))
			if end > at && !yield(Piece{Text: m.Content[at:end]}) {
				return
			}
			at = end
			if !yield(Piece{Image: &m.Images[i]}) {
				return
			}
		}
		if at < len(m.Content) {
			yield(Piece{Text: m.Content[at:]})
		}
	}
}

// ToolCall is a native call: a model makes it by its API instead of in text.
type ToolCall struct {
	// ID is the API's name for the call, which the result repeats. It is unique within a
	// conversation only.
	ID string `json:"id"`
	// Name is the method's full name, or what the model wrote if no method has that name.
	Name string `json:"name"`
	// Arguments is the JSON text of an object, as the model wrote it. It may be anything else,
	// because models make mistakes.
	Arguments string `json:"arguments"`
}

// Request returns the call as a ToolRequest: each member of its arguments as a JSON value, in the
// order written. Blank text means no arguments. If the arguments are not one JSON object in UTF-8,
// the error is a *scan.RequestError of code scan.CodeBadArguments.
func (c ToolCall) Request() (ToolRequest, error) {
	r := ToolRequest{ToolName: c.Name}
	if strings.TrimSpace(c.Arguments) == "" {
		return r, nil
	}
	bad := func(what string) (ToolRequest, error) {
		return ToolRequest{ToolName: c.Name}, &scan.RequestError{
			Code:    scan.CodeBadArguments,
			Message: "the arguments are " + what + `; write them as one JSON object, such as {"name": "value"}`,
		}
	}
	if !utf8.ValidString(c.Arguments) || !json.Valid([]byte(c.Arguments)) {
		return bad("not valid JSON")
	}
	d := json.NewDecoder(strings.NewReader(c.Arguments))
	if open, _ := d.Token(); open != json.Delim('{') {
		return bad("not a JSON object")
	}
	for d.More() {
		var value json.RawMessage
		name, _ := d.Token() // the text is valid, so a name comes before each value
		if err := d.Decode(&value); err != nil {
			return bad("not valid JSON")
		}
		r.Arguments = append(r.Arguments, Argument{Name: name.(string), Value: string(value), Form: FormJSON})
	}
	return r, nil
}
