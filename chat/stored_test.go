package chat_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

func TestAnOpenedConversationEqualsTheStoredOne(t *testing.T) {
	echo := block(t, "t_echo", "text", "hi", "label", "mine")
	files := fn(t, "files", func(context.Context, in) (string, error) { return "see", nil })
	for name, c := range map[string]struct {
		model  engine.Model
		change func(*engine.Config)
	}{
		"results": {&script{replies: []reply{
			says("See.", echo, malformed, block(t, "t_fail", "count", "x")),
			says("Done."), says("<think>hm</think>Well."),
		}}, nil},
		"truncated":  {&script{replies: []reply{ends(protocol.FinishUnknown, "It sa", echo), says("Again.")}}, nil},
		"limit":      {&script{replies: []reply{ends(protocol.FinishLength, "Hm. ", echo[:len(echo)-9]), says("Well.")}}, nil},
		"dispatched": {&script{replies: []reply{says("See.", echo, malformed), says("On.")}}, manual},
		"native":     {&native{script{replies: []reply{calls("Look:", nativeCall), says("Done."), says("Bye.")}}}, nil},
		"failed":     {&script{replies: []reply{{err: errors.New("down")}, says("Up.")}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			store := chat.NewMemoryStore()
			e := engineOf(t, c.model, c.change, files)
			live := newInStore(t, store, e)
			for _, text := range []string{"One.", "Two."} {
				collect(t, live.Send(t.Context(), text))
				kept := reopened(t, store, e)
				require.Empty(t, cmp.Diff(live.History(), kept.History(), equalJSON))
				assert.Len(t, kept.Pending(), len(live.Pending()))
				assert.False(t, kept.Interrupted())
				page, older, err := chat.ReadPage(t.Context(), store, "a", kept.History()[len(kept.History())-1].Seq, 0)
				require.NoError(t, err)
				assert.Zero(t, older)
				assert.Empty(t, cmp.Diff(live.History(), page, equalJSON))
			}
			m, err := store.Metadata(t.Context(), "a")
			require.NoError(t, err)
			assert.Equal(t, "One.", m.Title, "the title of a new conversation is its first message")
		})
	}
}

// The replies are random sequences of texts, requests, reasoning and damaged requests.
func TestLawAnOpenedConversationIsTheOneThatWasKept(t *testing.T) {
	enough, passed := longtest.Count(30, 100), 0
	rapid.Check(t, func(rt *rapid.T) {
		if passed == enough {
			return
		}
		piece := rapid.OneOf(
			rapid.String(), rapid.Just(malformed), rapid.Just("<think>hm</think>"), rapid.Just(" \xff<b>&\u2028 "),
			rapid.Map(rapid.String(), func(s string) string { return block(t, "t_echo", "text", s) }),
			rapid.Just(block(t, "t_fail", "label", "f", "count", "x")),
		)
		finish := rapid.SampledFrom([]protocol.FinishReason{
			protocol.FinishStop, protocol.FinishStop,
			protocol.FinishLength, protocol.FinishUnknown,
		})
		model := &script{}
		for range 3 {
			model.replies = append(model.replies, ends(finish.Draw(rt, "finish"), rapid.SliceOfN(piece, 0, 4).Draw(rt, "reply")...))
		}
		store, e := chat.NewMemoryStore(), engineOf(t, model, nil)
		c := newInStore(t, store, e)
		collect(t, c.Send(t.Context(), "One. "+rapid.String().Draw(rt, "text")))
		collect(t, c.Send(t.Context(), "Two."))
		for _, request := range model.requests {
			requirePaired(t, request)
		}
		require.Empty(t, cmp.Diff(c.History(), reopened(t, store, e).History(), equalJSON))
		passed++ // a failed check does not count, so that rapid can shrink it
	})
}

func TestAnOpenedConversationContinues(t *testing.T) {
	store := chat.NewMemoryStore()
	first := &script{replies: []reply{says(block(t, "t_echo", "text", "hi")), says("It says hi."), {err: errors.New("down")}}}
	before := newInStore(t, store, engineOf(t, first, nil))
	require.NoError(t, collect(t, before.Send(t.Context(), "What does it say?")).err)
	require.Error(t, collect(t, before.Send(t.Context(), "And now?")).err)

	second := &script{replies: []reply{says(block(t, "t_echo")), says("Nothing.")}}
	c := reopened(t, store, engineOf(t, second, nil))
	require.NoError(t, collect(t, c.Continue(t.Context())).err)
	require.Equal(t, first.requests[2].Messages, second.requests[0].Messages, "the model is shown the same messages")
	require.Equal(t, "3.1", shortID(c.History()[6].Outcomes[0].RequestID), "new ids are higher than the stored ones")
}

func TestAConversationWithoutTurnsIsInNoStore(t *testing.T) {
	store := chat.NewMemoryStore()
	c := newInStore(t, store, engineOf(t, &script{}, nil))
	require.ErrorIs(t, collect(t, c.Continue(t.Context())).err, chat.ErrNothingToContinue)
	require.ErrorIs(t, collect(t, c.Resume(t.Context())).err, chat.ErrNotInterrupted)
	require.ErrorIs(t, collect(t, c.Resolve(t.Context())).err, chat.ErrNothingPending)
	require.ErrorIs(t, collect(t, c.Send(t.Context(), " ")).err, chat.ErrEmptyText)
	require.Error(t, collect(t, c.Edit(t.Context(), 1, "x")).err)
	require.ErrorIs(t, c.Branch(t.Context(), 1), chat.ErrNoEntry)
	list, _, err := store.List(t.Context(), chat.ListOptions{})
	require.NoError(t, err)
	assert.Empty(t, list)
	_, err = chat.Open(t.Context(), engineOf(t, &script{}, nil), chat.Options{ID: "a", Store: store})
	require.ErrorIs(t, err, chat.ErrNoConversation)
	_, err = chat.New(engineOf(t, &script{}, nil), chat.Options{ID: strings.Repeat("x", 1000), Store: store})
	require.ErrorAs(t, err, new(*chat.InvalidError))
}

func TestAConversationOpenedTwiceRunsOneTurnAtATime(t *testing.T) {
	store := chat.NewMemoryStore()
	slow := make(chan struct{})
	wait := fn(t, "wait", func(context.Context, in) (string, error) { <-slow; return "waited", nil })
	first := newInStore(t, store, engineOf(t, &script{replies: []reply{says("Hi."), says(block(t, "t_wait")), says("Done.")}}, nil, wait))
	collect(t, first.Send(t.Context(), "One."))
	second := reopened(t, store, engineOf(t, &script{replies: []reply{says("Me, too.")}}, nil))

	var refused error
	for ev, err := range first.Send(t.Context(), "Two.") {
		require.NoError(t, err)
		if ev.Kind == engine.EventToolStarted {
			before, err := store.Metadata(t.Context(), "a")
			require.NoError(t, err)
			refused = collect(t, second.Send(t.Context(), "Me?")).err
			after, err := store.Metadata(t.Context(), "a")
			require.NoError(t, err)
			assert.Equal(t, before, after, "the second writes nothing")
			close(slow)
		}
	}
	var held *chat.LeaseError
	require.ErrorAs(t, refused, &held)
	assert.Contains(t, held.Current.Holder, "process")
	require.ErrorIs(t, collect(t, second.Send(t.Context(), "Me now?")).err, chat.ErrChanged, "its history is not the one in the store")
	assert.Len(t, second.History(), 2)
	assert.Len(t, first.History(), 6)

	again := reopened(t, store, engineOf(t, &script{replies: []reply{says("Yes.")}}, nil))
	require.NoError(t, collect(t, again.Send(t.Context(), "Me now?")).err)
	assert.Len(t, again.History(), 8)
}

func TestATurnEndsWhenItsLeaseIsLost(t *testing.T) {
	store := chat.NewMemoryStore()
	ran := 0
	steal := fn(t, "steal", func(ctx context.Context, _ in) (string, error) {
		ran++
		m, err := store.Metadata(ctx, "a")
		require.NoError(t, err)
		at := time.Now()
		_, err = store.Acquire(ctx, "a", chat.LeaseRequest{Holder: "a thief", From: at, Until: at.Add(1e9), Over: m.Fence})
		return "stolen", err
	})
	request := block(t, "t_steal")
	c := newInStore(t, store, engineOf(t, &script{replies: []reply{says(request), says(request), says("Done.")}}, nil, steal))
	o := collect(t, c.Send(t.Context(), "Go."))
	var lost *chat.LeaseError
	require.ErrorAs(t, o.err, &lost)
	assert.True(t, lost.Lost)
	assert.Equal(t, "a thief", lost.Current.Holder)
	assert.Equal(t, engine.StopJournalError, o.stop)
	assert.Equal(t, 1, ran, "nothing more runs")
}

// failingStore fails after as many appends as the field appends says, as if the process had died.
type failingStore struct {
	chat.Store
	appends atomic.Int64
}

var errDead = errors.New("the process is dead")

func (s *failingStore) Append(ctx context.Context, l chat.Lease, parent int64, entries ...chat.Entry) (int64, error) {
	if s.appends.Add(-1) < 0 {
		return 0, errDead
	}
	return s.Store.Append(ctx, l, parent, entries...)
}

func TestAnInterruptedTurnIsFinished(t *testing.T) {
	texts := []reply{
		says("See. ", block(t, "t_count")),
		says("More. ", block(t, "t_count"), block(t, "t_count", "count", "2")), says("Done."),
	}
	for after := int64(0); after < 12; after++ {
		t.Run(fmt.Sprintf("after_%d_appends", after), func(t *testing.T) {
			memory := chat.NewMemoryStore()
			store := &failingStore{Store: memory}
			store.appends.Store(after)
			runs := 0
			count := fn(t, "count", func(context.Context, in) (string, error) { runs++; return fmt.Sprint("run ", runs), nil })
			c := newInStore(t, store, engineOf(t, &script{replies: texts}, nil, count))
			died := collect(t, c.Send(t.Context(), "Go.")).err
			if died != nil {
				require.ErrorIs(t, died, errDead)
				require.ErrorIs(t, collect(t, c.Send(t.Context(), "Again.")).err, errDead,
					"after the failure the conversation does nothing more")
			}

			opened := reopened(t, memory, engineOf(t, &script{replies: texts[min(repliesIn(t, memory), 3):]}, nil, count))
			require.Equal(t, died != nil && after > 0, opened.Interrupted())
			if opened.Interrupted() {
				require.NoError(t, opened.CanContinue())
				require.NoError(t, collect(t, opened.Resume(t.Context())).err)
			}
			require.ErrorIs(t, collect(t, opened.Resume(t.Context())).err, chat.ErrNotInterrupted)
			if after == 0 {
				return // the user's message was refused
			}
			assert.LessOrEqual(t, runs, 3, "no call runs twice")
			lines := strings.Join(brief(opened.History()), "\n")
			assert.Contains(t, lines, "assistant: Done.")
			assert.Equal(t, brief(opened.History()), brief(reopened(t, memory, engineOf(t, &script{}, nil)).History()))
		})
	}
}

// repliesIn counts the replies that a store has of the conversation.
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
	store.appends.Store(2) // the user's message, the reply with the start of its call
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
		"user: Go.", "assistant:  [1.1 t_count answered]", "user [1.1 error unknown]", "user: Never mind.", "assistant: Sorry.",
	}, brief(opened.History()))
	requirePaired(t, model.requests[0])
	assert.False(t, reopened(t, memory, engineOf(t, model, nil)).Interrupted())
}

func TestSecretsAreInNoStore(t *testing.T) {
	const secret = "hunter2-and-more"
	login := fn(t, "login", func(_ context.Context, in in) (string, error) { return "logged in as " + in.Text, nil },
		tool.SecretParameters("text"))
	store := chat.NewMemoryStore()
	c := newInStore(t, store, engineOf(t, &script{replies: []reply{says("I log in. ", block(t, "t_login", "text", secret)), says("Done.")}}, nil, login))
	require.NoError(t, collect(t, c.Send(t.Context(), "Log in.")).err)
	list, err := store.Entries(t.Context(), "a", 0, 0)
	require.NoError(t, err)
	for _, e := range list {
		if e.Kind != string(engine.EntryResult) { // what a tool returns is not secret
			assert.NotContains(t, string(e.Data)+e.Text, secret, e.Kind)
		}
	}
	history, err := json.Marshal(c.History()[:2])
	require.NoError(t, err)
	assert.NotContains(t, string(history), secret)
}

// A request with a secret can be approved as long as the process lives, because only the process
// has the secret.
func TestADispatchedSecretRunsInItsProcessOnly(t *testing.T) {
	const secret = "hunter2-and-more"
	got := ""
	login := fn(t, "login", func(_ context.Context, in in) (string, error) { got = in.Text; return "in", nil },
		tool.SecretParameters("text"))
	replies := []reply{says(block(t, "t_login", "text", secret)), says("Done.")}
	begin := func(t *testing.T) (*chat.MemoryStore, *chat.Conversation) {
		store := chat.NewMemoryStore()
		c := newInStore(t, store, engineOf(t, &script{replies: replies}, manual, login))
		require.Equal(t, engine.StopManual, collect(t, c.Send(t.Context(), "Log in.")).stop)
		return store, c
	}
	t.Run("in its process", func(t *testing.T) {
		_, c := begin(t)
		require.NoError(t, collect(t, c.Resolve(t.Context(), approve(c, "1.1"))).err)
		require.Equal(t, secret, got)
	})
	t.Run("after a restart", func(t *testing.T) {
		got = ""
		store, _ := begin(t)
		c := reopened(t, store, engineOf(t, &script{replies: replies[1:]}, manual, login))
		require.NotEmpty(t, c.Pending()[0].Problem)
		o := collect(t, c.Resolve(t.Context(), approve(c, "1.1")))
		require.NoError(t, o.err)
		require.Empty(t, got)
		require.Equal(t, "user [1.1 error canceled]", brief(c.History())[2])
		require.Equal(t, engine.StopDone, o.stop)
	})
}
