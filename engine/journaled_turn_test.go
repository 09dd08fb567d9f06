package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/tool"
)

// memoryJournal is a Journal that keeps each append as JSON. It fails if it has reached its limit.
type memoryJournal struct {
	mu      sync.Mutex
	appends [][]byte
	limit   int // maximum number of appends; 0 means no limit
	failed  int // how many appends have failed
}

var errDiskFull = errors.New("disk full")

func (j *memoryJournal) Append(_ context.Context, entries ...engine.Entry) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.limit > 0 && len(j.appends) >= j.limit {
		j.failed++
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

// entryLine returns a short form of an entry, without the parts that differ between sessions.
func entryLine(e *engine.Entry) string {
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
		s += " " + outcomeOf(e.Result.Status, e.Result.ErrorType)
	case e.End != nil:
		s += " " + string(e.End.Stop)
	}
	return s
}

// steps returns one line for each append.
func (j *memoryJournal) steps(t testing.TB) (list []string) {
	t.Helper()
	listed := 0 // how many entries the list has so far
	all := j.entries(t, -1)
	for n := range j.appends {
		var parts []string
		count := len(j.entries(t, n+1))
		for i := range all[listed:count] {
			parts = append(parts, entryLine(&all[listed+i]))
		}
		list, listed = append(list, strings.Join(parts, ", ")), count
	}
	return list
}

// journaledTurn is a scripted turn whose session has a journal.
type journaledTurn struct {
	replies  []string
	parallel bool   // Config.ParallelExecution
	manual   bool   // Config.Mode is ModeManual
	reads    string // what t_read returns

	mu   sync.Mutex
	runs map[string]int // how often each method ran, by its name and the argument text
}

func (turn *journaledTurn) countEffect(text string) {
	turn.mu.Lock()
	defer turn.mu.Unlock()
	if turn.runs == nil {
		turn.runs = map[string]int{}
	}
	turn.runs[text]++
}

// session returns a session whose model has written the first replies already; done is their
// number.
func (turn *journaledTurn) session(
	t testing.TB, j engine.Journal, done int, change ...func(*engine.Options),
) (*engine.Session, *script) {
	t.Helper()
	handle := func(_ context.Context, c *tool.Call) (tool.Output, error) {
		var in struct{ Text string }
		if err := json.Unmarshal(c.Arguments, &in); err != nil {
			return tool.Output{}, err
		}
		turn.countEffect(c.Method.FullName + " " + in.Text)
		return tool.Output{Text: "did " + in.Text, Details: map[string]int{"n": 1}}, nil
	}
	m := scriptOf(turn.replies[min(done, len(turn.replies)):]...)
	reg := registry(t, method(t, "do", handle), method(t, "redo", handle, tool.Idempotent()),
		method(t, "ask", handle, tool.WithRisk(tool.RiskDangerous)),
		method(t, "read", func(context.Context, *tool.Call) (tool.Output, error) {
			return tool.Output{Text: turn.reads}, nil
		}),
		method(t, "deny", handle, tool.WithRisk(tool.RiskDangerous)),
		method(t, "secret", handle, tool.SecretParameters("text")))
	e := newEngine(t, reg, m, func(o *engine.Options) {
		o.Config.ParallelExecution = turn.parallel
		o.Config.Approve = policy.ApproveWrite
		if turn.manual {
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

var userEntry = engine.Entry{Kind: engine.EntryUser, User: &question[0]}

// start runs the turn from its beginning.
func (turn *journaledTurn) start(t testing.TB, j engine.Journal) outcome {
	t.Helper()
	s, _ := turn.session(t, j, 0)
	if err := s.Record(t.Context(), userEntry); err != nil {
		return outcome{err: err}
	}
	return run(t, s, question)
}

func journaledTurns(t testing.TB) map[string]*journaledTurn {
	t.Helper()
	two := block(t, "t_do", "text", "a") + "\n" + block(t, "t_do", "text", "b")
	return map[string]*journaledTurn{
		"one call":              {replies: []string{block(t, "t_do", "text", "a"), "done"}},
		"two calls in sequence": {replies: []string{two, "done"}},
		"two calls in parallel": {replies: []string{two, "done"}, parallel: true},
		"no call":               {replies: []string{"done"}},
		"several replies with calls": {replies: []string{
			block(t, "t_do", "text", "a"), "so " + block(t, "t_do", "text", "b"),
			block(t, "t_do", "text", "c"), "done",
		}},
		"idempotent": {replies: []string{block(t, "t_redo", "text", "a"), "done"}},
		"approved":   {replies: []string{block(t, "t_ask", "text", "a") + block(t, "t_ask", "text", "b"), "done"}},
		"denied":     {replies: []string{block(t, "t_deny", "text", "a") + block(t, "t_do", "text", "b"), "done"}},
		"calls of several kinds": {replies: []string{block(t, "t_do", "text", "a") + block(t, "t_ask", "text", "b") +
			block(t, "t_redo", "text", "c"), "done"}, parallel: true},
		"mistakes": {replies: []string{
			block(t, "t_none", "text", "a") + block(t, "t_do", "text", "b"),
			block(t, "t_do", "arguments", `{"text": "c"}`), "done",
		}},
		"a request in code": {replies: []string{"```\n" + block(t, "t_do", "text", "a") + "```\n", "done"}},
		"empty replies":     {replies: []string{"", block(t, "t_do", "text", "a"), ""}},
		"announcements": {replies: []string{
			"Let me look that up.", block(t, "t_do", "text", "a"), "Let me look that up.",
		}},
		"repeated calls": {replies: []string{block(t, "t_none"), block(t, "t_none"), "done"}},
	}
}

// interrupted returns the entries of a turn up to and including the first one that stop accepts.
func interrupted(t testing.TB, turn *journaledTurn, stop func(*engine.Entry) bool) []engine.Entry {
	t.Helper()
	j := &memoryJournal{}
	turn.start(t, j)
	entries := j.entries(t, -1)
	for i := range entries {
		if stop(&entries[i]) {
			return entries[:i+1]
		}
	}
	t.Fatal("stop accepts no entry of the turn")
	return nil
}

func ofKind(kind engine.EntryKind) func(*engine.Entry) bool {
	return func(e *engine.Entry) bool { return e.Kind == kind }
}
