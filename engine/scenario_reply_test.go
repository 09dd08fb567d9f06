package engine_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/modelserver"
)

// serverReply makes a reply of the server. how has any of these words, separated by spaces:
//
//	stop, length, none   the finish reason; none is a reply without one
//	whole                the text in one piece rather than in pieces of 5 characters
//	usage=P,C            the server reports P prompt tokens and C completion tokens
//	reasoning=TEXT       reasoning in its own field, before the text; "_" stands for a space
//	calls                native calls, one on each line: id, name and arguments
//	stall                the server sends nothing more, and keeps the connection open
//	cut=N                the connection ends after the first N bytes of the text
//	nodone               the stream ends without "[DONE]"
//	status=N             an error of the API, with the text as its message
//	html, event          the text is the whole body: a page, or a stream of events
//	hangup               the server closes the connection without a response
func serverReply(t *testing.T, how, text string) modelserver.Reply {
	r := modelserver.Text(text)
	for word := range strings.FieldsSeq(how) {
		word, value, _ := strings.Cut(word, "=")
		number := func() int {
			n, err := strconv.Atoi(value)
			require.NoError(t, err)
			return n
		}
		switch word {
		case "stop", "length":
			r.Finish = word
		case "none":
			r.Finish = ""
		case "whole":
			r.Pieces = []string{text}
		case "usage":
			r.Usage = &modelserver.Usage{}
			_, err := fmt.Sscanf(value, "%d,%d", &r.Usage.PromptTokens, &r.Usage.CompletionTokens)
			require.NoError(t, err)
		case "reasoning":
			r.Reasoning = []string{strings.ReplaceAll(value, "_", " ")}
		case "calls":
			r = modelserver.Reply{Finish: "tool_calls"}
			for line := range strings.Lines(text) {
				parts := strings.SplitN(strings.TrimSpace(line), " ", 3)
				called := modelserver.ToolCall{ID: parts[0], Name: parts[1], Arguments: parts[2]}
				r.ToolCalls = append(r.ToolCalls, called)
			}
		case "stall":
			r.Finish, r.NoDone, r.Stall = "", true, true
		case "cut":
			at := number()
			r = modelserver.Pieces(text[:at], text[at:])
			kept := modelserver.Reply{Pieces: r.Pieces[:1], NoDone: true}
			r = r.BrokenAfter(len(kept.Body(true)) + len("data: {")) // within the event after the first N bytes
		case "nodone":
			r.NoDone = true
		case "status":
			r = modelserver.Failure(number(), text)
		case "html":
			r = modelserver.Raw("text/html", text)
		case "event":
			r = modelserver.RawStream(text + "\n\n")
		case "hangup":
			r = modelserver.Reply{HangUp: true}
		default:
			t.Fatalf("a reply cannot be %q", word)
		}
	}
	return r
}
