package chat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
)

// snapshots returns snapshots of conversations that contain everything that a history may contain.
func snapshots(t *testing.T) []chat.Snapshot {
	echo := block(t, "t_echo", "text", "hi", "label", "mine")
	quoted := "```\n" + echo + "\n```"
	note := fn(t, "note", func(_ context.Context, in in) (string, error) { return "noted " + in.Text, nil })
	of := func(m engine.Model, change func(*engine.Config), texts ...string) chat.Snapshot {
		c := conversation(t, m, change, note)
		for _, text := range texts {
			take(t, c.Send(t.Context(), text))
		}
		return c.Snapshot()
	}
	return []chat.Snapshot{
		of(&script{replies: []reply{
			says("See.", echo, malformed, block(t, "t_fail", "count", "x")), says(quoted), says("Done."),
			ends(protocol.FinishLength, "Hm. ", echo[:len(echo)-9]), says("<think>hm</think>Well."),
		}}, nil, "One.", "Two.", "Three."),
		of(&script{replies: []reply{says("See.", echo, block(t, "t_fail")), {err: fmt.Errorf("down")}}}, nil, "One."),
		of(&script{replies: []reply{says("See.", echo, malformed)}}, manual, "One."),
		of(&script{replies: []reply{ends(protocol.FinishUnknown, "It sa", echo)}}, nil, "One."),
		of(&native{script{replies: []reply{
			calls("Look:", nativeCall, protocol.ToolCall{ID: "b", Name: "t_note", Arguments: "{"}), calls(echo, nativeCall), says("Done."),
		}}}, nil, "One."),
		of(&native{script{replies: []reply{calls("Look:", nativeCall)}}}, manual, "One."),
	}
}

// Snapshots are changed at random. A snapshot that Restore accepts equals the Snapshot of the
// restored conversation. That conversation can continue, and Restore accepts its next Snapshot,
// too.
func TestWhatRestoreTakesSnapshotGives(t *testing.T) {
	originals := make([]string, 0, 6)
	for _, s := range snapshots(t) {
		raw, err := json.Marshal(s)
		require.NoError(t, err)
		originals = append(originals, string(raw))
	}
	taken := 0
	rapid.Check(t, func(rt *rapid.T) {
		var document any
		require.NoError(rt, json.Unmarshal([]byte(rapid.SampledFrom(originals).Draw(rt, "original")), &document))
		for range rapid.IntRange(0, 3).Draw(rt, "changes") {
			document = changed(rt, document)
		}
		raw, err := json.Marshal(document)
		require.NoError(rt, err)
		var s chat.Snapshot
		if json.Unmarshal(raw, &s) != nil {
			return
		}
		model := &script{replies: []reply{says("Go. ", block(t, "t_echo")), says("Done.")}}
		c, err := chat.Restore(engineOf(t, model, nil), s, engine.Visibility{})
		if err != nil {
			var refused *chat.SnapshotError
			require.ErrorAs(rt, err, &refused)
			return
		}
		taken++
		require.Empty(rt, cmp.Diff(s, c.Snapshot(), equalJSON))
		if o := take(t, c.Send(t.Context(), "Go on.")); s.Replies <= engine.MaxReplies-2 {
			require.NoError(rt, o.err)
		}
		later, err := json.Marshal(c.Snapshot())
		require.NoError(rt, err)
		var again chat.Snapshot
		require.NoError(rt, json.Unmarshal(later, &again))
		c, err = chat.Restore(engineOf(t, model, nil), again, engine.Visibility{})
		require.NoError(rt, err)
		require.Empty(rt, cmp.Diff(again, c.Snapshot(), equalJSON))
	})
	require.Positive(t, taken)
}

// changed returns a JSON value with one change somewhere in it.
func changed(rt *rapid.T, v any) any {
	deeper := rapid.IntRange(0, 5).Draw(rt, "deeper") > 0
	switch v := v.(type) {
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		if len(names) == 0 {
			return v
		}
		name := rapid.SampledFrom(names).Draw(rt, "member")
		switch {
		case deeper:
			v[name] = changed(rt, v[name])
		case rapid.Bool().Draw(rt, "remove"):
			delete(v, name)
		default: // another member's value
			v[name] = v[rapid.SampledFrom(names).Draw(rt, "other")]
		}
	case []any:
		if len(v) == 0 {
			return v
		}
		i, j := rapid.IntRange(0, len(v)-1).Draw(rt, "element"), rapid.IntRange(0, len(v)-1).Draw(rt, "other")
		switch {
		case deeper:
			v[i] = changed(rt, v[i])
		case rapid.Bool().Draw(rt, "swap"):
			v[i], v[j] = v[j], v[i]
		case rapid.Bool().Draw(rt, "twice"):
			return slices.Insert(v, i, v[j])
		default:
			return slices.Delete(v, i, i+1)
		}
	case string:
		return rapid.OneOf(rapid.SampledFrom([]string{
			"", " ", "a", "1.1", "1.2", "2.1", "3.c1", "7.1", "0.1", "01.1", "vcp", "hermes", "user", "assistant", "tool", "answered", "dispatched", "not_run", "success", "error",
			"timeout", malformed,
		}), rapid.String()).Draw(rt, "text")
	case float64:
		return rapid.SampledFrom([]any{0, 1, 2, 3, 40, -1, engine.MaxReplies - 1, engine.MaxReplies, engine.MaxReplies + 1, 1e18}).Draw(rt, "number")
	case bool:
		return !v
	}
	return v
}

func TestASessionWithoutRepliesLeftSaysSo(t *testing.T) {
	c, err := chat.Restore(engineOf(t, &script{}, nil), chat.Snapshot{Version: 2, ID: "c", Replies: engine.MaxReplies, Messages: []chat.Message{}}, engine.Visibility{})
	require.NoError(t, err)
	o := take(t, c.Send(t.Context(), "Go."))
	require.ErrorContains(t, o.err, "continue in a new session")
	require.Equal(t, engine.StopModelError, o.stop)
	_, err = c.Tools().ProcessCycle(t.Context(), "Hello.", protocol.FinishStop)
	require.ErrorContains(t, err, "continue in a new session")
	_, err = chat.Restore(engineOf(t, nil, nil), c.Snapshot(), engine.Visibility{})
	require.NoError(t, err)
}

// many returns a snapshot with one reply that has so many requests and results, each with so many
// arguments.
func many(requests, arguments int) chat.Snapshot {
	object := []byte{'{'}
	var names []string
	for i := range arguments {
		if i > 0 {
			object = append(object, ',')
		}
		name := "argument" + strconv.Itoa(i)
		names = append(names, name)
		object = append(strconv.AppendQuote(object, name), ":1"...)
	}
	object = append(object, '}')
	asks := chat.Message{Role: protocol.RoleAssistant}
	answers := chat.Message{Role: protocol.RoleUser}
	for i := range requests {
		id := "1." + strconv.Itoa(i+1)
		asks.ToolCallsRequested = append(asks.ToolCallsRequested, chat.ToolCallRequest{
			RequestID: id, ResultID: id, ToolName: "t_echo", Arguments: object, JSONArguments: names, Status: chat.RequestAnswered,
		})
		answers.ToolCall = append(answers.ToolCall, chat.ToolCall{RequestID: id, ToolName: "t_echo", Status: protocol.StatusSuccess})
	}
	return chat.Snapshot{Version: 2, ID: "c", Replies: 1, Messages: []chat.Message{asks, answers}}
}

// The test counts the memory that Restore allocates and the parts that its checks examine.
func TestRestoringIsLinear(t *testing.T) {
	e := engineOf(t, nil, nil)
	for _, tt := range []struct {
		name        string
		small, long chat.Snapshot // ten times as long
	}{
		{"requests", many(4_000, 1), many(40_000, 1)},
		{"arguments", many(1, 4_000), many(1, 40_000)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			work := func(s chat.Snapshot) (allocated, steps float64) {
				allocated = testing.AllocsPerRun(1, func() {
					_, err := chat.Restore(e, s, engine.Visibility{})
					require.NoError(t, err)
				})
				return allocated, float64(chat.CheckSteps(&s))
			}
			small, smallSteps := work(tt.small)
			long, longSteps := work(tt.long)
			require.Less(t, long, 12*small)
			require.Less(t, longSteps, 12*smallSteps)
			require.GreaterOrEqual(t, smallSteps, 4_000.0)
		})
	}
}
