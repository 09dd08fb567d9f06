//go:build unix

package sqlitestore_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/sqlitestore"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/protocol"
)

// The tests of this file run a conversation of 20 calls in a child process, kill the child, and let
// another child finish the turn. Each call that runs appends a line to a file outside of the store
// and syncs it, so that the file shows which effects happened.

// aftermath is what remains of a conversation.
type aftermath struct {
	transcript []string       // the messages, without ids and results
	effects    map[string]int // how often each call happened, by its method and item
	unknown    int            // calls whose result says that they may have happened
}

// check checks the store and the file of effects after a conversation, and returns what they
// contain.
func (o *victimOptions) check(t *testing.T) aftermath {
	t.Helper()
	a := aftermath{effects: map[string]int{}}
	text, err := os.ReadFile(o.Effects)
	require.NoError(t, err)
	happened := map[string]int{} // by the request's id
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		require.Len(t, fields, 3, "each line of effects is complete")
		happened[fields[0]]++
		a.effects[fields[1]+" "+fields[2]]++
	}

	store := open(t, o.Store, sqlitestore.Options{})
	entries, err := store.Entries(t.Context(), victimID, 0, chat.MaxPage)
	require.NoError(t, err)
	require.NotEmpty(t, entries)
	list := make([]engine.Entry, len(entries))
	results, ends := map[string]*executor.Result{}, 0
	for i := range entries {
		require.NoError(t, json.Unmarshal(entries[i].Data, &list[i]))
		require.Equal(t, int64(i), entries[i].Parent, "the entries form one path")
		if r := list[i].Result; r != nil {
			require.Nil(t, results[r.ID], "the call %s has one result", r.ID)
			results[r.ID] = r
		}
		if list[i].End != nil {
			ends++
			require.Equal(t, engine.StopDone, list[i].End.Stop)
		}
	}
	require.Equal(t, 1, ends)
	calls := 0
	for i := range list {
		if list[i].Reply == nil {
			continue
		}
		for _, q := range list[i].Reply.Requests {
			calls++
			r := results[q.ID]
			require.NotNil(t, r, "the call %s has a result", q.ID)
			switch times := happened[q.ID]; {
			case r.ErrorType == executor.ErrorUnknown:
				a.unknown++
				require.NotEqual(t, "shop_put", q.Method, "an idempotent call is repeated")
				require.LessOrEqual(t, times, 1)
			case q.Method == "shop_refuse":
				require.Zero(t, times, "a denied call does not happen")
				require.Equal(t, executor.ErrorPermissionDenied, r.ErrorType)
			case q.Method == "shop_put":
				require.GreaterOrEqual(t, times, 1)
				require.Equal(t, protocol.StatusSuccess, r.Status)
			default:
				require.Equal(t, 1, times, "the call %s happens once", q.ID)
				require.Equal(t, protocol.StatusSuccess, r.Status)
			}
		}
	}
	require.Equal(t, 20, calls)

	e, err := o.engine(&points{})
	require.NoError(t, err)
	c, err := chat.Open(t.Context(), e, chat.Options{ID: victimID, Store: store})
	require.NoError(t, err)
	require.False(t, c.Interrupted())
	for _, m := range c.History() {
		line := fmt.Sprintf("%s %s", m.Role, m.Content)
		for _, r := range m.Outcomes {
			line += " " + r.Method
		}
		a.transcript = append(a.transcript, line)
	}
	return a
}

// runWhole runs the conversation without a kill. It returns what the conversation leaves behind,
// and how many points and lines of output it has.
func runWhole(t *testing.T, parallel bool) (a aftermath, points, lines int) {
	t.Helper()
	o := newVictim(t, parallel)
	killed, points, lines := o.outcome(t, 0)
	require.False(t, killed)
	a = o.check(t)
	require.Zero(t, a.unknown)
	require.Len(t, a.effects, 18, "20 calls, of which 2 are denied")
	return a, points, lines
}

// If the process is killed before or after any append to the journal or any effect, nothing is
// lost, and only idempotent calls may happen twice.
func TestATurnIsFinishedAfterAKillAtEachPoint(t *testing.T) {
	for _, parallel := range []bool{false, true} {
		t.Run(fmt.Sprintf("parallel=%t", parallel), func(t *testing.T) {
			want, points, _ := runWhole(t, parallel)
			numbers := make([]int, points)
			for i := range numbers {
				numbers[i] = i + 1
			}
			for _, n := range longtest.Sample(2, numbers) { // the sample omits all points but two
				t.Run(fmt.Sprint(n), func(t *testing.T) {
					t.Parallel()
					o := newVictim(t, parallel)
					o.KillAt = n
					killed, _, _ := o.outcome(t, 0)
					// Calls that start together share an append, so a parallel run may have fewer
					// points.
					require.True(t, killed || parallel)
					o.finish(t)
					got := o.check(t)
					requireSameTranscript(t, &want, &got)
					require.LessOrEqual(t, got.unknown, 3, "only calls that were running may be unknown")
				})
			}
		})
	}
}

// If another process kills the process at any time, up to three times, nothing is lost, and only
// idempotent calls may happen twice.
func TestATurnIsFinishedAfterAKillAtAnyTime(t *testing.T) {
	want, _, lines := runWhole(t, false)
	for seed := range longtest.Count(2, 300) { // the sample omits all seeds but two
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(uint64(seed), 7)) // draws the same numbers in each run
			o := newVictim(t, seed%2 == 1)
			for range 1 + rnd.IntN(3) {
				o.outcome(t, 1+rnd.IntN(lines))
			}
			o.finish(t)
			got := o.check(t)
			requireSameTranscript(t, &want, &got)
		})
	}
}

// requireSameTranscript checks that the transcripts are equal, and that got has no effect that want
// lacks.
func requireSameTranscript(t *testing.T, want, got *aftermath) {
	t.Helper()
	if diff := cmp.Diff(want.transcript, got.transcript); diff != "" {
		t.Errorf("transcript (-want +got):\n%s", diff)
	}
	for effect := range maps.Keys(got.effects) {
		require.Contains(t, slices.Collect(maps.Keys(want.effects)), effect)
	}
}
