package demomodel

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol"
)

// chat answers one chat request.
func (a *api) chat(w http.ResponseWriter, r *http.Request) {
	room, ok := a.admission.enter(r.ContentLength)
	if !ok {
		w.Header().Set("Retry-After", "1")
		refuse(w, &apiError{http.StatusServiceUnavailable, "too_many_requests", "", "too many requests are being answered; try again in a moment"})
		return
	}
	defer a.admission.leave(room)
	q, refused := read(w, r)
	if refused != nil {
		refuse(w, refused)
		return
	}
	messages := q.conversation()
	text, finish := q.cut(a.planner.Reply(messages))
	c := completion{
		id: "chatcmpl-" + ModelID, created: time.Now().Unix(), text: text, finish: finish,
		usage: usage{PromptTokens: promptTokens(messages), CompletionTokens: tokens(text)},
	}
	c.usage.TotalTokens = c.usage.PromptTokens + c.usage.CompletionTokens
	a.logger.Debug("chat", "messages", len(messages), "stream", q.Stream, "characters", utf8.RuneCountInString(text), "finish", finish)
	if !q.Stream {
		writeJSON(w, http.StatusOK, c.whole())
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	a.stream(r.Context(), w, c, q.StreamOptions.IncludeUsage)
}

// cut ends a reply at the first stop text, or at the token limit, whichever comes first.
func (q *chatRequest) cut(text string) (string, protocol.FinishReason) {
	finish := protocol.FinishStop
	for _, stop := range q.Stop {
		if i := strings.Index(text, stop); i >= 0 && stop != "" {
			text = text[:i]
		}
	}
	if q.MaxTokens == nil || tokens(text) <= *q.MaxTokens {
		return text, finish
	}
	quarters := 0
	for i, r := range text {
		if quarters += cost(r); (quarters+3)/4 > *q.MaxTokens {
			return text[:i], protocol.FinishLength
		}
	}
	return text, finish
}

// cost is what a character counts, in quarters of a token: four of ASCII make one.
func cost(r rune) int {
	if r < utf8.RuneSelf {
		return 1
	}
	return 4
}

// tokens estimates: the planner has none of its own.
func tokens(text string) int {
	quarters := 0
	for _, r := range text {
		quarters += cost(r)
	}
	return (quarters + 3) / 4
}

func promptTokens(messages []protocol.Message) int {
	n := 0
	for _, m := range messages {
		n += tokens(m.Content)
	}
	return n
}

type usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	TotalTokens      int `json:"total_tokens"`
}

// completion is one reply in the form of the API.
type completion struct {
	id      string
	created int64
	text    string
	finish  protocol.FinishReason
	usage   usage
}

func (c *completion) object(kind string) map[string]any {
	return map[string]any{"id": c.id, "object": kind, "created": c.created, "model": ModelID}
}

func (c *completion) whole() map[string]any {
	o := c.object("chat.completion")
	o["choices"] = []any{map[string]any{
		"index": 0, "message": map[string]any{"role": "assistant", "content": c.text}, "finish_reason": c.finish,
	}}
	o["usage"] = c.usage
	return o
}

func (c *completion) chunk(delta map[string]any, finish any) map[string]any {
	o := c.object("chat.completion.chunk")
	o["choices"] = []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}
	return o
}

// stream writes a reply as events and ends where the client has gone, or the server closes.
func (a *api) stream(ctx context.Context, w http.ResponseWriter, c completion, withUsage bool) {
	control := http.NewResponseController(w)
	send := func(v map[string]any) bool {
		raw, err := json.Marshal(v)
		if err != nil || ctx.Err() != nil {
			return false
		}
		_ = control.SetWriteDeadline(time.Now().Add(writeTime)) // for this piece, however long the reply
		if _, err = io.WriteString(w, "data: "+string(raw)+"\n\n"); err != nil {
			return false
		}
		return control.Flush() == nil
	}
	if !send(c.chunk(map[string]any{"role": "assistant", "content": ""}, nil)) {
		return
	}
	for i, piece := range pieces(c.text) {
		if i > 0 && !wait(ctx, a.pause) || !send(c.chunk(map[string]any{"content": piece}, nil)) {
			return
		}
	}
	if !send(c.chunk(map[string]any{}, c.finish)) {
		return
	}
	if withUsage {
		o := c.object("chat.completion.chunk")
		o["choices"], o["usage"] = []any{}, c.usage
		if !send(o) {
			return
		}
	}
	_, _ = io.WriteString(w, "data: [DONE]\n\n") // the last word: nobody is left to tell of a failure
}

// wait reports whether the time passed before ctx ended.
func wait(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// pieces cuts a text as models write it: a few characters at a time, and not always as many.
func pieces(text string) []string {
	lengths := [...]int{3, 5, 2, 6, 4, 1, 7, 4}
	var cut []string
	for i := 0; text != ""; i++ {
		end := 0
		for n := 0; n < lengths[i%len(lengths)] && end < len(text); n++ {
			_, size := utf8.DecodeRuneInString(text[end:])
			end += size
		}
		cut = append(cut, text[:end])
		text = text[end:]
	}
	return cut
}
