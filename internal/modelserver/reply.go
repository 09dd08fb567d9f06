package modelserver

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/chatapi"
)

// A Reply is one reply of a script. The zero value is a stream without text and finish reason.
type Reply struct {
	// Reasoning and Pieces are sent in this order, with one event for each string. If the request
	// does not stream, the strings are joined.
	Reasoning []string
	Pieces    []string
	// ToolCalls are native calls, sent after the text. The first event has the ids and names of all
	// calls. The arguments follow in small pieces, one piece of each call per event.
	ToolCalls []ToolCall
	// Finish is the finish reason; "" sends none.
	Finish string
	// Usage is sent in a separate event after the finish reason, unless it is nil.
	Usage *Usage
	// NoDone omits the "[DONE]" that ends a stream.
	NoDone bool

	// Raw is the whole body if Raw, ContentType or Status is set. The fields above are then
	// ignored.
	Raw         string
	ContentType string // "" is text/event-stream
	Status      int    // 0 is 200
	Header      http.Header

	// Chunk is how many bytes of a raw body are sent at a time; 0 is all or, with a Pause, a line.
	Chunk int
	// Endless is sent after everything else, again and again, until the client or the server
	// closes.
	Endless string

	// Pause is how long the server waits before each part of the body: an event or, in a raw body,
	// Chunk bytes or a line.
	Pause time.Duration
	// HangUp closes the connection without a response.
	HangUp bool
	// Stall keeps the connection open after the last byte, until the client or the server closes.
	Stall bool
	// Func, if not nil, returns the reply to a request. All other fields are then ignored.
	Func func(Request) Reply

	broken      bool // the connection breaks
	brokenAfter int  // after how many bytes of the body it breaks
}

// Usage is the number of tokens of a request and its reply.
type Usage = chatapi.Usage

// Text returns a complete reply in small pieces, with finish reason "stop".
func Text(text string) Reply { return Pieces(split(text)...) }

// Pieces returns a complete reply in the given pieces, with finish reason "stop".
func Pieces(pieces ...string) Reply { return Reply{Pieces: pieces, Finish: "stop"} }

// Calls returns a complete reply with native calls.
func Calls(calls ...ToolCall) Reply { return Reply{ToolCalls: calls, Finish: "tool_calls"} }

// Unfinished returns a reply that ends normally but without a finish reason.
func Unfinished(text string) Reply { return Reply{Pieces: split(text)} }

// Length returns a reply that was truncated at the token limit: its finish reason is "length".
func Length(text string) Reply { return Reply{Pieces: split(text), Finish: "length"} }

// Raw returns a reply with that body, unchanged, and status 200.
func Raw(contentType, body string) Reply { return Reply{ContentType: contentType, Raw: body} }

// RawStream returns a reply with that body, which should consist of events, and status 200.
func RawStream(body string) Reply { return Raw("text/event-stream", body) }

// Failure returns a reply with an error as the API reports it.
func Failure(status int, message string) Reply {
	body, _ := json.Marshal(chatapi.Error{Message: message, Type: "error"}) // it always encodes
	return Reply{Status: status, ContentType: "application/json", Raw: string(body)}
}

// Stalled returns a reply that stops after its text and never ends.
func Stalled(text string) Reply { return Reply{Pieces: split(text), NoDone: true, Stall: true} }

// Func returns a reply that the function reply makes from the request.
func Func(reply func(Request) Reply) Reply { return Reply{Func: reply} }

// BrokenAfter returns the same reply, except that the connection breaks after n bytes of its body.
func (r Reply) BrokenAfter(n int) Reply {
	r.broken, r.brokenAfter = true, n
	return r
}

// Body returns the bytes of the body. stream says whether the request asks for a stream.
func (r Reply) Body(stream bool) string { return strings.Join(r.parts(stream), "") }

// raw reports whether the body is Raw.
func (r Reply) raw() bool { return r.Raw != "" || r.ContentType != "" || r.Status != 0 }

// parts returns the body in parts. Each part is sent separately.
func (r Reply) parts(stream bool) []string {
	switch {
	case r.raw() && r.Chunk > 0:
		var parts []string
		for chunk := range slices.Chunk([]byte(r.Raw), r.Chunk) {
			parts = append(parts, string(chunk))
		}
		return parts
	case r.raw() && r.Pause > 0:
		return slices.Collect(strings.Lines(r.Raw))
	case r.raw():
		return []string{r.Raw}
	case !stream:
		return []string{r.whole()}
	}
	var contents []chatapi.Content
	for _, piece := range r.Reasoning {
		contents = append(contents, chatapi.Content{ReasoningContent: piece})
	}
	contents = append(contents, chatapi.Texts(r.Pieces)...)
	for _, pieces := range r.callPieces() {
		contents = append(contents, chatapi.Content{ToolCalls: pieces})
	}
	parts := frame.Events(contents, r.Finish, r.Usage)
	if r.NoDone {
		parts = parts[:len(parts)-1]
	}
	return parts
}

// frame contains the fields that are the same in every reply.
var frame = chatapi.Frame{ID: "chatcmpl-1", Created: 1, Model: scripted}

// callPieces returns the pieces of the native calls, one list for each event.
func (r Reply) callPieces() [][]chatapi.CallPiece {
	var events [][]chatapi.CallPiece
	// Event -1 has the ids and names of the calls. Event n has the piece n of each call's
	// arguments.
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

// write sends the reply; stream says whether the request asks for a stream. It returns early if
// ctx, the context of the request, ends.
func (r Reply) write(ctx context.Context, w http.ResponseWriter, stream bool) {
	if r.HangUp {
		panic(http.ErrAbortHandler)
	}
	header := w.Header()
	switch {
	case r.ContentType != "":
		header.Set("Content-Type", r.ContentType)
	case stream || r.raw():
		header.Set("Content-Type", "text/event-stream")
	default:
		header.Set("Content-Type", "application/json")
	}
	maps.Copy(header, r.Header)
	w.WriteHeader(cmp.Or(r.Status, http.StatusOK))
	control := http.NewResponseController(w)
	flush := func() { _ = control.Flush() }

	left := math.MaxInt // bytes of the body until the connection breaks
	if r.broken {
		left = r.brokenAfter
		flush() // the header is sent even if the connection breaks at the first byte of the body
	}
	for _, part := range r.parts(stream) {
		if !sleep(ctx, r.Pause) {
			return
		}
		part = part[:min(len(part), left)]
		if _, err := io.WriteString(w, part); err != nil {
			return
		}
		flush()
		if left -= len(part); left == 0 {
			break
		}
	}
	for r.Endless != "" {
		if _, err := io.WriteString(w, r.Endless); err != nil {
			return
		}
		flush()
	}
	if r.Stall {
		<-ctx.Done()
	}
	if r.broken {
		// Without a panic the body would end normally.
		panic(http.ErrAbortHandler)
	}
}

// sleep waits until d has passed or ctx ends. It reports whether d has passed.
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

// split returns text in small pieces.
func split(text string) []string { return chatapi.Pieces(text, 5) }
