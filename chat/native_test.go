package chat_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
)

// native is a script of a model that makes native calls.
type native struct{ script }

func (*native) Native(context.Context) (bool, error) { return true, nil }

var nativeCall = protocol.ToolCall{ID: "a", Name: "t_note", Arguments: `{"text":"x"}`}

// calls returns a reply with a text and native calls.
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
	store := chat.NewMemoryStore()
	c := newInStore(t, store, engineOf(t, m, nil, method))
	require.NoError(t, collect(t, c.Send(t.Context(), "Go.")).err)
	back := reopened(t, store, engineOf(t, m, nil, method))
	require.Equal(t, c.History(), back.History())
	require.NoError(t, collect(t, back.Send(t.Context(), "And?")).err)
	if diff := cmp.Diff([]protocol.Message{
		{Role: protocol.RoleSystem, Content: "Be brief."},
		{Role: protocol.RoleUser, Content: "Go."},
		{Role: protocol.RoleAssistant, Content: "Look:", ToolCalls: []protocol.ToolCall{nativeCall}},
		{Role: protocol.RoleTool, ToolCallID: "a", Content: "noted x"},
		{Role: protocol.RoleAssistant, Content: "Done."},
		{Role: protocol.RoleUser, Content: "And?"},
	}, m.requests[2].Messages); diff != "" {
		t.Errorf("shown (-want +got):\n%s", diff)
	}
}

func TestDispatchedNativeCallsGetNativeResults(t *testing.T) {
	m := &native{script{replies: []reply{calls("", nativeCall,
		protocol.ToolCall{ID: "b", Name: "t_note", Arguments: "{}"}), says("Done.")}}}
	note := fn(t, "note", func(_ context.Context, in in) (string, error) { return "noted " + in.Text, nil })
	c := conversation(t, m, manual, note)
	require.Equal(t, engine.StopManual, collect(t, c.Send(t.Context(), "Go.")).stop)
	requests := c.History()[1].ToolCallsRequested
	require.Equal(t, []string{"a", "b"}, []string{requests[0].CallID, requests[1].CallID})
	require.NoError(t, collect(t, c.Resolve(t.Context(), supply(c, "1.c2", "mine"), approve(c, "1.c1"))).err)
	require.Equal(t, []protocol.Message{
		{Role: protocol.RoleTool, ToolCallID: "a", Content: "noted x"},
		{Role: protocol.RoleTool, ToolCallID: "b", Content: "mine"},
	}, m.requests[1].Messages[3:])
}
