package chat

import (
	"bytes"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/secrets"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// MaskSecrets returns a text as a Conversation of e stores it. "[secret]" replaces each secret that
// the engine knows (engine.Engine.Secrets), and what has the form of a secret. It is for text that
// an application writes into a store itself, such as a title. A nil e knows no secrets.
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

// now returns the filter of the secrets that the engine knows now. They change as tools are
// registered and unregistered.
func (f *secretFilter) now() *secrets.Filter {
	values := f.engine.Secrets()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.filter == nil || !slices.Equal(values, f.values) {
		f.values, f.filter = values, secrets.NewFilter(values)
	}
	return f.filter
}

// entryLayout is the layout of an engine.Entry as JSON.
var entryLayout = &secrets.Layout{
	Fixed: map[string]bool{
		"kind": true, "time": true, "requestId": true, "role": true, "origin": true, "protocol": true, "finish": true,
		"form": true, "digest": true,
		"method": true, "risk": true, "status": true, "errorType": true, "decision": true, "decidedBy": true,
		"verdict": true, "approved": true,
		"code": true, "stop": true, "limit": true, "started": true, "mediaType": true, "data": true,
	},
	Free: map[string]bool{"arguments": true, "details": true},
}

// storedData returns the JSON of an entry without secrets.
func storedData(e *engine.Entry, filter *secrets.Filter) ([]byte, error) {
	data, err := plainJSON(e)
	if err != nil {
		return nil, err
	}
	return filter.JSON(data, entryLayout), nil
}

// withoutSecrets returns an entry without the secrets that the filter cannot find in its JSON: in
// files that are text, and in arguments with the names of secrets. Requests that contain secrets
// are Masked. The rest of the entry is shared.
func withoutSecrets(e *engine.Entry, filter *secrets.Filter) *engine.Entry {
	masked := *e
	if e.Reply != nil {
		masked.Reply = replyWithoutSecrets(e.Reply, filter)
	}
	if e.Result != nil && len(e.Result.Files) > 0 {
		result := *e.Result
		result.Files = filesWithoutSecrets(result.Files, filter)
		masked.Result = &result
	}
	return &masked
}

func replyWithoutSecrets(given *engine.RecordedReply, filter *secrets.Filter) *engine.RecordedReply {
	r := *given
	r.Requests = slices.Clone(r.Requests)
	contains := func(text string) bool { return filter.Text(text) != text }
	var values []string
	for i := range r.Requests {
		req := &r.Requests[i].Request
		req.Masked = req.Masked || contains(req.ToolName) || contains(req.Command)
		req.Arguments = slices.Clone(req.Arguments)
		for k := range req.Arguments {
			a := &req.Arguments[k]
			if secrets.IsSecret(a.Name, a.Value) {
				values = append(values, a.Value)
				*a, req.Masked = protocol.Argument{Name: a.Name, Value: tool.Masked}, true
			}
			req.Masked = req.Masked || contains(a.Name) || contains(a.Value)
		}
	}
	if len(values) > 0 {
		coverReply(&r, values)
	}
	return &r
}

// coverReply masks values in the texts of a reply.
func coverReply(r *engine.RecordedReply, values []string) {
	texts := []string{r.Message.Content, r.Reasoning}
	optional := []**string{&r.Raw, &r.Text}
	for _, text := range optional {
		if *text != nil {
			texts = append(texts, **text)
		}
	}
	secrets.Cover(texts, values)
	r.Message.Content, r.Reasoning, texts = texts[0], texts[1], texts[2:]
	for _, text := range optional {
		if *text != nil {
			*text, texts = &texts[0], texts[1:]
		}
	}
}

// maskedTexts returns the texts without secrets.
func maskedTexts(list []string, filter *secrets.Filter) []string {
	list = slices.Clone(list)
	for i, text := range list {
		list[i] = filter.Text(text)
	}
	return list
}

func filesWithoutSecrets(files []tool.File, filter *secrets.Filter) []tool.File {
	files = slices.Clone(files)
	for i := range files {
		if f := &files[i]; utf8.Valid(f.Data) && !bytes.Contains(f.Data, []byte{0}) {
			f.Data = []byte(filter.Text(string(f.Data)))
		}
	}
	return files
}
