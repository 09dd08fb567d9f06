package chat_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
)

// The test draws conversations with everything that a reply may contain, and restores them from
// JSON.
func TestAHistorySurvivesJSON(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		piece := rapid.OneOf(
			rapid.String(), rapid.Just(malformed), rapid.Just("<think>hm</think>"), rapid.Just(" \xff<b>&\u2028 "),
			rapid.Map(rapid.String(), func(s string) string { return block(t, "t_echo", "text", s) }),
			rapid.Just(block(t, "t_fail", "label", "f", "count", "x")),
		)
		finish := rapid.SampledFrom([]protocol.FinishReason{protocol.FinishStop, protocol.FinishStop, protocol.FinishLength, protocol.FinishUnknown})
		model := &script{}
		for range 3 {
			model.replies = append(model.replies, ends(finish.Draw(rt, "finish"), rapid.SliceOfN(piece, 0, 4).Draw(rt, "reply")...))
		}
		c := conversation(t, model, nil)
		take(t, c.Send(t.Context(), "One. "+rapid.String().Draw(rt, "text")))
		take(t, c.Send(t.Context(), "Two."))
		for _, asked := range model.asked {
			requirePaired(t, asked)
		}

		want := c.Snapshot()
		raw, err := json.Marshal(want)
		require.NoError(t, err)
		var read chat.Snapshot
		require.NoError(t, json.Unmarshal(raw, &read))
		restored, err := chat.Restore(engineOf(t, model, nil), read, engine.Visibility{})
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(want, restored.Snapshot(), equalJSON))
	})
}

func TestARestoredConversationGoesOn(t *testing.T) {
	first := &script{replies: []reply{says(block(t, "t_echo", "text", "hi")), says("It says hi."), {err: fmt.Errorf("down")}}}
	before := conversation(t, first, nil)
	require.NoError(t, take(t, before.Send(t.Context(), "What does it say?")).err)
	require.Error(t, take(t, before.Send(t.Context(), "And now?")).err)

	second := &script{replies: []reply{says(block(t, "t_echo")), says("Nothing.")}}
	c, err := chat.Restore(engineOf(t, second, nil), before.Snapshot(), engine.Visibility{})
	require.NoError(t, err)
	require.Equal(t, "test", c.ID())
	require.Equal(t, "Be brief.", c.System())
	require.NoError(t, take(t, c.Continue(t.Context())).err)
	require.Equal(t, first.asked[2].Messages, second.asked[0].Messages, "the model is shown the same")
	require.Equal(t, "4.1", shortID(c.History()[6].ToolCall[0].RequestID), "new ids are above the earlier ones")
}

func TestSnapshotsThatAreRefused(t *testing.T) {
	model := &script{replies: []reply{says("See.", block(t, "t_echo"), block(t, "t_fail")), says("Done.")}}
	whole := conversation(t, model, nil)
	require.NoError(t, take(t, whole.Send(t.Context(), "Go.")).err)
	for _, tt := range []struct {
		name   string
		spoil  func(s *chat.Snapshot)
		field  string // of the error; "" if the snapshot is accepted
		wanted string
	}{
		{"an unchanged snapshot is accepted", func(*chat.Snapshot) {}, "", ""},
		{"one without a version", func(s *chat.Snapshot) { s.Version = 0 }, "version", "allowed is 2"},
		{"one without an id", func(s *chat.Snapshot) { s.ID = "" }, "id", "the id of the conversation"},
		{"a number of replies below 0", func(s *chat.Snapshot) { s.Replies = -1 }, "replies", "from 0 to"},
		{"too many replies", func(s *chat.Snapshot) { s.Replies = engine.MaxReplies + 1 }, "replies", "from 0 to"},
		{"the largest number of replies", func(s *chat.Snapshot) { s.Replies = math.MaxInt }, "replies", "from 0 to"},
		{"the largest allowed number of replies", func(s *chat.Snapshot) { s.Replies = engine.MaxReplies }, "", ""},
		{"fewer replies than in the messages", func(s *chat.Snapshot) { s.Replies = 1 }, "replies", "at least 2"},
		{"ids of a reply that never began", func(s *chat.Snapshot) {
			for i, id := range []string{"7.1", "7.2"} {
				s.Messages[1].ToolCallsRequested[i].RequestID, s.Messages[2].ToolCall[i].RequestID = id, id
			}
		}, "replies", "at least 7"},
		{"a missing list of messages", func(s *chat.Snapshot) { s.Messages = nil }, "messages", "a list"},
		{"an id that is not the engine's", func(s *chat.Snapshot) { s.Messages[1].ToolCallsRequested[0].RequestID = "first" }, "messages[1].toolCallsRequested[0].requestId", "an id"},
		{"ids of two replies in one", func(s *chat.Snapshot) { s.Messages[1].ToolCallsRequested[1].RequestID = "2.1" }, "messages[1].toolCallsRequested[1].requestId", "an id"},
		{"the same reply twice", func(s *chat.Snapshot) { s.Messages = append(s.Messages[:3], s.Messages[1:3]...) }, "messages[3].toolCallsRequested[0].requestId", "an id"},
		{"a blank message of the user", func(s *chat.Snapshot) { s.Messages[0].Content = " " }, "messages[0].content", "what the user said"},
		{"an empty reply", func(s *chat.Snapshot) { s.Messages[3] = chat.Message{Role: protocol.RoleAssistant} }, "messages[3]", "an empty reply"},
		{"an empty message of the engine", func(s *chat.Snapshot) { s.Messages[0] = chat.Message{Role: protocol.RoleUser, FromEngine: true} }, "messages[0].content", "engine"},
		{"a reply from the engine", func(s *chat.Snapshot) { s.Messages[3].FromEngine = true }, "messages[3].fromEngine", "without results"},
		{"reasoning of a user", func(s *chat.Snapshot) { s.Messages[0].Reasoning = "hm" }, "messages[0]", "on an assistant message"},
		{"examples of a user", func(s *chat.Snapshot) { s.Messages[0].Examples = make([]protocol.ToolRequest, 1) }, "messages[0].examples", "on a result message"},
		{"an id that no protocol can have", func(s *chat.Snapshot) { s.Messages[1].Protocol = "vcp\n" }, "messages[1].protocol", "the id of a protocol"},
		{"an unknown status of a result", func(s *chat.Snapshot) { s.Messages[2].ToolCall[0].Status = "success「末」" }, "messages[2].toolCall[0].status", "success"},
		{"a success with an error type", func(s *chat.Snapshot) { s.Messages[2].ToolCall[0].ErrorType = "timeout" }, "messages[2].toolCall[0].errorType", "timeout"},
		{"text that is not UTF-8", func(s *chat.Snapshot) { s.Messages[2].ToolCall[0].Result = "\xff" }, "messages[2].toolCall[0]", "UTF-8"},
		{"a time that JSON cannot hold", func(s *chat.Snapshot) { s.Messages[0].Time = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) }, "messages[0].time", "9999"},
		{"an unknown role", func(s *chat.Snapshot) { s.Messages[0].Role = "tool" }, "messages[0].role", `"tool"`},
		{"a system message", func(s *chat.Snapshot) { s.Messages[0].Role = protocol.RoleSystem }, "messages[0].role", `"system"`},
		{"requests of a user", func(s *chat.Snapshot) { s.Messages[1].Role = protocol.RoleUser }, "messages[1].toolCallsRequested", "on an assistant message"},
		{"results of an assistant", func(s *chat.Snapshot) { s.Messages[2].Role = protocol.RoleAssistant }, "messages[2].toolCall", "on a user message"},
		{"requests without results at the end", func(s *chat.Snapshot) { s.Messages = s.Messages[:2] }, "messages[1].toolCallsRequested", "a result message after it"},
		{
			"requests without results in between", func(s *chat.Snapshot) { s.Messages = append(s.Messages[:2], s.Messages[3]) },
			"messages[2].toolCall", "one result for each request",
		},
		{"results without requests", func(s *chat.Snapshot) { s.Messages = s.Messages[2:] }, "messages[0].toolCall", `is ["1.1-`},
		{
			"a result too few", func(s *chat.Snapshot) { s.Messages[2].ToolCall = s.Messages[2].ToolCall[:1] },
			"messages[2].toolCall", `is ["1.1-`,
		},
		{
			"results in another order", func(s *chat.Snapshot) {
				list := s.Messages[2].ToolCall
				list[0], list[1] = list[1], list[0]
			}, "messages[2].toolCall", `is ["1.2-`,
		},
		{"an unknown status", func(s *chat.Snapshot) { s.Messages[1].ToolCallsRequested[0].Status = "maybe" }, "messages[1].toolCallsRequested[0].status", `"maybe"`},
		{"mixed statuses", func(s *chat.Snapshot) { s.Messages[1].ToolCallsRequested[1].Status = chat.RequestNotRun }, "messages[1].toolCallsRequested[1].status", "the same"},
		{"a request without an id", func(s *chat.Snapshot) { s.Messages[1].ToolCallsRequested[0].RequestID = "" }, "messages[1].toolCallsRequested[0].requestId", "an id"},
		{"two requests with one id", func(s *chat.Snapshot) {
			s.Messages[1].ToolCallsRequested[1].RequestID = s.Messages[1].ToolCallsRequested[0].RequestID
		}, "messages[1].toolCallsRequested[1].requestId", "an id"},
		{"arguments that are a list", func(s *chat.Snapshot) { s.Messages[1].ToolCallsRequested[0].Arguments = json.RawMessage("[]") }, "messages[1].toolCallsRequested[0].arguments", "not a JSON object"},
		{"arguments that are broken", func(s *chat.Snapshot) { s.Messages[1].ToolCallsRequested[0].Arguments = json.RawMessage("{") }, "messages[1].toolCallsRequested[0].arguments", "not a JSON object"},
		{"arguments that are missing", func(s *chat.Snapshot) { s.Messages[1].ToolCallsRequested[0].Arguments = nil }, "messages[1].toolCallsRequested[0].arguments", "not a JSON object"},
		{"an argument of another type", func(s *chat.Snapshot) { s.Messages[1].ToolCallsRequested[0].Arguments = json.RawMessage(`{"a":1}`) }, "messages[1].toolCallsRequested[0].arguments", "jsonArguments"},
		{"an argument named as JSON", func(s *chat.Snapshot) {
			q := &s.Messages[1].ToolCallsRequested[0]
			q.Arguments, q.JSONArguments = json.RawMessage(`{"a":1}`), []string{"a"}
		}, "", ""},
		{"a missing argument named as JSON", func(s *chat.Snapshot) { s.Messages[1].ToolCallsRequested[0].JSONArguments = []string{"b"} }, "messages[1].toolCallsRequested[0].arguments", "not an argument"},
		{"an argument twice", func(s *chat.Snapshot) {
			s.Messages[1].ToolCallsRequested[0].Arguments = json.RawMessage(`{"a":"1","a":"2"}`)
		}, "messages[1].toolCallsRequested[0].arguments", "twice"},
		{"details that are broken", func(s *chat.Snapshot) { s.Messages[2].ToolCall[0].Details = json.RawMessage("{") }, "messages[2].toolCall[0]", "JSON or nothing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := whole.Snapshot()
			tt.spoil(&s)
			_, err := chat.Restore(engineOf(t, nil, nil), s, engine.Visibility{})
			if tt.field == "" {
				require.NoError(t, err)
				return
			}
			var refused *chat.SnapshotError
			require.ErrorAs(t, err, &refused)
			require.Equal(t, tt.field, refused.Field)
			require.ErrorContains(t, err, tt.wanted)
		})
	}
	_, err := chat.Restore(nil, whole.Snapshot(), engine.Visibility{})
	require.ErrorContains(t, err, "engine.New")
}
