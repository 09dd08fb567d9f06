package chat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/memorytest"
	"github.com/vcpgo/vcp/protocol"
)

// historyLine returns the history of a conversation on one line.
func historyLine(c *chat.Conversation) string { return strings.Join(brief(c.History()), " | ") }

func seqs(list []chat.Message) (out []int64) {
	for i := range list {
		out = append(out, list[i].Seq)
	}
	return out
}

func TestEachVersionOfAConversationIsKept(t *testing.T) {
	store := chat.NewMemoryStore()
	runs := 0
	count := fn(t, "count", func(context.Context, in) (string, error) { runs++; return fmt.Sprint("run ", runs), nil })
	model := &script{replies: []reply{
		says("Hi."), says("Look. ", block(t, "t_count")), says("It is 1."),
		says("Hello."), says("Ahoy."), says("It is one."), says("Bye."),
	}}
	c := newInStore(t, store, engineOf(t, model, nil, count))
	collect(t, c.Send(t.Context(), "Greet me."))
	collect(t, c.Send(t.Context(), "Count."))
	firstVersion := historyLine(c)
	history := c.History()
	require.Len(t, history, 6)

	t.Run("regenerate", func(t *testing.T) {
		require.NoError(t, collect(t, c.Regenerate(t.Context(), history[1].Seq)).err)
		assert.Equal(t, "user: Greet me. | assistant: Hello.", historyLine(c))
	})
	t.Run("edit", func(t *testing.T) {
		require.NoError(t, collect(t, c.Edit(t.Context(), history[0].Seq, "Greet me as a sailor.")).err)
		assert.Equal(t, "user: Greet me as a sailor. | assistant: Ahoy.", historyLine(c))
	})
	t.Run("list_and_switch", func(t *testing.T) {
		list, err := chat.ReadBranches(t.Context(), store, "a")
		require.NoError(t, err)
		require.Len(t, list, 3)
		assert.Equal(t, []string{"Ahoy.", "Hello.", "It is 1."}, []string{list[0].Text, list[1].Text, list[2].Text})
		assert.Equal(t, []bool{true, false, false}, []bool{list[0].Current, list[1].Current, list[2].Current})
		require.NoError(t, c.Branch(t.Context(), list[2].Seq))
		assert.Equal(t, firstVersion, historyLine(c))
		assert.Equal(t, seqs(history), seqs(c.History()))
		assert.False(t, c.Interrupted())
	})
	t.Run("regenerate_after_results", func(t *testing.T) {
		require.NoError(t, collect(t, c.Regenerate(t.Context(), history[5].Seq)).err)
		assert.Equal(t, strings.Replace(firstVersion, "It is 1.", "It is one.", 1), historyLine(c))
		assert.Equal(t, 1, runs, "results of the branch are used")
		requirePaired(t, model.requests[len(model.requests)-1])
	})
	t.Run("send_on_a_branch", func(t *testing.T) {
		require.NoError(t, c.Branch(t.Context(), history[1].Seq))
		require.ErrorIs(t, collect(t, c.Continue(t.Context())).err, chat.ErrNothingToContinue)
		require.NoError(t, collect(t, c.Send(t.Context(), "Bye!")).err)
		assert.Equal(t, "user: Greet me. | assistant: Hi. | user: Bye! | assistant: Bye.", historyLine(c))
		assert.Equal(t, historyLine(c), historyLine(reopened(t, store, engineOf(t, model, nil))))
	})
	t.Run("wrong_branch_points_are_refused", func(t *testing.T) {
		want := historyLine(c)
		// If the conversation continued in the middle of a turn, the calls of that turn would run
		// again.
		require.ErrorIs(t, c.Branch(t.Context(), history[3].Seq), chat.ErrBranchPoint)
		require.ErrorIs(t, c.Branch(t.Context(), 1000), chat.ErrNoEntry)
		require.ErrorIs(t, c.Branch(t.Context(), -1), chat.ErrNoEntry)
		require.ErrorIs(t, collect(t, c.Edit(t.Context(), history[1].Seq, "x")).err, chat.ErrBranchPoint)
		require.ErrorIs(t, collect(t, c.Edit(t.Context(), history[0].Seq, " ")).err, chat.ErrEmptyText)
		require.ErrorIs(t, collect(t, c.Regenerate(t.Context(), history[0].Seq)).err, chat.ErrBranchPoint)
		assert.Equal(t, want, historyLine(c))
		assert.Equal(t, 1, runs)
	})
}

func TestNoBranchBeginsBetweenAReplyAndItsResults(t *testing.T) {
	store := chat.NewMemoryStore()
	c := newInStore(t, store, engineOf(t, &script{replies: []reply{says(block(t, "t_echo")), says("Done.")}}, manual))
	collect(t, c.Send(t.Context(), "Go."))
	require.NoError(t, collect(t, c.Resolve(t.Context(), approve(c, "1.1"))).err)
	history := c.History()
	require.ErrorIs(t, c.Branch(t.Context(), history[1].Seq), chat.ErrBranchPoint, "its call would run again")
	require.NoError(t, c.Branch(t.Context(), history[2].Seq))
	require.Empty(t, c.Pending())
}

func TestBranchesNeedAStore(t *testing.T) {
	if testStore() != nil {
		t.Skip("conversations have a store in this run")
	}
	c := conversation(t, &script{replies: []reply{says("Hi.")}}, nil)
	collect(t, c.Send(t.Context(), "Greet me."))
	require.Error(t, c.Branch(t.Context(), 1))
	require.Error(t, collect(t, c.Edit(t.Context(), 1, "x")).err)
	require.Error(t, collect(t, c.Regenerate(t.Context(), 2)).err)
	assert.Len(t, c.History(), 2)
}

// countingStore counts the calls that read entries, and the entries that they return.
type countingStore struct {
	chat.Store
	calls, entries int
}

func (s *countingStore) Path(ctx context.Context, id string, from int64, limit int) ([]chat.Entry, error) {
	list, err := s.Store.Path(ctx, id, from, limit)
	s.calls, s.entries = s.calls+1, s.entries+len(list)
	return list, err
}

func (s *countingStore) Entries(ctx context.Context, id string, after int64, limit int) ([]chat.Entry, error) {
	list, err := s.Store.Entries(ctx, id, after, limit)
	s.calls, s.entries = s.calls+1, s.entries+len(list)
	return list, err
}

// longConversation returns a store with the conversation "a", which has the given number of
// messages. Each turn is a message of the user, a reply and an end.
func longConversation(t *testing.T, messages int) *countingStore {
	t.Helper()
	memory, l := leased(t)
	var list []chat.Entry
	for i := range messages / 2 {
		user := &protocol.Message{Role: "user", Content: fmt.Sprint("Message ", i)}
		reply := &engine.RecordedReply{
			Number: i + 1, Finish: protocol.FinishStop,
			Message: protocol.Message{Role: "assistant", Content: "A reply of some words."},
		}
		list = append(list,
			entryOf(t, engine.Entry{Kind: engine.EntryUser, User: user}),
			entryOf(t, engine.Entry{Kind: engine.EntryReply, Reply: reply}),
			entryOf(t, engine.Entry{Kind: engine.EntryEnd, End: &engine.RecordedEnd{Stop: engine.StopDone}}))
	}
	_, err := memory.Append(t.Context(), l, 0, list...)
	require.NoError(t, err)
	require.NoError(t, memory.Release(t.Context(), l))
	return &countingStore{Store: memory}
}

// entryOf returns an entry of the engine as a store keeps it.
func entryOf(t *testing.T, e engine.Entry) chat.Entry {
	t.Helper()
	data, err := json.Marshal(e)
	require.NoError(t, err)
	return chat.Entry{Kind: string(e.Kind), Time: time.Now(), Data: data}
}

func TestUnracedLongConversationsAreReadOnlyAsFarAsNeeded(t *testing.T) {
	longtest.SkipIfRaced(t)
	// readCounts is how many entries each step reads.
	type readCounts struct{ open, firstTurn, secondTurn, page int }
	counts := map[int]readCounts{} // by the number of messages
	for _, messages := range []int{4000, 10000} {
		store := longConversation(t, messages)
		entriesRead := func(f func()) int {
			store.entries = 0
			f()
			return store.entries
		}
		model := &script{replies: []reply{says("Yes."), says("Yes.")}}
		e := engineOf(t, model, func(c *engine.Config) { c.HistoryTokens = 1000 })
		var c *chat.Conversation
		open := entriesRead(func() { c = reopened(t, store, e) })
		assert.GreaterOrEqual(t, len(c.History()), 50)
		firstTurn := entriesRead(func() { require.NoError(t, collect(t, c.Send(t.Context(), "Still there?")).err) })
		secondTurn := entriesRead(func() { require.NoError(t, collect(t, c.Send(t.Context(), "And now?")).err) })
		page := entriesRead(func() {
			page, older, err := chat.ReadPage(t.Context(), store, "a", c.History()[0].Seq, 20)
			require.NoError(t, err)
			assert.Len(t, page, 20)
			assert.NotZero(t, older)
		})
		counts[messages] = readCounts{open, firstTurn, secondTurn, page}
	}
	assert.Equal(t, counts[4000], counts[10000])
	assert.LessOrEqual(t, counts[10000].open, 200, "a conversation opens with its last 50 messages, of about 4 entries each")
	assert.Zero(t, counts[10000].secondTurn, "what is loaded is not read again")

	t.Run("without_a_limit_the_model_is_shown_all", func(t *testing.T) {
		store := longConversation(t, 400)
		model := &script{replies: []reply{says("Yes.")}}
		c := reopened(t, store, engineOf(t, model, nil))
		require.NoError(t, collect(t, c.Send(t.Context(), "Still there?")).err)
		assert.Len(t, model.requests[0].Messages, 402, "with the system prompt and the new message")
		assert.Len(t, c.History(), 402, "with the new message and the reply")
	})
}

func TestUnracedLongConversationsAreLoadedInLinearMemory(t *testing.T) {
	longtest.SkipIfRaced(t)
	allocated := func(messages int) int {
		store := longConversation(t, messages)
		c := reopened(t, store, engineOf(t, &script{replies: []reply{says("Yes.")}}, nil))
		return memorytest.Allocated(func() {
			require.NoError(t, collect(t, c.Send(t.Context(), "Still there?")).err)
		})
	}
	allocated(10) // the first run also allocates what is made once
	small, large := allocated(4000), allocated(4*4000)
	require.LessOrEqual(t, float64(large), maxGrowth*float64(small), "bytes: %d, %d", small, large)
}
