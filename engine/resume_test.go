package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// memoryJournal keeps appends as JSON. After limit appends it fails.
type memoryJournal struct {
	mu      sync.Mutex
	appends [][]byte
	limit   int // number of appends; 0 means no limit
	tries   int // appends after the limit
}

var errDiskFull = errors.New("disk full")

func (j *memoryJournal) Append(_ context.Context, entries ...engine.Entry) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.limit > 0 && len(j.appends) >= j.limit {
		j.tries++
		return errDiskFull
	}
	text, err := json.Marshal(entries)
	if err != nil {
		return err
	}
	j.appends = append(j.appends, text)
	return nil
}

// entries returns the entries of the first n appends, or of all appends if n is negative.
func (j *memoryJournal) entries(t testing.TB, n int) (list []engine.Entry) {
	t.Helper()
	if n < 0 {
		n = len(j.appends)
	}
	for _, text := range j.appends[:n] {
		var some []engine.Entry
		require.NoError(t, json.Unmarshal(text, &some))
		list = append(list, some...)
	}
	return list
}

// line returns a short form of an entry, without the parts that differ between sessions.
func line(e *engine.Entry) string {
	s := string(e.Kind)
	if e.RequestID != "" {
		s += " " + shortID(e.RequestID)
	}
	switch {
	case e.Answered != nil:
		s += " " + string(e.Answered.Verdict)
	case e.Call != nil && e.Call.Attempt > 1:
		s += fmt.Sprint(" again ", e.Call.Attempt)
	case e.Result != nil:
		s += " " + string(e.Result.Status) + e.Result.ErrorType
	case e.End != nil:
		s += " " + string(e.End.Stop)
	}
	return s
}

// steps writes each append as one line.
func (j *memoryJournal) steps(t testing.TB) (list []string) {
	t.Helper()
	before := 0
	all := j.entries(t, -1)
	for n := range j.appends {
		var parts []string
		count := len(j.entries(t, n+1))
		for i := range all[before:count] {
			parts = append(parts, line(&all[before+i]))
		}
		list, before = append(list, strings.Join(parts, ", ")), count
	}
	return list
}

// A journaled turn is a scripted turn whose session has a journal.
type journaled struct {
	replies  []string
	parallel bool
	manual   bool
	reads    string         // what t_read returns
	runs     map[string]int // effects, by method and text
	mu       sync.Mutex
}

func (x *journaled) effect(text string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.runs == nil {
		x.runs = map[string]int{}
	}
	x.runs[text]++
}

// session returns a session whose model has written the first done replies already.
func (x *journaled) session(t testing.TB, j engine.Journal, done int, change ...func(*engine.Options)) (*engine.Session, *script) {
	t.Helper()
	handle := func(_ context.Context, c *tool.Call) (tool.Output, error) {
		var in struct{ Text string }
		if err := json.Unmarshal(c.Arguments, &in); err != nil {
			return tool.Output{}, err
		}
		x.effect(c.Method.FullName + " " + in.Text)
		return tool.Output{Text: "did " + in.Text, Details: map[string]int{"n": 1}}, nil
	}
	m := &script{}
	for _, text := range x.replies[min(done, len(x.replies)):] {
		m.replies = append(m.replies, says(text))
	}
	reg := registry(t, method(t, "do", handle), method(t, "redo", handle, tool.Idempotent()), method(t, "ask", handle, tool.WithRisk(tool.RiskDangerous)),
		method(t, "read", func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{Text: x.reads}, nil }),
		method(t, "deny", handle, tool.WithRisk(tool.RiskDangerous)), method(t, "secret", handle, tool.SecretParameters("text")))
	e := newEngine(t, reg, m, func(o *engine.Options) {
		o.Config.ParallelExecution = x.parallel
		o.Config.Approve = policy.ApproveWrite
		if x.manual {
			o.Config.Mode = engine.ModeManual
		}
		o.Approver = func(_ context.Context, q executor.Question) (executor.Answer, error) {
			if q.Method.Method.Name == "deny" {
				return q.Deny("no"), nil
			}
			return q.Allow(), nil
		}
		for _, c := range change {
			c(o)
		}
	})
	return e.OpenSession(engine.SessionOptions{ID: "test", Journal: j}), m
}

var asked = engine.Entry{Kind: engine.EntryUser, User: &protocol.Message{Role: protocol.RoleUser, Content: "question"}}

// start runs the turn from its beginning.
func (x *journaled) start(t testing.TB, j engine.Journal) outcome {
	t.Helper()
	s, _ := x.session(t, j, 0)
	if err := s.Record(t.Context(), asked); err != nil {
		return outcome{err: err}
	}
	return run(t, s, question)
}

func scenarios(t testing.TB) map[string]*journaled {
	t.Helper()
	two := block(t, "t_do", "text", "a") + "\n" + block(t, "t_do", "text", "b")
	return map[string]*journaled{
		"one call":       {replies: []string{block(t, "t_do", "text", "a"), "done"}},
		"calls in turn":  {replies: []string{two, "done"}},
		"calls at once":  {replies: []string{two, "done"}, parallel: true},
		"no call":        {replies: []string{"done"}},
		"several":        {replies: []string{block(t, "t_do", "text", "a"), "so " + block(t, "t_do", "text", "b"), block(t, "t_do", "text", "c"), "done"}},
		"idempotent":     {replies: []string{block(t, "t_redo", "text", "a"), "done"}},
		"approved":       {replies: []string{block(t, "t_ask", "text", "a") + block(t, "t_ask", "text", "b"), "done"}},
		"denied":         {replies: []string{block(t, "t_deny", "text", "a") + block(t, "t_do", "text", "b"), "done"}},
		"mixed":          {replies: []string{block(t, "t_do", "text", "a") + block(t, "t_ask", "text", "b") + block(t, "t_redo", "text", "c"), "done"}, parallel: true},
		"mistakes":       {replies: []string{block(t, "t_none", "text", "a") + block(t, "t_do", "text", "b"), block(t, "t_do", "arguments", `{"text": "c"}`), "done"}},
		"in code":        {replies: []string{"```\n" + block(t, "t_do", "text", "a") + "```\n", "done"}},
		"repeated calls": {replies: []string{block(t, "t_none"), block(t, "t_none"), "done"}},
	}
}

// TestJournalOfATurn checks which entries each append contains.
func TestJournalOfATurn(t *testing.T) {
	want := map[string][]string{
		"one call": {"user", "reply, call_started 1.1", "result 1.1 success", "reply, end done"},
		"calls in turn": {
			"user", "reply, call_started 1.1", "result 1.1 success, call_started 1.2", "result 1.2 success", "reply, end done",
		},
		"no call": {"user", "reply, end done"},
		"approved": {
			"user", "reply, approval_asked 1.1", "approval_answered 1.1 allow, call_started 1.1", "result 1.1 success, approval_asked 1.2",
			"approval_answered 1.2 allow, call_started 1.2", "result 1.2 success", "reply, end done",
		},
		"denied": {
			"user", "reply, approval_asked 1.1", "approval_answered 1.1 deny, result 1.1 errorpermission_denied, call_started 1.2", "result 1.2 success",
			"reply, end done",
		},
		"in code": {"user", "reply, note", "reply, end done"},
		"mistakes": {
			"user", "reply, result 1.1 errormethod_not_found, call_started 1.2", "result 1.2 success",
			"reply, result 2.1 errorinvalid_arguments, note", "reply, end done",
		},
	}
	all := scenarios(t)
	for name, want := range want {
		t.Run(name, func(t *testing.T) {
			j := &memoryJournal{}
			require.Equal(t, engine.StopDone, all[name].start(t, j).stop)
			if diff := cmp.Diff(want, j.steps(t)); diff != "" {
				t.Errorf("appends (-want +got):\n%s", diff)
			}
		})
	}
}

// TestATurnIsResumedAfterEachAppend interrupts turns between any two appends. It checks that the
// turn is finished, that its journal is whole then, and that no effect happens twice.
func TestATurnIsResumedAfterEachAppend(t *testing.T) {
	for name, x := range scenarios(t) {
		t.Run(name, func(t *testing.T) {
			whole := &memoryJournal{}
			first := x.start(t, whole)
			require.Equal(t, engine.StopDone, first.stop)
			effects := maps.Clone(x.runs)
			for n := 1; n < len(whole.appends); n++ {
				t.Run(fmt.Sprint(n), func(t *testing.T) {
					before := whole.entries(t, n)
					j := &memoryJournal{appends: slices.Clone(whole.appends[:n])}
					ran, replies := map[string]int{}, 0 // in the process that was killed
					for i := range before {
						if e := &before[i]; e.Call != nil {
							var in struct{ Text string }
							require.NoError(t, json.Unmarshal(e.Call.Arguments, &in))
							ran[e.Call.Method+" "+in.Text]++
						} else if e.Reply != nil {
							replies++
						}
					}
					x.runs = nil
					s, m := x.session(t, j, replies)
					o := collect(t, s.Resume(t.Context(), nil, before))
					require.NoError(t, o.err)
					require.Equal(t, engine.StopDone, o.stop)
					for effect, times := range effects {
						if !strings.HasPrefix(effect, "t_redo") {
							require.LessOrEqual(t, ran[effect]+x.runs[effect], times, "the effect %q", effect)
						}
						require.GreaterOrEqual(t, ran[effect]+x.runs[effect], times, "the effect %q", effect)
					}
					requireWhole(t, j.entries(t, -1))
					requireSameConversation(t, whole.entries(t, -1), j.entries(t, -1))
					require.Len(t, m.asked, len(m.replies), "all replies were read")
				})
			}
		})
	}
}

// requireWhole checks that each request has one result, that none starts twice unless it is
// idempotent, and that the turn has ended.
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

// requireSameConversation checks that the model was told the same in both journals, except that a
// result may be unknown.
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

// TestAJournalThatFails checks that nothing starts and nothing is appended after an error.
func TestAJournalThatFails(t *testing.T) {
	for name, x := range scenarios(t) {
		t.Run(name, func(t *testing.T) {
			whole := &memoryJournal{}
			require.Equal(t, engine.StopDone, x.start(t, whole).stop)
			for n := 1; n < len(whole.appends); n++ {
				t.Run(fmt.Sprint(n), func(t *testing.T) {
					j := &memoryJournal{limit: n}
					x.runs = nil
					s, _ := x.session(t, j, 0)
					require.NoError(t, s.Record(t.Context(), asked))
					o := run(t, s, question)
					if j.tries == 0 {
						return // calls that start together share an append, so this run needed fewer
					}
					require.Equal(t, engine.StopJournalError, o.stop)
					var failure *engine.JournalError
					require.ErrorAs(t, o.err, &failure)
					require.ErrorIs(t, o.err, errDiskFull)
					started := 0
					entries := j.entries(t, -1)
					for i := range entries {
						if entries[i].Call != nil {
							started++
						}
					}
					ran := 0
					for _, n := range x.runs {
						ran += n
					}
					require.Equal(t, started, ran, "only calls whose start is in the journal run")

					before := maps.Clone(x.runs)
					require.Equal(t, engine.StopJournalError, run(t, s, question).stop, "the session runs nothing more")
					require.Error(t, s.Record(t.Context(), asked))
					result := s.Execute(t.Context(), []executor.Request{{ID: "9.1", ToolRequest: protocol.ToolRequest{ToolName: "t_do"}}})[0]
					require.Equal(t, executor.ErrorCanceled, result.ErrorType)
					require.Equal(t, before, x.runs)
					require.Equal(t, 1, j.tries, "nothing is appended after the error")
				})
			}
		})
	}
}

// interrupted returns the entries of a turn up to one that stop accepts, which is the last.
func interrupted(t testing.TB, x *journaled, stop func(*engine.Entry) bool) []engine.Entry {
	t.Helper()
	j := &memoryJournal{}
	x.start(t, j)
	entries := j.entries(t, -1)
	for i := range entries {
		if stop(&entries[i]) {
			return entries[:i+1]
		}
	}
	t.Fatal("no entry is the last")
	return nil
}

func ofKind(kind engine.EntryKind) func(*engine.Entry) bool {
	return func(e *engine.Entry) bool { return e.Kind == kind }
}

func TestResume(t *testing.T) {
	for _, tt := range []struct {
		name   string
		method string
		last   engine.EntryKind
		change func(*engine.Options)
		edit   func([]engine.Entry)
		want   string // the result
		runs   int    // after the interruption
		asked  int
	}{
		{"a call that had not started runs", "t_do", engine.EntryReply, nil, nil, "success did a", 1, 0},
		{"a call that had started may have happened", "t_do", engine.EntryCallStarted, nil, nil, "error unknown", 0, 0},
		{"an idempotent call runs again", "t_redo", engine.EntryCallStarted, nil, nil, "success did a", 1, 0},
		{"a recorded result is used", "t_do", engine.EntryResult, nil, nil, "success did a", 0, 0},
		{"a question is asked again", "t_ask", engine.EntryApprovalAsked, nil, nil, "success did a", 1, 1},
		{"an approval stays valid", "t_ask", engine.EntryApprovalAnswered, nil, nil, "success did a", 1, 0},
		{"an approval does not override the policy", "t_ask", engine.EntryApprovalAnswered, config(func(c *engine.Config) {
			c.ApproveRules = []policy.Rule{{Method: "t_ask", Decision: policy.Deny}}
		}), nil, "error permission_denied", 0, 0},
		{"an approval of another call is ignored", "t_ask", engine.EntryApprovalAnswered, nil, func(list []engine.Entry) {
			list[len(list)-1].Answered.Digest = "another"
		}, "error permission_denied", 0, 0},
		{"an edited call is asked about again", "t_ask", engine.EntryApprovalAnswered, nil, func(list []engine.Entry) {
			list[len(list)-1].Answered.Verdict = executor.VerdictEdit
		}, "success did a", 1, 1},
		{"an edited call with a preview is asked about again", "t_ask", engine.EntryApprovalAnswered, nil, func(list []engine.Entry) {
			list[len(list)-2].Asked.Preview = "deletes 3 files"
		}, "success did a", 1, 1},
		{"a changed definition is asked about again", "t_ask", engine.EntryApprovalAnswered, func(o *engine.Options) {
			ask, _ := o.Registry.Lookup("t_ask")
			ask.Method.Changed = tool.NewChange("its description", nil)
		}, nil, "success did a", 1, 1},
		{"a change that was shown is approved", "t_ask", engine.EntryApprovalAnswered, func(o *engine.Options) {
			ask, _ := o.Registry.Lookup("t_ask")
			ask.Method.Changed = tool.NewChange("its description", nil)
		}, func(list []engine.Entry) {
			list[len(list)-2].Asked.Change = "its description"
		}, "success did a", 1, 0},
		{"a denial stays valid", "t_deny", engine.EntryApprovalAnswered, nil, nil, "error permission_denied", 0, 0},
		{"nothing of an incomplete reply runs, whatever its entry says", "t_do", engine.EntryReply, nil, func(list []engine.Entry) {
			list[1].Reply.Finish = protocol.FinishLength
		}, "error canceled", 0, 0},
		{"an idempotent call of an incomplete reply does not run again", "t_redo", engine.EntryCallStarted, nil, func(list []engine.Entry) {
			list[1].Reply.Finish = protocol.FinishLength
		}, "error unknown", 0, 0},
		{"a secret is not kept", "t_secret", engine.EntryReply, nil, nil, "error canceled", 0, 0},
		{"an idempotent call that means another now does not run again", "t_redo", engine.EntryCallStarted, nil, func(list []engine.Entry) {
			list[len(list)-1].Call.Digest = "another"
		}, "error unknown", 0, 0},
		{"a call of a method that is gone may have happened", "t_redo", engine.EntryCallStarted, nil, func(list []engine.Entry) {
			list[len(list)-1].Call.Method = "t_gone"
		}, "error unknown", 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := &journaled{replies: []string{block(t, tt.method, "text", "a"), "done"}}
			entries := interrupted(t, x, ofKind(tt.last))
			if tt.edit != nil {
				tt.edit(entries)
			}
			x.runs = nil
			j := &memoryJournal{}
			if tt.change == nil {
				tt.change = func(*engine.Options) {}
			}
			s, m := x.session(t, j, 1, tt.change)
			o := collect(t, s.Resume(t.Context(), nil, entries))
			require.NoError(t, o.err)
			require.Equal(t, engine.StopDone, o.stop)
			require.Len(t, o.iterations, 1+one(tt.last != engine.EntryResult))
			messages := m.asked[0].Messages
			told := results(t, messages[len(messages)-1])
			require.Len(t, told, 1)
			got := string(told[0].Status) + " " + told[0].ErrorType
			if told[0].Status == protocol.StatusSuccess {
				got = "success " + told[0].Result
			}
			require.Equal(t, tt.want, got)
			require.Len(t, x.runs, tt.runs)
			questions := 0
			for _, e := range j.entries(t, -1) {
				if e.Asked != nil {
					questions++
					require.Equal(t, entries[2].Asked.RequestID, e.Asked.RequestID, "the id is the same")
					require.Equal(t, entries[2].Asked.Digest, e.Asked.Digest, "the digest is the same")
				}
			}
			require.Equal(t, tt.asked, questions)
		})
	}
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func TestResumeKeepsLimits(t *testing.T) {
	x := &journaled{replies: []string{block(t, "t_do", "text", "a"), block(t, "t_do", "text", "b"), "done"}}
	entries := interrupted(t, x, func(e *engine.Entry) bool { return e.Kind == engine.EntryResult && shortID(e.RequestID) == "2.1" })
	s, m := x.session(t, nil, 2, config(func(c *engine.Config) { c.MaxIterations = 2 }))
	o := collect(t, s.Resume(t.Context(), nil, entries))
	require.Equal(t, engine.StopMaxIterations, o.stop)
	require.Equal(t, engine.LimitIterations, o.limit)
	require.Equal(t, 3, o.iterations[0].Number)
	require.Empty(t, definitions(t, m.asked[0]), "the last reply has no tools")
	require.Equal(t, 3, s.Replies())
}

func TestResumeOfACanceledContextSettlesCalls(t *testing.T) {
	x := &journaled{replies: []string{block(t, "t_do", "text", "a"), "done"}}
	entries := interrupted(t, x, ofKind(engine.EntryReply))
	x.runs = nil
	j := &memoryJournal{appends: nil}
	s, _ := x.session(t, j, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o := collect(t, s.Resume(ctx, nil, entries))
	require.Equal(t, engine.StopCanceled, o.stop)
	require.Equal(t, []string{"result 1.1 errorcanceled, end canceled"}, j.steps(t))
	require.Empty(t, x.runs)
}

func TestResumeInModeManual(t *testing.T) {
	x := &journaled{replies: []string{block(t, "t_do", "text", "a") + block(t, "t_do", "text", "b"), "done"}, manual: true}
	j := &memoryJournal{}
	require.Equal(t, engine.StopManual, x.start(t, j).stop)
	require.Equal(t, []string{"user", "reply"}, j.steps(t))
	entries := j.entries(t, -1)
	t.Run("nothing is settled", func(t *testing.T) {
		again := &memoryJournal{}
		s, _ := x.session(t, again, 1)
		require.Equal(t, engine.StopManual, collect(t, s.Resume(t.Context(), nil, entries)).stop)
		require.Empty(t, again.appends)
		require.Empty(t, x.runs)
	})
	t.Run("one is approved, one has a result", func(t *testing.T) {
		s, _ := x.session(t, nil, 1)
		requests := entries[1].Reply.Requests
		supplied := requests[1].Result("supplied")
		settled := append(slices.Clone(entries),
			engine.Entry{Kind: engine.EntryApprovalAnswered, RequestID: requests[0].ID, Answered: &engine.RecordedAnswer{
				Digest: s.Describe(requests[0].Request).Digest, Decision: executor.Decision{Verdict: executor.VerdictAllow},
			}},
			engine.Entry{Kind: engine.EntryResult, RequestID: requests[1].ID, Result: &supplied})
		x.manual = false
		s, m := x.session(t, nil, 1)
		o := collect(t, s.Resume(t.Context(), nil, settled))
		require.Equal(t, engine.StopDone, o.stop)
		require.Equal(t, map[string]int{"t_do a": 1}, x.runs)
		told := results(t, m.asked[0].Messages[len(m.asked[0].Messages)-1])
		require.Equal(t, []string{"did a", "supplied"}, []string{told[0].Result, told[1].Result})
	})
}

// TestPendingApprovalAfterARestart checks that Decide accepts the id and the digest of a question
// that was asked before the restart.
func TestPendingApprovalAfterARestart(t *testing.T) {
	x := &journaled{replies: []string{block(t, "t_ask", "text", "a"), "done"}}
	entries := interrupted(t, x, ofKind(engine.EntryApprovalAsked))
	before := entries[len(entries)-1].Asked
	x.runs = nil
	s, _ := x.session(t, nil, 1, func(o *engine.Options) { o.Approver = executor.AwaitDecision })
	decided := false
	for ev, err := range s.Resume(t.Context(), nil, entries) {
		require.NoError(t, err)
		if ev.Kind == engine.EventApprovalNeeded {
			require.Equal(t, before.RequestID, ev.RequestID)
			require.NoError(t, s.Decide(before.RequestID, before.Digest, executor.Decision{Verdict: executor.VerdictAllow}))
			decided = true
		}
	}
	require.True(t, decided)
	require.Equal(t, map[string]int{"t_ask a": 1}, x.runs)
}

func TestSecretsAreNotInTheJournal(t *testing.T) {
	const secret = "hunter2-9f3a"
	for name, replies := range map[string][]string{
		"a call":                {"I use " + secret + ". " + block(t, "t_secret", "text", secret), "done with " + secret},
		"a wrong argument":      {block(t, "t_secret", "txt", secret), "done"},
		"no such method":        {block(t, "t_secrets", "text", secret), "done"},
		"a request without end": {strings.TrimSuffix(strings.TrimSpace(block(t, "t_secret", "text", secret)), "<<<[END_TOOL_REQUEST]>>>"), "done"},
	} {
		t.Run(name, func(t *testing.T) {
			x := &journaled{replies: replies[:1]}
			j := &memoryJournal{}
			x.start(t, j)
			for _, text := range j.appends {
				if strings.Contains(string(text), "did "+secret) {
					continue // what a tool returns is not masked
				}
				require.NotContains(t, string(text), secret)
			}
			require.GreaterOrEqual(t, len(j.appends), 2)
		})
	}
}

func TestEntriesThatNoJournalContains(t *testing.T) {
	x := &journaled{replies: []string{block(t, "t_do", "text", "a"), "done"}}
	entries := interrupted(t, x, ofKind(engine.EntryCallStarted))
	for name, change := range map[string]func([]engine.Entry) []engine.Entry{
		"a result without a reply": func(list []engine.Entry) []engine.Entry { return list[2:] },
		"no content":               func(list []engine.Entry) []engine.Entry { list[1].Reply = nil; return list },
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
		"the end": func(list []engine.Entry) []engine.Entry {
			return append(list, engine.Entry{Kind: engine.EntryEnd, End: &engine.RecordedEnd{Stop: engine.StopDone}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			j := &memoryJournal{}
			x.runs = nil
			s, _ := x.session(t, j, 1)
			o := collect(t, s.Resume(t.Context(), nil, change(slices.Clone(entries))))
			require.Equal(t, engine.StopJournalError, o.stop)
			var bad *engine.EntryError
			require.ErrorAs(t, o.err, &bad)
			require.Empty(t, j.appends)
			require.Empty(t, x.runs)
		})
	}
}

// TestProvenanceAfterARestart checks that a request that foreign text contains does not run without
// approval after a restart either.
func TestProvenanceAfterARestart(t *testing.T) {
	planted := block(t, "t_do", "text", "what the page wants")
	x := &journaled{replies: []string{block(t, "t_read"), planted, "done"}}
	x.reads = planted
	j := &memoryJournal{}
	s, _ := x.session(t, j, 0)
	require.NoError(t, s.Record(t.Context(), asked))
	require.Equal(t, engine.StopDone, run(t, s, question).stop)
	questions := func(entries []engine.Entry) (n int) {
		for i := range entries {
			n += one(entries[i].Asked != nil)
		}
		return n
	}
	whole := j.entries(t, -1)
	require.Equal(t, 1, questions(whole), "the planted request is asked about")
	at := slices.IndexFunc(whole, func(e engine.Entry) bool { return e.Kind == engine.EntryReply && e.Reply.Number == 2 })
	again := &memoryJournal{}
	s, _ = x.session(t, again, 2)
	require.Equal(t, engine.StopDone, collect(t, s.Resume(t.Context(), nil, whole[:at+1])).stop)
	require.Equal(t, 1, questions(again.entries(t, -1)), "and it is after a restart")
}
