package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

func TestResumeSettlesAnInterruptedCall(t *testing.T) {
	type edit = func([]engine.Entry)
	editLast := func(change func(*engine.Entry)) edit {
		return func(list []engine.Entry) { change(&list[len(list)-1]) }
	}
	editQuestion := func(change func(*executor.PendingCall)) edit { // the entry before the answer
		return func(list []engine.Entry) { change(list[len(list)-2].Asked) }
	}
	incomplete := func(list []engine.Entry) { list[1].Reply.Finish = protocol.FinishLength }
	changed := func(o *engine.Options) {
		ask, _ := o.Registry.Lookup("t_ask")
		ask.Method.Changed = tool.NewChange("its description", nil)
	}
	for _, tt := range []struct {
		name      string
		method    string
		last      engine.EntryKind      // of the last entry before the interruption
		change    func(*engine.Options) // changes the options after the interruption
		edit      edit                  // edits the entries
		want      string                // the result
		runs      int                   // how often the tool runs after the interruption
		questions int                   // how often approval is asked after the interruption
	}{
		{"a call that had not started runs", "t_do", engine.EntryReply, nil, nil, "success did a", 1, 0},
		{"a call that had started may have happened", "t_do", engine.EntryCallStarted, nil, nil, "error unknown", 0, 0},
		{"an idempotent call runs again", "t_redo", engine.EntryCallStarted, nil, nil, "success did a", 1, 0},
		{"a recorded result is used", "t_do", engine.EntryResult, nil, nil, "success did a", 0, 0},
		{"a question is asked again", "t_ask", engine.EntryApprovalAsked, nil, nil, "success did a", 1, 1},
		{"an approval stays valid", "t_ask", engine.EntryApprovalAnswered, nil, nil, "success did a", 1, 0},
		{
			"an approval does not override the policy", "t_ask", engine.EntryApprovalAnswered,
			config(func(c *engine.Config) {
				c.ApproveRules = []policy.Rule{{Method: "t_ask", Decision: policy.Deny}}
			}),
			nil, "error permission_denied", 0, 0,
		},
		{
			"an approval of another call denies", "t_ask", engine.EntryApprovalAnswered, nil,
			editLast(func(e *engine.Entry) { e.Answered.Digest = "another" }), "error permission_denied", 0, 0,
		},
		{"an edited call is asked about again", "t_ask", engine.EntryApprovalAnswered, nil, editLast(func(e *engine.Entry) {
			e.Answered.Verdict = executor.VerdictEdit
		}), "success did a", 1, 1},
		{
			"an approved call with a preview is asked about again", "t_ask", engine.EntryApprovalAnswered, nil,
			editQuestion(func(q *executor.PendingCall) { q.Preview = "deletes 3 files" }), "success did a", 1, 1,
		},
		{
			"a changed definition is asked about again", "t_ask", engine.EntryApprovalAnswered, changed, nil,
			"success did a", 1, 1,
		},
		{
			"a change that was shown is approved", "t_ask", engine.EntryApprovalAnswered, changed,
			editQuestion(func(q *executor.PendingCall) { q.Change = "its description" }), "success did a", 1, 0,
		},
		{"a denial stays valid", "t_deny", engine.EntryApprovalAnswered, nil, nil, "error permission_denied", 0, 0},
		{
			"nothing of an incomplete reply runs, whatever its entry says",
			"t_do", engine.EntryReply, nil, incomplete, "error canceled", 0, 0,
		},
		{
			"an idempotent call of an incomplete reply does not run again",
			"t_redo", engine.EntryCallStarted, nil, incomplete, "error unknown", 0, 0,
		},
		{"a call with a secret argument cannot run", "t_secret", engine.EntryReply, nil, nil, "error canceled", 0, 0},
		{
			"an idempotent call whose digest has changed does not run again", "t_redo", engine.EntryCallStarted, nil,
			editLast(func(e *engine.Entry) { e.Call.Digest = "another" }), "error unknown", 0, 0,
		},
		{
			"a call of a method that is gone may have happened", "t_redo", engine.EntryCallStarted, nil,
			editLast(func(e *engine.Entry) { e.Call.Method = "t_gone" }), "error unknown", 0, 0,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			turn := &journaledTurn{replies: []string{block(t, tt.method, "text", "a"), "done"}}
			entries := interrupted(t, turn, ofKind(tt.last))
			if tt.edit != nil {
				tt.edit(entries)
			}
			turn.runs = nil
			j := &memoryJournal{}
			if tt.change == nil {
				tt.change = func(*engine.Options) {}
			}
			s, m := turn.session(t, j, 1, tt.change)
			o := collect(t, s.Resume(t.Context(), nil, entries))
			require.NoError(t, o.err)
			require.Equal(t, engine.StopDone, o.stop)
			require.Len(t, o.iterations, 1+toInt(tt.last != engine.EntryResult),
				"a settled reply is not reported again")
			messages := m.asked[0].Messages
			told := results(t, messages[len(messages)-1])
			require.Len(t, told, 1)
			got := string(told[0].Status) + " " + told[0].ErrorType
			if told[0].Status == protocol.StatusSuccess {
				got = "success " + told[0].Result
			}
			require.Equal(t, tt.want, got)
			require.Len(t, turn.runs, tt.runs)
			questions := 0
			for _, e := range j.entries(t, -1) {
				if e.Asked != nil {
					questions++
					require.Equal(t, entries[2].Asked.RequestID, e.Asked.RequestID, "the id is the same")
					require.Equal(t, entries[2].Asked.Digest, e.Asked.Digest, "the digest is the same")
				}
			}
			require.Equal(t, tt.questions, questions)
		})
	}
}

func toInt(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
