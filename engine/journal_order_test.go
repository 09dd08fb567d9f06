package engine_test

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/tool"
)

// TestAnApprovalAnswersTheLastQuestion generates journals with entries about a call in any order.
// It checks that the call runs only under two conditions: the last answer after the last question
// allows it, and that question showed what has changed in the definition of the method.
func TestAnApprovalAnswersTheLastQuestion(t *testing.T) {
	const change = "its description" // what has changed in the definition of t_ask
	turn := &journaledTurn{replies: []string{block(t, "t_ask", "text", "a"), "done"}}
	all := interrupted(t, turn, ofKind(engine.EntryResult)) // user, reply, asked, answered, started, result
	begin, asked, answered, started, result := all[:2], all[2], all[3], all[4], all[5]
	changed := asked
	changed.Asked = new(*asked.Asked)
	changed.Asked.Change = change
	denied := answered
	denied.Answered = new(*answered.Answered)
	denied.Answered.Decision = executor.Decision{Verdict: executor.VerdictDeny}
	kinds := map[string]engine.Entry{
		"asked": asked, "asked with the change": changed, "allowed": answered, "denied": denied,
		"started": started, "result": result,
	}
	kind := rapid.SampledFrom(slices.Sorted(maps.Keys(kinds)))

	rapid.Check(t, func(rt *rapid.T) {
		names := rapid.SliceOfN(kind, 0, 5).Draw(rt, "entries")
		entries := slices.Clone(begin)
		question, answer := "", ""
		for _, name := range names {
			entries = append(entries, kinds[name])
			switch name {
			case "asked", "asked with the change":
				question, answer = name, ""
			case "allowed", "denied":
				answer = name
			}
		}
		settled := slices.Contains(names, "started") || slices.Contains(names, "result")
		wantRuns, wantQuestions := 0, 0
		switch {
		case settled, answer == "denied":
		case answer == "allowed" && question == "asked with the change":
			wantRuns = 1
		default:
			wantQuestions = 1
		}

		turn.runs = nil
		asks := 0
		s, _ := turn.session(t, &memoryJournal{}, 1, func(o *engine.Options) {
			ask, _ := o.Registry.Lookup("t_ask")
			ask.Method.Changed = tool.NewChange(change, nil)
			o.Approver = func(_ context.Context, q executor.Question) (executor.Answer, error) {
				asks++
				return q.Deny(""), nil
			}
		})
		o := collect(t, s.Resume(t.Context(), nil, entries))
		require.NoError(rt, o.err)
		require.Equal(rt, wantRuns, turn.runs["t_ask a"])
		require.Equal(rt, wantQuestions, asks)
	})
}
