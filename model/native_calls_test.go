package model_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
)

func TestPiecesOfNativeCallsAreJoined(t *testing.T) {
	call := func(id, name, arguments string) protocol.ToolCall {
		return protocol.ToolCall{ID: id, Name: name, Arguments: arguments}
	}
	// calls returns a stream with these pieces of calls, one event each.
	calls := func(pieces ...string) modelserver.Reply {
		values := make([]string, 0, len(pieces)+1)
		for _, p := range pieces {
			values = append(values, `{"choices":[{"delta":{"tool_calls":[`+p+`]}}]}`)
		}
		return events(append(values, `{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}`)...)
	}
	first, second := call("a", "bell_ring", `{"n":1}`), call("b", "bell_ring", `{"n":22222222}`)
	tests := []struct {
		name  string
		reply modelserver.Reply
		want  []protocol.ToolCall // an ID "?" is any
	}{
		{"one call", modelserver.Calls(modelserver.ToolCall(first)), []protocol.ToolCall{first}},
		{
			"two calls with mixed pieces", modelserver.Calls(modelserver.ToolCall(first), modelserver.ToolCall(second)),
			[]protocol.ToolCall{first, second},
		},
		{
			"a name that the API does not accept is translated back",
			modelserver.Calls(modelserver.ToolCall{ID: "a", Name: "github_create_issue", Arguments: "{}"}),
			[]protocol.ToolCall{call("a", "github/create_issue", "{}")},
		},
		{
			"an unknown name stays", modelserver.Calls(modelserver.ToolCall{ID: "a", Name: "nobody", Arguments: "{}"}),
			[]protocol.ToolCall{call("a", "nobody", "{}")},
		},
		{"broken arguments stay as they are", modelserver.Calls(modelserver.ToolCall{
			ID: "a", Name: "bell_ring",
			Arguments: `{"n":`,
		}), []protocol.ToolCall{call("a", "bell_ring", `{"n":`)}},
		{
			"no arguments", calls(`{"index":0,"id":"a","function":{"name":"bell_ring"}}`),
			[]protocol.ToolCall{call("a", "bell_ring", "")},
		},
		{
			"arguments null", calls(`{"index":0,"id":"a","function":{"name":"bell_ring","arguments":null}}`),
			[]protocol.ToolCall{call("a", "bell_ring", "")},
		},
		{
			"arguments as an object", calls(`{"index":0,"id":"a","function":{"name":"bell_ring","arguments":{"n":1}}}`),
			[]protocol.ToolCall{first},
		},
		{
			"two calls without indexes", calls(
				`{"id":"a","function":{"name":"bell_ring","arguments":"{\"n\":"}}`, `{"function":{"arguments":"1}"}}`,
				`{"id":"b","function":{"name":"bell_ring","arguments":"{\"n\":22222222}"}}`),
			[]protocol.ToolCall{first, second},
		},
		{
			"two calls with one index", calls(
				`{"index":0,"id":"a","function":{"name":"bell_ring","arguments":"{\"n\":1}"}}`,
				`{"index":0,"id":"b","function":{"name":"bell_ring","arguments":"{\"n\":"}}`,
				`{"index":0,"function":{"arguments":"22222222}"}}`),
			[]protocol.ToolCall{first, second},
		},
		{
			"id and name in every piece", calls(
				`{"index":0,"id":"a","function":{"name":"bell_ring","arguments":"{\"n\":"}}`,
				`{"index":0,"id":"a","function":{"name":"bell_ring","arguments":"1}"}}`),
			[]protocol.ToolCall{first},
		},
		{
			"two calls with one index and no ids", calls(
				`{"index":0,"function":{"name":"bell_ring","arguments":"{\"n\":1}"}}`,
				`{"index":0,"function":{"name":"bell_ring","arguments":"{\"n\":22222222}"}}`),
			[]protocol.ToolCall{call("?", "bell_ring", first.Arguments), call("?", "bell_ring", second.Arguments)},
		},
		{
			"two calls without indexes whose pieces are mixed", calls(
				`{"id":"a","function":{"name":"bell_ring","arguments":"{\"n\":"}}`,
				`{"id":"b","function":{"name":"bell_ring","arguments":"{\"n\":"}}`,
				`{"id":"a","function":{"arguments":"1"}}`, `{"function":{"arguments":"}"}}`,
				`{"id":"b","function":{"arguments":"22222222}"}}`),
			[]protocol.ToolCall{first, second},
		},
		{
			"two calls with one index whose pieces are mixed", calls(
				`{"index":0,"id":"a","function":{"name":"bell_ring","arguments":"{\"n\":"}}`,
				`{"index":0,"id":"b","function":{"name":"bell_ring","arguments":"{\"n\":"}}`,
				`{"index":0,"id":"a","function":{"arguments":"1"}}`, `{"index":0,"function":{"arguments":"}"}}`,
				`{"index":0,"id":"b","function":{"arguments":"22222222}"}}`),
			[]protocol.ToolCall{first, second},
		},
		{
			"indexes that count pieces", calls(
				`{"index":0,"id":"a","function":{"name":"bell_ring","arguments":"{\"n\":"}}`,
				`{"index":1,"id":"a","function":{"arguments":"1"}}`,
				`{"index":1,"function":{"arguments":"}"}}`),
			[]protocol.ToolCall{first},
		},
		{
			"indexes that start again with each event, and names in every piece", calls(
				`{"index":0,"id":"a","function":{"name":"bell_ring","arguments":"{\"n\":"}},`+
					`{"index":1,"id":"b","function":{"name":"bell_ring","arguments":"{\"n\":"}}`,
				`{"index":0,"id":"b","function":{"name":"bell_ring","arguments":"22222222}"}}`,
				`{"index":0,"id":"a","function":{"name":"bell_ring","arguments":"1}"}}`),
			[]protocol.ToolCall{first, second},
		},
		{
			"a new id for every piece", calls(
				`{"index":0,"id":"a","function":{"name":"bell_ring","arguments":"{\"n\":"}}`,
				`{"index":1,"id":"b","function":{"name":"bell_ring","arguments":"{\"n\":"}}`,
				`{"index":0,"id":"c","function":{"arguments":"1}"}}`,
				`{"index":1,"id":"d","function":{"arguments":"22222222}"}}`),
			[]protocol.ToolCall{first, second},
		},
		{
			"two calls with one index, no ids and no arguments",
			calls(`{"index":0,"function":{"name":"bell_ring"}}`,
				`{"index":0,"function":{"name":"github_create_issue"}}`),
			[]protocol.ToolCall{call("?", "bell_ring", ""), call("?", "github/create_issue", "")},
		},
		{
			"the same method twice, with one index, no ids and no arguments", calls(
				`{"index":0,"function":{"name":"bell_ring","arguments":""}}`,
				`{"index":0,"function":{"name":"bell_ring","arguments":""}}`),
			[]protocol.ToolCall{call("?", "bell_ring", ""), call("?", "bell_ring", "")},
		},
		{
			"two calls without indexes, ids and arguments",
			calls(`{"function":{"name":"bell_ring"}},{"function":{"name":"github_create_issue"}}`),
			[]protocol.ToolCall{call("?", "bell_ring", ""), call("?", "github/create_issue", "")},
		},
		{
			"another method after truncated arguments", calls(
				`{"index":0,"function":{"name":"bell_ring","arguments":"{\"n\":"}}`,
				`{"index":0,"function":{"name":"github_create_issue","arguments":"{}"}}`),
			[]protocol.ToolCall{call("?", "bell_ring", `{"n":`), call("?", "github/create_issue", "{}")},
		},
		{
			"the name in every piece, and no id", calls(
				`{"index":0,"function":{"name":"bell_ring","arguments":""}}`,
				`{"index":0,"function":{"name":"bell_ring","arguments":"{\"n\":"}}`,
				`{"index":0,"function":{"name":"bell_ring","arguments":"1}"}}`),
			[]protocol.ToolCall{call("?", "bell_ring", first.Arguments)},
		},
		{
			"two calls with one id whose pieces are mixed", calls(
				`{"index":0,"id":"a","function":{"name":"bell_ring"}}`,
				`{"index":1,"id":"a","function":{"name":"bell_ring"}}`,
				`{"index":0,"id":"a","function":{"arguments":"{\"n\":1}"}}`,
				`{"index":1,"id":"a","function":{"arguments":"{}"}}`),
			[]protocol.ToolCall{first, call("?", "bell_ring", "{}")},
		},
		{
			"the second of two calls with one id gets an id of its own", calls(
				`{"index":0,"id":"a","function":{"name":"bell_ring","arguments":"{\"n\":1}"}}`,
				`{"index":1,"id":"a","function":{"name":"bell_ring","arguments":"{}"}}`),
			[]protocol.ToolCall{first, call("?", "bell_ring", "{}")},
		},
		{
			"an index that does not begin at 0",
			calls(`{"index":7,"id":"a","function":{"name":"bell_ring","arguments":"{\"n\":"}}`,
				`{"index":7,"function":{"arguments":"1}"}}`),
			[]protocol.ToolCall{first},
		},
		{
			"a server that does not stream", modelserver.Raw("application/json",
				`{"choices":[{"message":{"content":null,"tool_calls":[{"id":"a","function":`+
					`{"name":"bell_ring","arguments":"{\"n\":1}"}}]},"finish_reason":"tool_calls"}]}`),
			[]protocol.ToolCall{first},
		},
		{"another finish reason", modelserver.Reply{
			ToolCalls: []modelserver.ToolCall{modelserver.ToolCall(first)},
			Finish:    "stop",
		}, []protocol.ToolCall{first}},
		{"no call", modelserver.Text("hi"), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := askNative(t, tt.reply)
			require.NoError(t, err)
			require.True(t, got.finished)
			require.Len(t, got.calls, len(tt.want))
			ids := map[string]bool{}
			for i, c := range got.calls {
				require.NotEmpty(t, c.ID)
				require.False(t, ids[c.ID], "each call has its own id")
				ids[c.ID] = true
				require.Equal(t, c.Name+" "+c.Arguments, got.parts[i], "what is displayed is what is called")
				if tt.want[i].ID == "?" {
					tt.want[i].ID = c.ID
				}
			}
			if diff := cmp.Diff(tt.want, got.calls); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
		})
	}
}

// Calls with too many bytes are tested by TestUnracedLongResponsesAreRefused.
func TestTooManyNativeCallsAreRefused(t *testing.T) {
	many := make([]modelserver.ToolCall, 65)
	for i := range many {
		many[i] = modelserver.ToolCall{ID: fmt.Sprint(i), Name: "bell_ring", Arguments: "{}"}
	}
	got, err := askNative(t, modelserver.Calls(many...))
	require.Equal(t, model.KindResponse, requireError(t, err).Kind)
	require.Empty(t, got.calls)
}

func TestTruncatedNativeCallDoesNotRun(t *testing.T) {
	whole := modelserver.Reply{
		Pieces:    []string{"Ringing."},
		ToolCalls: []modelserver.ToolCall{{ID: "a", Name: "bell_ring", Arguments: `{"n":1}`}}, Finish: "tool_calls",
	}
	body := whole.Body(true)
	finishEnd := strings.Index(body, `"finish_reason":"tool_calls"`)
	finishEnd += strings.Index(body[finishEnd:], "\n") // the offset at which the finish reason is whole
	for _, n := range longtest.Offsets(truncationsPerReply, len(body), 0, finishEnd, len(body)) {
		got, err := askNative(t, whole.BrokenAfter(n))
		if n < finishEnd {
			require.Error(t, err, "truncated at %d", n)
			require.Empty(t, got.calls, "truncated at %d", n)
			continue
		}
		require.NoError(t, err, "truncated at %d", n)
		require.Len(t, got.calls, 1, "truncated at %d", n)
	}
}
