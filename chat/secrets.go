package chat

import (
	"slices"
	"sync"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/secrets"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// MaskSecrets returns a text as a Conversation of e stores it. "[secret]" replaces each secret that
// the engine knows (engine.Engine.Secrets), and what has the form of a secret. It is for text that
// an application writes into a store itself, such as a title. If e is nil, MaskSecrets masks only
// what has the form of a secret.
func MaskSecrets(e *engine.Engine, text string) string { return newFilter(e).Text(text) }

func newFilter(e *engine.Engine) *secrets.Filter {
	if e == nil {
		return secrets.NewFilter(nil)
	}
	return secrets.NewFilter(e.Secrets())
}

// A secretFilter masks what a Conversation stores. It is safe for concurrent use.
type secretFilter struct {
	engine *engine.Engine

	mu     sync.Mutex
	values []string
	filter *secrets.Filter // the filter of values; nil until it is needed
}

// current returns the filter of the secrets that the engine knows now. They change when tools are
// registered, and when former secrets are dropped.
func (f *secretFilter) current() *secrets.Filter {
	values := f.engine.Secrets()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.filter == nil || !slices.Equal(values, f.values) {
		f.values, f.filter = values, secrets.NewFilter(values)
	}
	return f.filter
}

// entryLayout describes the JSON of an engine.Entry. Strings in Fixed members are not masked,
// because vcp itself chooses them. A model server, a tool or the application may put a secret into
// any other member. Values of Free members can have any format.
var entryLayout = &secrets.Layout{
	Fixed: map[string]bool{
		"kind": true, "time": true, "started": true, "requestId": true, "digest": true, "role": true,
		"origin": true, "form": true, "risk": true, "status": true, "decision": true, "decidedBy": true,
		"verdict": true, "approved": true, "stop": true, "limit": true,
		"data": true, // of files and images; withoutSecrets has masked it
	},
	Free: map[string]bool{"arguments": true, "details": true},
}

// withoutSecrets returns an entry without the secrets that the filter cannot find in its JSON.
// These are in files and images, and in arguments that have the name of a secret, such as
// "password". It sets Masked in requests that contain any secret. The copy shares the rest with the
// entry.
func withoutSecrets(e *engine.Entry, filter *secrets.Filter) *engine.Entry {
	masked := *e
	if e.Reply != nil {
		masked.Reply = replyWithoutSecrets(e.Reply, filter)
	}
	if e.User != nil {
		masked.User = new(messageWithoutSecrets(*e.User, filter))
	}
	if e.Note != nil {
		masked.Note = new(*e.Note)
		masked.Note.Examples = requestsWithoutSecrets(e.Note.Examples)
	}
	if e.Result != nil && len(e.Result.Files) > 0 {
		masked.Result = new(*e.Result)
		masked.Result.Files = edited(e.Result.Files, func(f *tool.File) { f.Data = filter.Bytes(f.Data) })
	}
	return &masked
}

func replyWithoutSecrets(given *engine.RecordedReply, filter *secrets.Filter) *engine.RecordedReply {
	r := *given
	r.Requests = slices.Clone(r.Requests)
	containsSecret := func(text string) bool { return filter.Text(text) != text }
	var values []string
	for i := range r.Requests {
		req := &r.Requests[i].Request
		masked := maskArguments(&req.ToolRequest)
		values = append(values, masked...)
		req.Masked = req.Masked || len(masked) > 0 || containsSecret(req.ToolName) || containsSecret(req.Command)
		for _, a := range req.Arguments {
			req.Masked = req.Masked || containsSecret(a.Name) || containsSecret(a.Value)
		}
	}
	r.Message = messageWithoutSecrets(r.Message, filter)
	if len(values) > 0 {
		maskInReply(&r, values)
	}
	return &r
}

// maskArguments masks the arguments that have the name of a secret, and returns their values. It
// replaces the list of arguments and does not change the old one.
func maskArguments(req *protocol.ToolRequest) (values []string) {
	req.Arguments = edited(req.Arguments, func(a *protocol.Argument) {
		if secrets.IsSecret(a.Name, a.Value) {
			values = append(values, a.Value)
			*a = protocol.Argument{Name: a.Name, Value: tool.Masked}
		}
	})
	return values
}

// requestsWithoutSecrets returns a copy of requests in which maskArguments has masked the
// arguments.
func requestsWithoutSecrets(list []protocol.ToolRequest) []protocol.ToolRequest {
	return edited(list, func(req *protocol.ToolRequest) { maskArguments(req) })
}

func messageWithoutSecrets(m protocol.Message, filter *secrets.Filter) protocol.Message {
	m.Examples = requestsWithoutSecrets(m.Examples)
	m.Images = edited(m.Images, func(image *protocol.Image) { image.Data = filter.Bytes(image.Data) })
	return m
}

// maskInReply masks values in the texts of r. r.Raw and r.Text then point to copies; the original
// texts do not change.
func maskInReply(r *engine.RecordedReply, values []string) {
	texts := []*string{&r.Message.Content, &r.Reasoning}
	for _, optional := range []**string{&r.Raw, &r.Text} {
		if *optional != nil {
			*optional = new(**optional)
			texts = append(texts, *optional)
		}
	}
	secrets.Cover(values, texts...)
}

// maskedTexts returns the texts without secrets.
func maskedTexts(list []string, filter *secrets.Filter) []string {
	return edited(list, func(text *string) { *text = filter.Text(*text) })
}

// edited returns a copy of a list in which edit has changed each item.
func edited[T any](list []T, edit func(*T)) []T {
	list = slices.Clone(list)
	for i := range list {
		edit(&list[i])
	}
	return list
}
