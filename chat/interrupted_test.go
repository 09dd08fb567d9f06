package chat_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
)

// failingStore fails after some appends, as if the process had died.
type failingStore struct {
	chat.Store
	appends atomic.Int64 // how many more succeed
}

var errDead = errors.New("the process is dead")

func (s *failingStore) Append(ctx context.Context, l chat.Lease, parent int64, entries ...chat.Entry) (int64, error) {
	if s.appends.Add(-1) < 0 {
		return 0, errDead
	}
	return s.Store.Append(ctx, l, parent, entries...)
}

func TestAnInterruptedTurnIsFinished(t *testing.T) {
	replies := []reply{
		says("See. ", block(t, "t_count")),
		says("More. ", block(t, "t_count"), block(t, "t_count", "count", "2")), says("Done."),
	}
	unfinished := 0
	for appends := int64(0); appends < 12; appends++ { // the whole turn makes fewer than 12 appends
		t.Run(fmt.Sprintf("after_%d_appends", appends), func(t *testing.T) {
			memory := chat.NewMemoryStore()
			store := &failingStore{Store: memory}
			store.appends.Store(appends)
			runs := 0
			count := fn(t, "count", func(context.Context, in) (string, error) {
				runs++
				return fmt.Sprint("run ", runs), nil
			})
			c := newInStore(t, store, engineOf(t, &script{replies: replies}, nil, count))
			died := collect(t, c.Send(t.Context(), "Go.")).err
			if died != nil {
				require.ErrorIs(t, died, errDead)
				require.ErrorIs(t, collect(t, c.Send(t.Context(), "Again.")).err, errDead,
					"after the failure the conversation does nothing more")
			}

			rest := replies[min(repliesIn(t, memory), len(replies)):]
			opened := reopened(t, memory, engineOf(t, &script{replies: rest}, nil, count))
			require.Equal(t, died != nil && appends > 0, opened.Interrupted())
			if opened.Interrupted() {
				unfinished += requestsOf(t, opened.History(), chat.RequestUnfinished)
				require.NoError(t, opened.CanContinue())
				require.NoError(t, collect(t, opened.Resume(t.Context())).err)
			}
			require.ErrorIs(t, collect(t, opened.Resume(t.Context())).err, chat.ErrNotInterrupted)
			if appends == 0 {
				return // the user's message was refused
			}
			assert.LessOrEqual(t, runs, 3, "none of the three calls runs twice")
			require.Zero(t, requestsOf(t, opened.History(), chat.RequestUnfinished))
			lines := strings.Join(brief(opened.History()), "\n")
			assert.Contains(t, lines, "assistant: Done.")
			assert.Equal(t, brief(opened.History()), brief(reopened(t, memory, engineOf(t, &script{}, nil)).History()))
		})
	}
	require.Positive(t, unfinished)
}

// requestsOf counts the requests with the status in a history. A request that is not answered must
// have no outcome.
func requestsOf(t *testing.T, history []chat.Message, status chat.RequestStatus) (n int) {
	t.Helper()
	answered := map[string]bool{}
	for _, m := range history {
		for _, q := range m.ToolCallsRequested {
			answered[q.RequestID] = q.Status == chat.RequestAnswered
			if q.Status == status {
				n++
			}
		}
		for _, o := range m.Outcomes {
			require.True(t, answered[o.RequestID], "%+v", o)
		}
	}
	return n
}

// repliesIn counts the replies of the conversation "a" in a store.
func repliesIn(t *testing.T, s chat.Store) (n int) {
	t.Helper()
	list, err := s.Entries(t.Context(), "a", 0, 0)
	require.NoError(t, err)
	for _, e := range list {
		if e.Kind == string(engine.EntryReply) {
			n++
		}
	}
	return n
}

func TestSendAbandonsAnInterruptedTurn(t *testing.T) {
	memory := chat.NewMemoryStore()
	store := &failingStore{Store: memory}
	store.appends.Store(2) // the user's message, and the reply with the start of its call
	runs := 0
	count := fn(t, "count", func(context.Context, in) (string, error) { runs++; return "counted", nil })
	c := newInStore(t, store, engineOf(t, &script{replies: []reply{says(block(t, "t_count"))}}, nil, count))
	require.Error(t, collect(t, c.Send(t.Context(), "Go.")).err)
	require.Equal(t, 1, runs)

	model := &script{replies: []reply{says("Sorry.")}}
	opened := reopened(t, memory, engineOf(t, model, nil, count))
	require.True(t, opened.Interrupted())
	require.NoError(t, collect(t, opened.Send(t.Context(), "Never mind.")).err)
	assert.Equal(t, 1, runs)
	assert.Equal(t, []string{
		"user: Go.", "assistant:  [1.1 t_count answered]", "user [1.1 error unknown]",
		"user: Never mind.", "assistant: Sorry.",
	}, brief(opened.History()))
	requirePaired(t, model.requests[0])
	assert.False(t, reopened(t, memory, engineOf(t, model, nil)).Interrupted())
}
