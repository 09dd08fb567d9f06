package modelserver

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/chatapi"
)

// A Reply is one answer of a script. The zero value is a reply that is cut before its first word: it has no finish reason.
type Reply struct {
	// Reasoning and Pieces are sent in this order, each as an event of its own, or joined where the request does not stream.
	Reasoning []string
	Pieces    []string
	// ToolCalls are native calls, sent after the text: all are begun, and then their arguments come in small pieces, in turn.
	ToolCalls []ToolCall
	// Finish is the finish reason; "" sends none.
	Finish string
	// Usage, if set, is sent in an event of its own after the finish reason.
	Usage *Usage
	// NoDone leaves out the "[DONE]" that ends a stream.
	NoDone bool

	// Raw is sent as the whole body instead, byte for byte, where it, ContentType or Status is set.
	Raw         string
	ContentType string // "" is text/event-stream
	Status      int    // 0 is 200
	Header      http.Header

	// Chunk is how many bytes of a raw body are sent at a time; 0 is all.
	Chunk int
	// Endless is sent after all else, again and again, until the client leaves or the server closes.
	Endless string

	// Pause is waited before each part of the body: an event or, in a raw body, a line.
	Pause time.Duration
	// HangUp closes the connection instead of answering.
	HangUp bool
	// Stall keeps the connection open after the last byte, until the client leaves or the server closes.
	Stall bool
	// Answer, if set, makes the reply from the request; all else is ignored.
	Answer func(Request) Reply

	cut   bool
	cutAt int
}

// Usage is what a reply says that it cost.
type Usage = chatapi.Usage

// Text is a complete reply in small pieces, with finish reason "stop".
func Text(text string) Reply { return Pieces(split(text)...) }

// Pieces is a complete reply in just these pieces, with finish reason "stop".
func Pieces(pieces ...string) Reply { return Reply{Pieces: pieces, Finish: "stop"} }

// Calls is a complete reply that makes native calls.
func Calls(calls ...ToolCall) Reply { return Reply{ToolCalls: calls, Finish: "tool_calls"} }

// Unfinished is a reply that ends without a finish reason, though in good form.
func Unfinished(text string) Reply { return Reply{Pieces: split(text)} }

// Length is a reply that was cut at the token limit.
func Length(text string) Reply { return Reply{Pieces: split(text), Finish: "length"} }

// Raw is a body as it is, with status 200.
func Raw(contentType, body string) Reply { return Reply{ContentType: contentType, Raw: body} }

// Failure is an error as the API has it.
func Failure(status int, message string) Reply {
	body, _ := json.Marshal(chatapi.Error{Message: message, Type: "error"}) // it always encodes
	return Reply{Status: status, ContentType: "application/json", Raw: string(body)}
}

// Stalled is a reply that stops after its text and never ends.
func Stalled(text string) Reply { return Reply{Pieces: split(text), NoDone: true, Stall: true} }

// Func is a reply that is made from the request.
func Func(answer func(Request) Reply) Reply { return Reply{Answer: answer} }

// Cut is the same reply with the connection broken off after n bytes of its body.
func (r Reply) Cut(n int) Reply {
	r.cut, r.cutAt = true, n
	return r
}

// Body returns the bytes that are sent to a request that streams, or does not.
func (r Reply) Body(stream bool) string { return strings.Join(r.parts(stream), "") }

func (r Reply) raw() bool { return r.Raw != "" || r.ContentType != "" || r.Status != 0 }

// parts returns the body in the pieces in which it is sent.
func (r Reply) parts(stream bool) []string {
	switch {
	case r.raw() && r.Chunk > 0:
		parts := make([]string, 0, len(r.Raw)/r.Chunk+1)
		for rest := r.Raw; rest != ""; {
			n := min(len(rest), r.Chunk)
			parts, rest = append(parts, rest[:n]), rest[n:]
		}
		return parts
	case r.raw() && r.Pause > 0:
		return slices.Collect(strings.Lines(r.Raw))
	case r.raw():
		return []string{r.Raw}
	case !stream:
		return []string{r.whole()}
	}
	events := []chatapi.Reply{frame.Chunk(chatapi.Opening(), "")}
	for _, piece := range r.Reasoning {
		events = append(events, frame.Chunk(chatapi.Content{ReasoningContent: piece}, ""))
	}
	for _, piece := range r.Pieces {
		events = append(events, frame.Chunk(chatapi.Text(piece), ""))
	}
	for _, pieces := range r.callPieces() {
		events = append(events, frame.Chunk(chatapi.Content{ToolCalls: pieces}, ""))
	}
	if r.Finish != "" {
		events = append(events, frame.Chunk(chatapi.Content{}, r.Finish))
	}
	if r.Usage != nil {
		events = append(events, frame.UsageChunk(*r.Usage))
	}
	var parts []string
	for _, e := range events {
		parts = append(parts, chatapi.Event(e))
	}
	if !r.NoDone {
		parts = append(parts, chatapi.Done)
	}
	return parts
}

// frame is that of every reply.
var frame = chatapi.Frame{ID: "chatcmpl-1", Created: 1, Model: scripted}

// callPieces returns the pieces of the native calls, event by event.
func (r Reply) callPieces() [][]chatapi.CallPiece {
	var events [][]chatapi.CallPiece
	for n := -1; ; n++ {
		var pieces []chatapi.CallPiece
		for i, c := range r.ToolCalls {
			arguments := split(c.Arguments)
			switch {
			case n < 0:
				c.Arguments = ""
			case n < len(arguments):
				c = ToolCall{Arguments: arguments[n]}
			default:
				continue
			}
			pieces = append(pieces, c.Piece(&i))
		}
		if len(pieces) == 0 {
			return events
		}
		events = append(events, pieces)
	}
}

// whole returns the reply to a request that does not stream.
func (r Reply) whole() string {
	message := chatapi.Text(strings.Join(r.Pieces, ""))
	message.ReasoningContent = strings.Join(r.Reasoning, "")
	for _, c := range r.ToolCalls {
		message.ToolCalls = append(message.ToolCalls, c.Piece(nil))
	}
	raw, _ := json.Marshal(frame.Whole(message, r.Finish, r.Usage)) // it always encodes
	return string(raw)
}

func (r Reply) write(w http.ResponseWriter, req *http.Request, request Request, closed <-chan struct{}) {
	if r.HangUp {
		panic(http.ErrAbortHandler)
	}
	header := w.Header()
	switch {
	case r.ContentType != "":
		header.Set("Content-Type", r.ContentType)
	case request.Stream || r.raw():
		header.Set("Content-Type", "text/event-stream")
	default:
		header.Set("Content-Type", "application/json")
	}
	for key, values := range r.Header {
		header[key] = values
	}
	status := r.Status
	if status == 0 {
		status = http.StatusOK
	}
	w.WriteHeader(status)
	control := http.NewResponseController(w)
	flush := func() { _ = control.Flush() }

	left := -1
	if r.cut {
		left = r.cutAt
		flush() // the header is sent, whatever the cut
	}
	for _, part := range r.parts(request.Stream) {
		if !sleep(req.Context(), r.Pause) {
			return
		}
		if r.cut && len(part) > left {
			part = part[:left]
		}
		if _, err := io.WriteString(w, part); err != nil {
			return
		}
		flush()
		if r.cut {
			if left -= len(part); left == 0 {
				break
			}
		}
	}
	for r.Endless != "" {
		select {
		case <-closed:
			return
		default:
		}
		if _, err := io.WriteString(w, r.Endless); err != nil {
			return
		}
		flush()
	}
	if r.Stall {
		select {
		case <-req.Context().Done():
		case <-closed:
		}
	}
	if r.cut {
		// Without this the body would end in good order.
		panic(http.ErrAbortHandler)
	}
}

// sleep reports whether d passed before the client left.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// split cuts text into small pieces.
func split(text string) []string { return chatapi.Pieces(text, 5) }
