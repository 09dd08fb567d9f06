package markdown_test

import (
	_ "embed"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/markdown"
	"github.com/vcpgo/vcp/internal/requesttest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/tool"
)

// vectors are texts that would run a script, load something or lead somewhere unseen if they were
// rendered as they are, one per line. A blank line separates kinds.
//
//go:embed testdata/vectors.txt
var vectors string

// attacks returns the lines of vectors.
func attacks() (list []string) {
	for line := range strings.Lines(vectors) {
		if line = strings.TrimSuffix(line, "\n"); line != "" {
			list = append(list, line)
		}
	}
	return list
}

// places are functions that render a conversation with the text s, one for each place at which a
// conversation can contain foreign text.
var places = map[string]func(t testing.TB, r *markdown.Renderer, s string) []byte{
	"a person's message": func(_ testing.TB, r *markdown.Renderer, s string) []byte { return r.AppendText(nil, s) },
	"a reply":            reply(func(_ testing.TB, s string) string { return s }),
	"a list in a reply":  reply(func(_ testing.TB, s string) string { return "- a\n\n  > " + s }),
	"code in a reply":    reply(func(_ testing.TB, s string) string { return "```html\n" + s + "\n```" }),
	"reasoning":          reply(func(_ testing.TB, s string) string { return "<think>" + s + "</think>Hello." }),
	"an argument": reply(func(t testing.TB, s string) string {
		return "Look:\n" + requesttest.Text(t, protocols[0], "x", "a", s) + s
	}),
	"a truncated request": reply(func(t testing.TB, s string) string {
		return strings.TrimSuffix(requesttest.Text(t, protocols[1], "x", "a", s), "}}\n</tool_call>")
	}),
	"a tool's name": reply(func(_ testing.TB, s string) string {
		name, _ := json.Marshal(s)
		return `<tool_call>{"name":` + string(name) + `,"arguments":{` + string(name) + `:1}}</tool_call>`
	}),
	"a fabricated result": reply(func(_ testing.TB, s string) string { return "<tool_response>\n" + s + "\n</tool_response>" }),
	"a result": func(_ testing.TB, r *markdown.Renderer, s string) []byte {
		return r.AppendResults(nil, []chat.Outcome{{
			RequestID: s, ToolName: s, Status: protocol.StatusSuccess, Result: s, Details: json.RawMessage(s),
			Files: []tool.File{{Name: s, MediaType: s}},
		}})
	},
	"an error": func(_ testing.TB, r *markdown.Renderer, s string) []byte {
		return r.AppendResults(nil, []chat.Outcome{{
			Method: s, Status: protocol.ResultStatus(s), ErrorType: s, Suggestion: s, Result: s,
		}})
	},
	"a result in text": func(_ testing.TB, r *markdown.Renderer, s string) []byte {
		results := []protocol.ToolResult{{ResultID: "1", ToolName: "x", Status: "success", Result: s}}
		return r.AppendResultText(nil, "vcp", protocols[0].FormatToolResults(results)+s)
	},
	"a message of the history": func(_ testing.TB, r *markdown.Renderer, s string) []byte {
		name, _ := json.Marshal(s)
		return r.AppendConversation(nil, []chat.Message{
			{Role: protocol.Role(s), Content: s},
			{Role: "user", FromEngine: true, Content: s},
			{Role: "assistant", Protocol: s, Content: s, Text: s, Reasoning: s, ToolCallsRequested: []chat.ToolCallRequest{
				{
					RequestID: s, ToolName: s, Command: s, Method: s, Status: chat.RequestStatus(s),
					Arguments: json.RawMessage(`{` + string(name) + `:` + string(name) + `}`),
				},
				{ToolName: s, Arguments: json.RawMessage(s), CallID: s, Err: &scan.RequestError{Code: "x", Message: s}},
			}},
		})
	},
}

// reply returns a function that calls text, and renders the text returned as a reply in each
// protocol.
func reply(text func(t testing.TB, s string) string) func(testing.TB, *markdown.Renderer, string) []byte {
	return func(t testing.TB, r *markdown.Renderer, s string) (page []byte) {
		for _, p := range protocols {
			page = r.AppendReply(page, p.ID(), text(t, s), protocol.FinishLength)
		}
		return page
	}
}

func TestNothingForeignBecomesActive(t *testing.T) {
	list := attacks()
	require.GreaterOrEqual(t, len(list), 80)
	r := newRenderer(t)
	for place, render := range places {
		t.Run(strings.ReplaceAll(place, " ", "_"), func(t *testing.T) {
			for _, s := range list {
				page := render(t, r, s)
				require.NotEmpty(t, page)
				if found := activeContent(page); found != nil {
					t.Errorf("%q: %q\n%s", s, found, page)
				}
			}
		})
	}
}

// TestActiveContentIsFound tests activeContent, which must find something in most vectors if they
// are not escaped.
func TestActiveContentIsFound(t *testing.T) {
	seen := 0
	for _, s := range attacks() {
		if strings.HasPrefix(s, "<") && activeContent([]byte(s)) != nil {
			seen++
		}
	}
	require.GreaterOrEqual(t, seen, 70)
}

func FuzzNoActiveContent(f *testing.F) {
	for _, s := range attacks() {
		f.Add(s)
	}
	for _, p := range protocols {
		f.Add("*a*\n" + requesttest.Text(f, p, "files_read", "path", "<b>") + "\n[x](https://example.com)")
	}
	r, err := markdown.New(markdown.Options{Protocols: protocols, MaxBytes: 4096, MaxValueBytes: 512})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, s string) {
		for place, render := range map[string]func(testing.TB, *markdown.Renderer, string) []byte{
			"text": places["a person's message"], "reply": places["a reply"], "name": places["a tool's name"],
			"result": places["a result"], "history": places["a message of the history"], "result text": places["a result in text"],
		} {
			if found := activeContent(render(t, r, s)); found != nil {
				t.Fatalf("%s: %q: %q", place, s, found)
			}
		}
	})
}
