package chat_test

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// Other programs read the names and shapes in this JSON.
func TestTheJSONOfAHistoryIsStable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)))
		slow, err := tool.New("slow", "works", func(_ context.Context, in in) (string, error) {
			time.Sleep(1234567 * time.Microsecond)
			return strings.Repeat(in.Text, in.Count), nil
		}, tool.AgentCallable())
		require.NoError(t, err)
		model := &script{replies: []reply{
			{deltas: append([]engine.Delta{{Reasoning: "Hm."}}, says(
				"Let me see. ", block(t, "t_slow", "label", "a", "count", "2", "text", "<x>"), malformed,
			).deltas...)},
			{deltas: []engine.Delta{{Text: "It sa"}}},
		}}
		c := conversation(t, model, nil, slow)
		require.NoError(t, collect(t, c.Send(t.Context(), "What does it say?")).err)

		history := c.History()
		history[1].Content = "(reply)"    // protocol tests check this text
		failed := &history[2].Outcomes[1] // engine tests check these texts
		failed.Result, failed.Suggestion = "(why)", "(what to do)"
		history[1].ToolCallsRequested[1].Err.Message = "(why)"
		var got bytes.Buffer
		e := json.NewEncoder(&got)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		require.NoError(t, e.Encode(history))
		suffix := regexp.MustCompile(`("requestId": "[0-9.]+)-[a-z2-7]{12}"`)
		require.Equal(t, wantJSON, suffix.ReplaceAllString(got.String(), `$1"`))
	})
}

const wantJSON = `[
  {
    "role": "user",
    "time": "2001-02-03T04:05:06Z",
    "content": "What does it say?"
  },
  {
    "role": "assistant",
    "time": "2001-02-03T04:05:07.234567Z",
    "content": "(reply)",
    "protocol": "vcp",
    "text": "Let me see. ",
    "reasoning": "Hm.",
    "toolCallsRequested": [
      {
        "requestId": "1.1",
        "resultId": "a",
        "toolName": "t_slow",
        "method": "t_slow",
        "arguments": {
          "count": "2",
          "text": "<x>"
        },
        "status": "answered"
      },
      {
        "requestId": "1.2",
        "resultId": "1.2",
        "toolName": "",
        "arguments": {
          "text": "x"
        },
        "status": "answered",
        "error": {
          "code": "missing_tool_name",
          "message": "(why)"
        }
      }
    ]
  },
  {
    "role": "user",
    "time": "2001-02-03T04:05:07.234567Z",
    "content": "",
    "toolCall": [
      {
        "requestId": "1.1",
        "toolName": "t_slow",
        "method": "t_slow",
        "arguments": {
          "text": "<x>",
          "count": 2
        },
        "status": "success",
        "result": "<x><x>",
        "started": "2001-02-03T04:05:06Z",
        "durationMs": 1235
      },
      {
        "requestId": "1.2",
        "toolName": "",
        "status": "error",
        "errorType": "malformed_request",
        "suggestion": "(what to do)",
        "result": "(why)",
        "started": "2001-02-03T04:05:07.234567Z",
        "durationMs": 0
      }
    ]
  },
  {
    "role": "assistant",
    "time": "2001-02-03T04:05:07.234567Z",
    "content": "It sa",
    "protocol": "vcp",
    "text": "It sa",
    "incomplete": true
  }
]
`

// bomb panics when it is encoded.
type bomb struct{}

func (bomb) MarshalJSON() ([]byte, error) { panic("no") }

func TestDetailsAreKeptAsJSON(t *testing.T) {
	for _, tt := range []struct {
		name    string
		details any
		want    string
	}{
		{"no details", nil, ""},
		{"a structure", map[string]any{"lines": []int{1, 2}, "html": "<b>&"}, `{"html":"<b>&","lines":[1,2]}`},
		{"JSON with its members in order", json.RawMessage(`{ "b": 1, "a": 2 }`), `{"b":1,"a":2}`},
		{"broken JSON is omitted", json.RawMessage(`{"b"`), ""},
		{"details that do not encode are omitted", make(chan int), ""},
		{"details that panic are omitted", bomb{}, ""},
		{"bytes that are not UTF-8 are replaced", json.RawMessage("\"\xff\""), "\"\uFFFD\""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tell, err := tool.Raw("tell", "tells", nil, func(context.Context, *tool.Call) (tool.Output, error) {
				return tool.Output{
					Text: "told", Details: tt.details,
					Files: []tool.File{{Name: "a.txt", MediaType: "text/plain", Data: []byte("lines")}},
				}, nil
			}, tool.AgentCallable())
			require.NoError(t, err)
			model := &script{replies: []reply{says(block(t, "t_tell")), says("Done.")}}
			c := conversation(t, model, nil, tell)
			require.NoError(t, collect(t, c.Send(t.Context(), "Go.")).err)
			call := c.History()[2].Outcomes[0]
			require.Equal(t, tt.want, string(call.Details))
			require.Equal(t, "told", call.Result)
			require.Equal(t, []tool.File{{Name: "a.txt", MediaType: "text/plain", Data: []byte("lines")}}, call.Files)
			call.Files[0].Data[0] = 'x'
			require.Equal(t, "lines", string(c.History()[2].Outcomes[0].Files[0].Data), "the caller owns a history")
			_, err = json.Marshal(c.History())
			require.NoError(t, err)
			for _, m := range model.requests[1].Messages {
				require.NotContains(t, m.Content, "lines", "details and files never reach the model")
			}
		})
	}
}

func TestDetailsAndFilesOfACallAreLimitedInBytes(t *testing.T) {
	const maxDetails, maxFiles = 1 << 20, 16 << 20 // bytes
	file := func(bytes int) tool.File { return tool.File{Data: make([]byte, bytes)} }
	for _, tt := range []struct {
		name        string
		details     int // the length of a string
		files       []tool.File
		wantDetails bool
		wantFiles   int
	}{
		{
			"details and files at their limits", maxDetails - len(`""`), // in JSON they have quotation marks
			[]tool.File{file(maxFiles / 2), file(maxFiles / 2)}, true, 2,
		},
		{"longer details are omitted", maxDetails, nil, false, 0},
		{
			"the file that exceeds the limit is omitted, and those after it", 0,
			[]tool.File{file(maxFiles / 2), file(maxFiles/2 + 1), file(1)},
			true, 1,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tell, err := tool.Raw("tell", "tells", nil, func(context.Context, *tool.Call) (tool.Output, error) {
				return tool.Output{Details: strings.Repeat("x", tt.details), Files: tt.files}, nil
			}, tool.AgentCallable())
			require.NoError(t, err)
			c := conversation(t, &script{replies: []reply{says(block(t, "t_tell")), says("Done.")}}, nil, tell)
			o := collect(t, c.Send(t.Context(), "Go."))
			require.NoError(t, o.err)
			call := c.History()[2].Outcomes[0]
			require.Equal(t, tt.wantDetails, call.Details != nil)
			require.Len(t, call.Files, tt.wantFiles)
		})
	}
}

func TestAHistoryIsValidUTF8(t *testing.T) {
	model := &script{replies: []reply{
		says("A\xffB ", "<think>\xff</think>", block(t, "t_echo", "text", "\xff")), says("Done\xff."),
	}}
	c := conversation(t, model, nil)
	require.NoError(t, collect(t, c.Send(t.Context(), "What\xff?")).err)
	history := c.History()
	require.Equal(t, "What\uFFFD?", history[0].Content)
	require.Equal(t, `{"text":"�"}`, string(history[1].ToolCallsRequested[0].Arguments))
	raw, err := json.Marshal(history)
	require.NoError(t, err)
	var back []chat.Message
	require.NoError(t, json.Unmarshal(raw, &back))
	require.Equal(t, history, back)
}

func TestReturnedValuesBelongToTheCaller(t *testing.T) {
	model := &script{replies: []reply{says("See. ", block(t, "t_echo", "text", "hi"), malformed), says("Done.")}}
	c := conversation(t, model, nil)
	for ev, err := range c.Send(t.Context(), "Go.") {
		require.NoError(t, err)
		if ev.Kind == engine.EventIterationDone { // the receiver may change an event, too
			clear(ev.Iteration.Requests)
			for i := range ev.Iteration.Results {
				ev.Iteration.Results[i].Method = "changed"
				clear(ev.Iteration.Results[i].Arguments)
			}
		}
	}
	want := c.History()
	for _, spoil := range []func(){
		func() { spoilMessages(c.History()) },
		func() { m, _ := c.Last(); spoilMessages([]chat.Message{m}) },
	} {
		spoil()
		require.Equal(t, want, c.History())
	}
}

func spoilMessages(list []chat.Message) {
	for i := range list {
		m := &list[i]
		m.Content, m.Role = "changed", protocol.RoleSystem
		for k := range m.ToolCallsRequested {
			clear(m.ToolCallsRequested[k].Arguments)
			if m.ToolCallsRequested[k].Err != nil {
				m.ToolCallsRequested[k].Err.Message = "changed"
			}
			m.ToolCallsRequested[k].Method = "changed"
		}
		for k := range m.Outcomes {
			clear(m.Outcomes[k].Arguments)
			m.Outcomes[k].Method = "changed"
		}
	}
}

func TestAnEmptyConversationHasNoMessages(t *testing.T) {
	e := engineOf(t, nil, nil)
	c, err := chat.New(e, chat.Options{})
	require.NoError(t, err)
	require.NotEmpty(t, c.ID(), "a random id")
	require.Empty(t, c.System())
	require.Empty(t, c.Pending())
	_, ok := c.Last()
	require.False(t, ok)
	require.Empty(t, c.History())
}

func TestAConversationNeedsAnEngine(t *testing.T) {
	_, err := chat.New(nil, chat.Options{})
	require.ErrorContains(t, err, "engine.New")
}
