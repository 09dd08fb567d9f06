package markdown_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/internal/requesttest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

func TestArgumentsThatAreNotTextAreShownAsJSON(t *testing.T) {
	m := chat.Message{Role: "assistant", ToolCallsRequested: []chat.ToolCallRequest{{
		RequestID: "1.1-abc", ToolName: "a_b", Status: chat.RequestAnswered,
		Arguments: json.RawMessage(`{"text":"x\ny","none":null,"list":[1, 2]}`), JSONArguments: []string{"none", "list"},
	}}}
	want := request("answered", "a_b", "1.1-abc",
		[2]string{"text", "x\ny"}, [2]string{"none", "null"}, [2]string{"list", "[1, 2]"})
	require.Equal(t, []shown{want}, readPage(t, newRenderer(t).AppendMessage(nil, &m)))
}

func TestAHistoryIsRenderedAsItWasRecorded(t *testing.T) {
	p := protocols[0]
	r := newRenderer(t)
	call := requesttest.Text(t, p, "files_read", "path", "a.txt")
	recorded := chat.ToolCallRequest{
		RequestID: "1.1-abc", ToolName: "files_read", Method: "files_read", Status: chat.RequestAnswered,
		Arguments: json.RawMessage(`{"path":"a.txt"}`),
	}
	native := recorded
	native.RequestID, native.CallID = "1.2-abc", "call_1"
	card := request("answered", "files_read", "1.1-abc", [2]string{"path", "a.txt"})
	nativeCard := request("answered", "files_read", "1.2-abc", [2]string{"path", "a.txt"})
	for _, tt := range []struct {
		name string
		m    chat.Message
		want []shown
	}{
		{"requests are rendered in place", chat.Message{
			Role: "assistant", Protocol: "vcp", Content: "A\n" + call + "\nB", Text: "A\n\nB",
			ToolCallsRequested: []chat.ToolCallRequest{recorded},
		}, []shown{text("A"), card, text("B")}},
		{"native calls follow the text", chat.Message{
			Role: "assistant", Protocol: "vcp", Content: "A\n" + call, Text: "A",
			ToolCallsRequested: []chat.ToolCallRequest{recorded, native},
		}, []shown{text("A"), card, nativeCard}},
		{"recorded requests are rendered if the text has none", chat.Message{
			Role: "assistant", Protocol: "vcp", Content: "A", Text: "A", ToolCallsRequested: []chat.ToolCallRequest{recorded},
		}, []shown{text("A"), card}},
		{"recorded requests are rendered if the text has others", chat.Message{
			Role: "assistant", Protocol: "vcp", Content: "A\n" + call + call, Text: "A",
			ToolCallsRequested: []chat.ToolCallRequest{recorded},
		}, []shown{text("A"), card}},
		{
			"a reply without a protocol has no requests in its text",
			chat.Message{Role: "assistant", Content: "A", Text: "A"},
			[]shown{text("A")},
		},
		{"a user's text is Markdown", chat.Message{Role: "user", Content: "A\n\n`b`"}, []shown{text("A"), text("b")}},
		{"the text is rendered if the protocol is unknown", chat.Message{
			Role: "assistant", Protocol: "other", Content: "A" + call, Text: "A",
			ToolCallsRequested: []chat.ToolCallRequest{recorded},
		}, []shown{text("A"), card}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			page := r.AppendMessage(nil, &tt.m)
			require.Equal(t, tt.want, readPage(t, page), string(page))
		})
	}
	t.Run("an incomplete reply says so", func(t *testing.T) {
		list := readPage(t,
			r.AppendMessage(nil, &chat.Message{Role: "assistant", Content: "A", Text: "A", Incomplete: true}))
		require.Equal(t, "incomplete", list[len(list)-1].Status)
	})
	t.Run("results come before the engine's remarks", func(t *testing.T) {
		list := readPage(t, r.AppendMessage(nil, &chat.Message{Role: "user", Content: "note", Outcomes: []chat.Outcome{
			{
				RequestID: "1.1-abc", Method: "files_read", Status: protocol.StatusSuccess, Result: "*a*",
				Files: []tool.File{{Name: "b.png", MediaType: "image/png"}},
			},
			{
				RequestID: "1.2-abc", ToolName: "x", Status: protocol.StatusError, ErrorType: "unknown_tool", Result: "no",
				Suggestion: "try y",
			},
		}}))
		require.Equal(t, []shown{
			{Class: "vcp-result", Label: "Result files_read: success", ID: "1.1-abc", Status: "success", Text: "*a*"},
			{ // the text is the problem "unknown_tool: no" and the advice "try y"
				Class: "vcp-result", Label: "Result x: error", ID: "1.2-abc", Status: "error", Text: "unknown_tool: notry y",
			},
			text("note"),
		}, list)
	})
}

func TestResultsInTextReadBack(t *testing.T) {
	r := newRenderer(t)
	results := []protocol.ToolResult{
		{ResultID: "1", ToolName: "files_read", Status: protocol.StatusSuccess, Result: "some text"},
		{ResultID: "2", ToolName: "x", Status: protocol.StatusError, ErrorType: "timeout", Result: "late"},
		{ResultID: "3", ToolName: "x", Status: protocol.StatusError, Result: "an error without a type"},
	}
	for _, p := range protocols {
		t.Run(p.ID(), func(t *testing.T) {
			list := readPage(t, r.AppendResultText(nil, p.ID(), p.FormatToolResults(results)))
			require.Len(t, list, 3)
			require.Equal(t, "vcp-result", list[0].Class)
			require.Equal(t, "some text", list[0].Text)
			require.Equal(t, "error", list[1].Status)
			require.Equal(t, "an error without a type", list[2].Text)
		})
	}
	list := readPage(t, r.AppendResultText(nil, "vcp", "no results"))
	require.Equal(t, []shown{text("no results")}, list)
}
