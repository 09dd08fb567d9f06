package chat_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
)

// native is a script whose model calls tools by its API.
type native struct{ script }

func (*native) Native(context.Context) (bool, error) { return true, nil }

var nativeCall = protocol.ToolCall{ID: "a", Name: "t_note", Arguments: `{"text":"x"}`}

func calls(text string, calls ...protocol.ToolCall) reply {
	r := says(text)
	end := r.deltas[len(r.deltas)-1]
	r.deltas = r.deltas[:len(r.deltas)-1]
	for _, c := range calls {
		r.deltas = append(r.deltas, engine.Delta{Call: &c})
	}
	r.deltas = append(r.deltas, end)
	return r
}

func TestNativeCallsAreKeptAndShownAgain(t *testing.T) {
	m := &native{script{replies: []reply{calls("Look:", nativeCall), says("Done."), says("Still done.")}}}
	method := fn(t, "note", func(_ context.Context, in in) (string, error) { return "noted " + in.Text, nil })
	c := conversation(t, m, nil, method)
	require.NoError(t, take(t, c.Send(t.Context(), "Go.")).err)
	raw, err := json.Marshal(c.Snapshot())
	require.NoError(t, err)
	var s chat.Snapshot
	require.NoError(t, json.Unmarshal(raw, &s))
	back, err := chat.Restore(engineOf(t, m, nil, method), s, engine.Visibility{})
	require.NoError(t, err)
	require.Equal(t, c.History(), back.History())
	require.NoError(t, take(t, back.Send(t.Context(), "And?")).err)
	if diff := cmp.Diff([]protocol.Message{
		{Role: protocol.RoleSystem, Content: "Be brief."},
		{Role: protocol.RoleUser, Content: "Go."},
		{Role: protocol.RoleAssistant, Content: "Look:", ToolCalls: []protocol.ToolCall{nativeCall}},
		{Role: protocol.RoleTool, ToolCallID: "a", Content: "noted x"},
		{Role: protocol.RoleAssistant, Content: "Done."},
		{Role: protocol.RoleUser, Content: "And?"},
	}, m.asked[2].Messages); diff != "" {
		t.Errorf("shown (-want +got):\n%s", diff)
	}
}

func TestDispatchedNativeCallsGetNativeResults(t *testing.T) {
	m := &native{script{replies: []reply{calls("", nativeCall, protocol.ToolCall{ID: "b", Name: "t_note", Arguments: "{}"}), says("Done.")}}}
	c := conversation(t, m, manual, fn(t, "note", func(_ context.Context, in in) (string, error) { return "noted " + in.Text, nil }))
	require.Equal(t, engine.StopManual, take(t, c.Send(t.Context(), "Go.")).stop)
	require.Equal(t, []string{"a", "b"}, []string{c.History()[1].ToolCallsRequested[0].CallID, c.History()[1].ToolCallsRequested[1].CallID})
	require.NoError(t, take(t, c.Resolve(t.Context(), supply(c, "1.c2", "mine"), approve(c, "1.c1"))).err)
	require.Equal(t, []protocol.Message{
		{Role: protocol.RoleTool, ToolCallID: "a", Content: "noted x"}, {Role: protocol.RoleTool, ToolCallID: "b", Content: "mine"},
	}, m.asked[1].Messages[3:])
}

func TestASnapshotHoldsEachNativeCallWithItsRequest(t *testing.T) {
	m := &native{script{replies: []reply{calls("Look:", nativeCall, protocol.ToolCall{ID: "b", Name: "t_note", Arguments: "{"}), says("Done.")}}}
	method := fn(t, "note", func(_ context.Context, in in) (string, error) { return "noted " + in.Text, nil })
	c := conversation(t, m, nil, method)
	require.NoError(t, take(t, c.Send(t.Context(), "Go.")).err)
	for _, tt := range []struct {
		name  string
		spoil func(list []chat.Message) []chat.Message
		field string
	}{
		{"calls without results", func(list []chat.Message) []chat.Message { return list[:2] }, "messages[1].toolCallsRequested"},
		{"calls whose results are a message of the user", func(list []chat.Message) []chat.Message {
			list[2] = chat.Message{Role: protocol.RoleUser, Content: "noted x"}
			return list
		}, "messages[2].toolCall"},
		{"a call without a request", func(list []chat.Message) []chat.Message {
			list[1].NativeCalls = append(list[1].NativeCalls, protocol.ToolCall{ID: "c"})
			return list
		}, "messages[1].nativeCalls[2]"},
		{"a missing call", func(list []chat.Message) []chat.Message {
			list[1].NativeCalls = list[1].NativeCalls[:1]
			return list
		}, "messages[1].nativeCalls"},
		{"calls in another order", func(list []chat.Message) []chat.Message {
			slices.Reverse(list[1].NativeCalls)
			return list
		}, "messages[1].nativeCalls[0]"},
		{"two calls with one id", func(list []chat.Message) []chat.Message {
			list[1].NativeCalls[1].ID, list[1].ToolCallsRequested[1].CallID = "a", "a"
			return list
		}, "messages[1].toolCallsRequested[1].callId"},
		{"a call that was not run", func(list []chat.Message) []chat.Message {
			for i := range list[1].ToolCallsRequested {
				list[1].ToolCallsRequested[i].Status = chat.RequestNotRun
			}
			return list[:2]
		}, "messages[1].nativeCalls[0]"},
		{"a call of the user", func(list []chat.Message) []chat.Message {
			list[0].NativeCalls = list[1].NativeCalls
			return list
		}, "messages[0].nativeCalls"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := c.Snapshot()
			s.Messages = tt.spoil(s.Messages)
			_, err := chat.Restore(engineOf(t, &native{}, nil), s, engine.Visibility{})
			var wrong *chat.SnapshotError
			require.ErrorAs(t, err, &wrong)
			require.Equal(t, tt.field, wrong.Field)
		})
	}
}
