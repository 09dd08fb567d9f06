package demomodel

import (
	"context"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/chatapi"
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
	messages := messagesOf(q)
	text, finish := cut(q, a.planner.Reply(messages))
	c := completion{
		frame: chatapi.Frame{ID: "chatcmpl-" + ModelID, Created: time.Now().Unix(), Model: ModelID}, text: text, finish: string(finish),
		usage: chatapi.Usage{PromptTokens: promptTokens(messages), CompletionTokens: tokens(text)},
	}
	c.usage.TotalTokens = c.usage.PromptTokens + c.usage.CompletionTokens
	a.logger.Debug("chat", "messages", len(messages), "stream", q.Stream, "characters", utf8.RuneCountInString(text), "finish", finish)
	if !q.Stream {
		chatapi.WriteJSON(w, http.StatusOK, c.frame.Whole(chatapi.Text(text), c.finish, &c.usage))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	a.stream(r.Context(), w, c, q.StreamOptions.IncludeUsage)
}

// cut ends a reply at the first stop text, or at the token limit, whichever comes first.
func cut(q *chatapi.Request, text string) (string, protocol.FinishReason) {
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

// completion is one reply.
type completion struct {
	frame  chatapi.Frame
	text   string
	finish string
	usage  chatapi.Usage
}

// stream writes a reply as events and ends where the client has gone, or the server closes.
func (a *api) stream(ctx context.Context, w http.ResponseWriter, c completion, withUsage bool) {
	control := http.NewResponseController(w)
	send := func(r chatapi.Reply) bool {
		if ctx.Err() != nil {
			return false
		}
		_ = control.SetWriteDeadline(time.Now().Add(writeTime)) // for this piece, however long the reply
		_, err := io.WriteString(w, chatapi.Event(r))
		return err == nil && control.Flush() == nil
	}
	if !send(c.frame.Chunk(chatapi.Opening(), "")) {
		return
	}
	for i, piece := range chatapi.Pieces(c.text, 3, 5, 2, 6, 4, 1, 7, 4) {
		if i > 0 && !wait(ctx, a.pause) || !send(c.frame.Chunk(chatapi.Text(piece), "")) {
			return
		}
	}
	if !send(c.frame.Chunk(chatapi.Content{}, c.finish)) {
		return
	}
	if withUsage && !send(c.frame.UsageChunk(c.usage)) {
		return
	}
	_, _ = io.WriteString(w, chatapi.Done) // the last word: nobody is left to tell of a failure
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
