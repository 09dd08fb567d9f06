package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
)

// TestATurnIsResumedAfterEachAppend interrupts turns between any two appends. It checks that Resume
// finishes the turn, that its journal is whole then, and that each method runs as often as without
// the interruption. Only t_redo, which is idempotent, may run more often.
func TestATurnIsResumedAfterEachAppend(t *testing.T) {
	for name, turn := range journaledTurns(t) {
		t.Run(name, func(t *testing.T) {
			whole := &memoryJournal{}
			first := turn.start(t, whole)
			require.Equal(t, engine.StopDone, first.stop)
			effects := maps.Clone(turn.runs)
			for n := 1; n < len(whole.appends); n++ {
				t.Run(fmt.Sprint(n), func(t *testing.T) {
					recorded := whole.entries(t, n)
					j := &memoryJournal{appends: slices.Clone(whole.appends[:n])}
					ran, replies := map[string]int{}, 0 // in the process that was killed
					for i := range recorded {
						if e := &recorded[i]; e.Call != nil {
							var in struct{ Text string }
							require.NoError(t, json.Unmarshal(e.Call.Arguments, &in))
							ran[e.Call.Method+" "+in.Text]++
						} else if e.Reply != nil {
							replies++
						}
					}
					turn.runs = nil
					s, m := turn.session(t, j, replies)
					o := collect(t, s.Resume(t.Context(), nil, recorded))
					require.NoError(t, o.err)
					require.Equal(t, engine.StopDone, o.stop)
					for effect, times := range effects {
						if !strings.HasPrefix(effect, "t_redo") {
							require.LessOrEqual(t, ran[effect]+turn.runs[effect], times, "the effect %q", effect)
						}
						require.GreaterOrEqual(t, ran[effect]+turn.runs[effect], times, "the effect %q", effect)
					}
					requireWhole(t, j.entries(t, -1))
					requireSameConversation(t, whole.entries(t, -1), j.entries(t, -1))
					require.Len(t, m.asked, len(m.replies), "all replies were read")
				})
			}
		})
	}
}

// requireWhole checks that each request has one result, that no call starts twice unless its method
// is idempotent, and that the turn has ended.
func requireWhole(t testing.TB, entries []engine.Entry) {
	t.Helper()
	results, starts := map[string]int{}, map[string]int{}
	for i := range entries {
		switch e := &entries[i]; e.Kind {
		case engine.EntryResult:
			results[e.RequestID]++
		case engine.EntryCallStarted:
			if starts[e.RequestID]++; e.Call.Method != "t_redo" {
				require.Equal(t, 1, starts[e.RequestID], "starts of %s", e.RequestID)
			}
			require.Equal(t, starts[e.RequestID], e.Call.Attempt)
		default:
		}
	}
	for i := range entries {
		if reply := entries[i].Reply; reply != nil {
			for _, q := range reply.Requests {
				require.Equal(t, 1, results[q.ID], "results of %s", q.ID)
			}
		}
	}
	require.Equal(t, engine.EntryEnd, entries[len(entries)-1].Kind)
}

// requireSameConversation checks that both journals have the same replies, notes and ends. Results
// are not compared, because a result may be unknown after an interruption.
func requireSameConversation(t testing.TB, want, got []engine.Entry) {
	t.Helper()
	told := func(entries []engine.Entry) (list []string) {
		for i := range entries {
			switch e := &entries[i]; e.Kind {
			case engine.EntryReply:
				list = append(list, "reply "+e.Reply.Message.Content)
			case engine.EntryNote:
				note, err := json.Marshal(e.Note)
				require.NoError(t, err)
				list = append(list, "note "+string(note))
			case engine.EntryEnd:
				list = append(list, "end "+string(e.End.Stop))
			default:
			}
		}
		return list
	}
	if diff := cmp.Diff(told(want), told(got)); diff != "" {
		t.Errorf("conversation (-want +got):\n%s", diff)
	}
}

func TestResumeKeepsLimits(t *testing.T) {
	turn := &journaledTurn{replies: []string{block(t, "t_do", "text", "a"), block(t, "t_do", "text", "b"), "done"}}
	entries := interrupted(t, turn, func(e *engine.Entry) bool {
		return e.Kind == engine.EntryResult && shortID(e.RequestID) == "2.1"
	})
	s, m := turn.session(t, nil, 2, config(func(c *engine.Config) { c.MaxIterations = 2 }))
	o := collect(t, s.Resume(t.Context(), nil, entries))
	require.Equal(t, engine.StopMaxIterations, o.stop)
	require.Equal(t, engine.LimitIterations, o.limit)
	require.Equal(t, 3, o.iterations[0].Number)
	require.Empty(t, definitions(t, m.asked[0]), "the last reply has no tools")
	require.Equal(t, 3, s.Replies())
}

// TestReplyNumbersContinueAfterResume checks that each reply before the interrupted turn counts
// once.
func TestReplyNumbersContinueAfterResume(t *testing.T) {
	turn := &journaledTurn{replies: []string{block(t, "t_do", "text", "a"), "done"}}
	entries := interrupted(t, turn, ofKind(engine.EntryReply))
	entries[1].Reply.Number = 4
	var earlier []protocol.Message
	for range 3 {
		earlier = append(earlier, question[0], protocol.Message{Role: protocol.RoleAssistant, Content: "Yes."})
	}
	s, _ := turn.session(t, nil, 1)
	o := collect(t, s.Resume(t.Context(), earlier, entries))
	require.Equal(t, engine.StopDone, o.stop)
	require.Equal(t, 5, s.Replies())
	require.Equal(t, []int{1, 2}, []int{o.iterations[0].Number, o.iterations[1].Number}, "numbers in the turn")
}

func TestResumeWithACanceledContextSettlesCalls(t *testing.T) {
	turn := &journaledTurn{replies: []string{block(t, "t_do", "text", "a"), "done"}}
	entries := interrupted(t, turn, ofKind(engine.EntryReply))
	turn.runs = nil
	j := &memoryJournal{}
	s, _ := turn.session(t, j, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o := collect(t, s.Resume(ctx, nil, entries))
	require.Equal(t, engine.StopCanceled, o.stop)
	require.Equal(t, []string{"result 1.1 error canceled, end canceled"}, j.steps(t))
	require.Empty(t, turn.runs)
}

func TestResumeInModeManualWaitsForDecisions(t *testing.T) {
	twoRequests := block(t, "t_do", "text", "a") + block(t, "t_do", "text", "b")
	turn := &journaledTurn{replies: []string{twoRequests, "done"}, manual: true}
	j := &memoryJournal{}
	require.Equal(t, engine.StopManual, turn.start(t, j).stop)
	require.Equal(t, []string{"user", "reply"}, j.steps(t))
	entries := j.entries(t, -1)
	t.Run("nothing is settled", func(t *testing.T) {
		second := &memoryJournal{}
		s, _ := turn.session(t, second, 1)
		require.Equal(t, engine.StopManual, collect(t, s.Resume(t.Context(), nil, entries)).stop)
		require.Empty(t, second.appends)
		require.Empty(t, turn.runs)
	})
	t.Run("one is approved, one has a result", func(t *testing.T) {
		s, _ := turn.session(t, nil, 1)
		requests := entries[1].Reply.Requests
		supplied := requests[1].Result("supplied")
		approved := &engine.RecordedAnswer{
			Digest:   s.Describe(requests[0].Request).Digest,
			Decision: executor.Decision{Verdict: executor.VerdictAllow},
		}
		settled := append(slices.Clone(entries),
			engine.Entry{Kind: engine.EntryApprovalAnswered, RequestID: requests[0].ID, Answered: approved},
			engine.Entry{Kind: engine.EntryResult, RequestID: requests[1].ID, Result: &supplied})
		turn.manual = false
		s, m := turn.session(t, nil, 1)
		o := collect(t, s.Resume(t.Context(), nil, settled))
		require.Equal(t, engine.StopDone, o.stop)
		require.Equal(t, map[string]int{"t_do a": 1}, turn.runs)
		told := results(t, m.asked[0].Messages[len(m.asked[0].Messages)-1])
		require.Equal(t, []string{"did a", "supplied"}, []string{told[0].Result, told[1].Result})
	})
}

// TestAQuestionCanBeAnsweredAfterARestart checks that Decide accepts the id and the digest of a
// question that was asked before the restart.
func TestAQuestionCanBeAnsweredAfterARestart(t *testing.T) {
	turn := &journaledTurn{replies: []string{block(t, "t_ask", "text", "a"), "done"}}
	entries := interrupted(t, turn, ofKind(engine.EntryApprovalAsked))
	asked := entries[len(entries)-1].Asked
	turn.runs = nil
	s, _ := turn.session(t, nil, 1, func(o *engine.Options) { o.Approver = executor.AwaitDecision })
	decided := false
	for ev, err := range s.Resume(t.Context(), nil, entries) {
		require.NoError(t, err)
		if ev.Kind == engine.EventApprovalNeeded {
			require.Equal(t, asked.RequestID, ev.RequestID)
			allow := executor.Decision{Verdict: executor.VerdictAllow}
			require.NoError(t, s.Decide(asked.RequestID, asked.Digest, allow))
			decided = true
		}
	}
	require.True(t, decided)
	require.Equal(t, map[string]int{"t_ask a": 1}, turn.runs)
}

func TestResumeRefusesInvalidEntries(t *testing.T) {
	turn := &journaledTurn{replies: []string{block(t, "t_do", "text", "a"), "done"}}
	entries := interrupted(t, turn, ofKind(engine.EntryCallStarted))
	for name, change := range map[string]func([]engine.Entry) []engine.Entry{
		"a started call without a reply": func(list []engine.Entry) []engine.Entry { return list[2:] },
		"a reply without its content": func(list []engine.Entry) []engine.Entry {
			list[1].Reply = nil
			return list
		},
		"a kind of a later version": func(list []engine.Entry) []engine.Entry {
			list[2].Kind = "signature"
			return list
		},
		"two requests with one ID": func(list []engine.Entry) []engine.Entry {
			reply := *list[1].Reply
			reply.Requests = append(slices.Clip(reply.Requests), reply.Requests[0])
			list[1].Reply = &reply
			return list
		},
		"an end of a turn": func(list []engine.Entry) []engine.Entry {
			return append(list, engine.Entry{Kind: engine.EntryEnd, End: &engine.RecordedEnd{Stop: engine.StopDone}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			j := &memoryJournal{}
			turn.runs = nil
			s, _ := turn.session(t, j, 1)
			o := collect(t, s.Resume(t.Context(), nil, change(slices.Clone(entries))))
			require.Equal(t, engine.StopJournalError, o.stop)
			var bad *engine.EntryError
			require.ErrorAs(t, o.err, &bad)
			require.Empty(t, j.appends)
			require.Empty(t, turn.runs)
		})
	}
}

// TestACopiedRequestNeedsApprovalAfterARestart checks that a request that foreign text contains
// does not run without approval after a restart either.
func TestACopiedRequestNeedsApprovalAfterARestart(t *testing.T) {
	planted := block(t, "t_do", "text", "what the page wants")
	turn := &journaledTurn{replies: []string{block(t, "t_read"), planted, "done"}}
	turn.reads = planted
	j := &memoryJournal{}
	s, _ := turn.session(t, j, 0)
	require.NoError(t, s.Record(t.Context(), userEntry))
	require.Equal(t, engine.StopDone, run(t, s, question).stop)
	questions := func(entries []engine.Entry) (n int) {
		for i := range entries {
			n += toInt(entries[i].Asked != nil)
		}
		return n
	}
	whole := j.entries(t, -1)
	require.Equal(t, 1, questions(whole), "the planted request is asked about")
	at := slices.IndexFunc(whole, func(e engine.Entry) bool {
		return e.Kind == engine.EntryReply && e.Reply.Number == 2
	})
	second := &memoryJournal{}
	s, _ = turn.session(t, second, 2)
	require.Equal(t, engine.StopDone, collect(t, s.Resume(t.Context(), nil, whole[:at+1])).stop)
	require.Equal(t, 1, questions(second.entries(t, -1)), "the planted request is asked about again")
}
