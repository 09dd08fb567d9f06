package engine_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
)

// TestEachStepIsJournaledBeforeItsEffect checks which entries each append contains.
func TestEachStepIsJournaledBeforeItsEffect(t *testing.T) {
	wants := map[string][]string{
		"one call": {"user", "reply, call_started 1.1", "result 1.1 success", "reply, end done"},
		"two calls in sequence": {
			"user", "reply, call_started 1.1", "result 1.1 success, call_started 1.2", "result 1.2 success",
			"reply, end done",
		},
		"no call": {"user", "reply, end done"},
		"approved": {
			"user", "reply, approval_asked 1.1", "approval_answered 1.1 allow, call_started 1.1",
			"result 1.1 success, approval_asked 1.2", "approval_answered 1.2 allow, call_started 1.2",
			"result 1.2 success", "reply, end done",
		},
		"denied": {
			"user", "reply, approval_asked 1.1",
			"approval_answered 1.1 deny, result 1.1 error permission_denied, call_started 1.2", "result 1.2 success",
			"reply, end done",
		},
		"a request in code": {"user", "reply, note", "reply, end done"},
		"mistakes": {
			"user", "reply, result 1.1 error method_not_found, call_started 1.2", "result 1.2 success",
			"reply, result 2.1 error invalid_arguments, note", "reply, end done",
		},
	}
	all := journaledTurns(t)
	for name, want := range wants {
		t.Run(name, func(t *testing.T) {
			j := &memoryJournal{}
			require.Equal(t, engine.StopDone, all[name].start(t, j).stop)
			if diff := cmp.Diff(want, j.steps(t)); diff != "" {
				t.Errorf("appends (-want +got):\n%s", diff)
			}
		})
	}
}

// TestNothingRunsAfterTheJournalFailed checks that nothing starts and nothing is appended after an
// error.
func TestNothingRunsAfterTheJournalFailed(t *testing.T) {
	for name, turn := range journaledTurns(t) {
		t.Run(name, func(t *testing.T) {
			whole := &memoryJournal{}
			require.Equal(t, engine.StopDone, turn.start(t, whole).stop)
			for n := 1; n < len(whole.appends); n++ {
				t.Run(fmt.Sprint(n), func(t *testing.T) {
					j := &memoryJournal{limit: n}
					turn.runs = nil
					s, _ := turn.session(t, j, 0)
					require.NoError(t, s.Record(t.Context(), userEntry))
					o := run(t, s, question)
					if j.failed == 0 {
						return // calls that start together share an append, so this run needed fewer appends
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
					for _, n := range turn.runs {
						ran += n
					}
					require.Equal(t, started, ran, "only calls whose start is in the journal run")

					ranBefore := maps.Clone(turn.runs)
					require.Equal(t, engine.StopJournalError, run(t, s, question).stop, "the session runs nothing more")
					require.Error(t, s.Record(t.Context(), userEntry))
					request := executor.Request{ID: "9.1", ToolRequest: protocol.ToolRequest{ToolName: "t_do"}}
					result := s.Execute(t.Context(), []executor.Request{request})[0]
					require.Equal(t, executor.ErrorCanceled, result.ErrorType)
					require.Equal(t, ranBefore, turn.runs)
					require.Equal(t, 1, j.failed, "nothing is appended after the error")
				})
			}
		})
	}
}

func TestSecretsAreNotInTheJournal(t *testing.T) {
	const secret = "hunter2-9f3a"
	for name, reply := range map[string]string{
		"a call":           "I use " + secret + ". " + block(t, "t_secret", "text", secret),
		"a wrong argument": block(t, "t_secret", "txt", secret),
		"no such method":   block(t, "t_secrets", "text", secret),
		"a request without end": strings.TrimSuffix(strings.TrimSpace(block(t, "t_secret", "text", secret)),
			"<<<[END_TOOL_REQUEST]>>>"),
	} {
		t.Run(name, func(t *testing.T) {
			turn := &journaledTurn{replies: []string{reply}}
			j := &memoryJournal{}
			turn.start(t, j)
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
