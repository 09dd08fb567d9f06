package chat_test

import (
	"context"
	"errors"
	"strings"
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
)

func TestAnOpenedConversationEqualsTheStoredOne(t *testing.T) {
	echo := block(t, "t_echo", "text", "hi", "label", "mine")
	for name, c := range map[string]struct {
		model  engine.Model
		change func(*engine.Config)
	}{
		"results": {&script{replies: []reply{
			says("See.", echo, malformed, block(t, "t_fail", "count", "x")),
			says("Done."), says("<think>hm</think>Well."),
		}}, nil},
		"truncated": {&script{replies: []reply{ends(protocol.FinishUnknown, "It sa", echo), says("Again.")}}, nil},
		"truncated in a request": {&script{replies: []reply{
			ends(protocol.FinishLength, "Hm. ", echo[:len(echo)-9]), says("Well."),
		}}, nil},
		"dispatched": {&script{replies: []reply{says("See.", echo, malformed), says("On.")}}, manual},
		"native":     {&native{script{replies: []reply{calls("Look:", nativeCall), says("Done."), says("Bye.")}}}, nil},
		"failed":     {&script{replies: []reply{{err: errors.New("down")}, says("Up.")}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			store := chat.NewMemoryStore()
			e := engineOf(t, c.model, c.change)
			stored := newInStore(t, store, e)
			for _, text := range []string{"One.", "Two."} {
				collect(t, stored.Send(t.Context(), text))
				opened := reopened(t, store, e)
				require.Empty(t, cmp.Diff(stored.History(), opened.History(), equalJSON))
				assert.Len(t, opened.Pending(), len(stored.Pending()))
				assert.False(t, opened.Interrupted())
				last, _ := opened.Last()
				page, older, err := chat.ReadPage(t.Context(), store, "a", last.Seq, 0)
				require.NoError(t, err)
				assert.Zero(t, older)
				assert.Empty(t, cmp.Diff(stored.History(), page, equalJSON))
			}
			m, err := store.Metadata(t.Context(), "a")
			require.NoError(t, err)
			assert.Equal(t, "One.", m.Title, "the title of a new conversation is its first message")
		})
	}
}

// The replies are random sequences of texts, requests, reasoning and damaged requests. (A law is a
// property that rapid checks with generated inputs.)
func TestLawAnOpenedConversationEqualsTheStoredOne(t *testing.T) {
	enough, passed := longtest.Count(30, 100), 0
	rapid.Check(t, func(rt *rapid.T) {
		if passed == enough { // the sample omits the other checks of rapid
			return
		}
		piece := rapid.OneOf(
			rapid.String(), rapid.Just(malformed), rapid.Just("<think>hm</think>"), rapid.Just(" \xff<b>&\u2028 "),
			rapid.Map(rapid.String(), func(s string) string { return block(t, "t_echo", "text", s) }),
			rapid.Just(block(t, "t_fail", "label", "f", "count", "x")),
		)
		finish := rapid.SampledFrom([]protocol.FinishReason{
			protocol.FinishStop, protocol.FinishStop, protocol.FinishLength, protocol.FinishUnknown,
		})
		model := &script{}
		for range 3 {
			pieces := rapid.SliceOfN(piece, 0, 4).Draw(rt, "reply")
			model.replies = append(model.replies, ends(finish.Draw(rt, "finish"), pieces...))
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
	first := &script{replies: []reply{
		says(block(t, "t_echo", "text", "hi")), says("It says hi."), {err: errors.New("down")},
	}}
	stored := newInStore(t, store, engineOf(t, first, nil))
	require.NoError(t, collect(t, stored.Send(t.Context(), "What does it say?")).err)
	require.Error(t, collect(t, stored.Send(t.Context(), "And now?")).err)

	second := &script{replies: []reply{says(block(t, "t_echo")), says("Nothing.")}}
	c := reopened(t, store, engineOf(t, second, nil))
	require.NoError(t, collect(t, c.Continue(t.Context())).err)
	require.Equal(t, first.requests[2].Messages, second.requests[0].Messages, "the model is shown the same messages")
	require.Equal(t, "3.1", shortID(c.History()[6].Outcomes[0].RequestID), "new ids are higher than the stored ones")
}

func TestAnyMessageThatIsNotBlankIsStored(t *testing.T) {
	for name, message := range map[string]string{
		"NUL, which no title contains": "\x00",
		"words after many blanks":      strings.Repeat(" ", 16<<10) + "Hello.",
	} {
		t.Run(name, func(t *testing.T) {
			store := chat.NewMemoryStore()
			e := engineOf(t, &script{replies: []reply{says("Yes.")}}, nil)
			require.NoError(t, collect(t, newInStore(t, store, e).Send(t.Context(), message)).err)
			require.Equal(t, message, reopened(t, store, e).History()[0].Content)
		})
	}
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
}

func TestAnIDThatNoStoreTakesIsRefused(t *testing.T) {
	o := chat.Options{ID: strings.Repeat("x", chat.MaxIDBytes+1), Store: chat.NewMemoryStore()}
	_, err := chat.New(engineOf(t, &script{}, nil), o)
	require.ErrorAs(t, err, new(*chat.InvalidError))
}

func TestAConversationThatWasCreatedAgainIsAnotherOne(t *testing.T) {
	store := chat.NewMemoryStore()
	begin := func() *chat.Conversation {
		c := newInStore(t, store, engineOf(t, &script{replies: []reply{says("Hi."), says("Again.")}}, nil))
		require.NoError(t, collect(t, c.Send(t.Context(), "One.")).err)
		return c
	}
	first := begin()
	require.NoError(t, chat.DeleteConversation(t.Context(), store, "a"))
	begin() // with as many entries
	changed, err := first.Changed(t.Context())
	require.NoError(t, err)
	assert.True(t, changed)
	require.ErrorIs(t, collect(t, first.Send(t.Context(), "Two.")).err, chat.ErrChanged)
}

func TestAConversationOpenedTwiceRunsOneTurnAtATime(t *testing.T) {
	store := chat.NewMemoryStore()
	release := make(chan struct{})
	wait := fn(t, "wait", func(context.Context, in) (string, error) { <-release; return "waited", nil })
	model := &script{replies: []reply{says("Hi."), says(block(t, "t_wait")), says("Done.")}}
	first := newInStore(t, store, engineOf(t, model, nil, wait))
	collect(t, first.Send(t.Context(), "One."))
	second := reopened(t, store, engineOf(t, &script{replies: []reply{says("Me, too.")}}, nil))

	var refused error
	for ev, err := range first.Send(t.Context(), "Two.") {
		require.NoError(t, err)
		if ev.Kind == engine.EventToolStarted {
			metadataBefore, err := store.Metadata(t.Context(), "a")
			require.NoError(t, err)
			refused = collect(t, second.Send(t.Context(), "Me?")).err
			m, err := store.Metadata(t.Context(), "a")
			require.NoError(t, err)
			assert.Equal(t, metadataBefore, m, "the refused turn writes nothing")
			close(release)
		}
	}
	var held *chat.LeaseError
	require.ErrorAs(t, refused, &held)
	assert.Contains(t, held.Current.Holder, "process")
	require.ErrorIs(t, collect(t, second.Send(t.Context(), "Me now?")).err, chat.ErrChanged)
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
		request := chat.LeaseRequest{Holder: "a thief", From: at, Until: at.Add(time.Second), Over: m.Fence}
		_, err = store.Acquire(ctx, "a", request)
		return "stolen", err
	})
	request := says(block(t, "t_steal"))
	c := newInStore(t, store, engineOf(t, &script{replies: []reply{request, request, says("Done.")}}, nil, steal))
	o := collect(t, c.Send(t.Context(), "Go."))
	var lost *chat.LeaseError
	require.ErrorAs(t, o.err, &lost)
	assert.True(t, lost.Lost)
	assert.Equal(t, "a thief", lost.Current.Holder)
	assert.Equal(t, engine.StopJournalError, o.stop)
	assert.Equal(t, 1, ran, "nothing more runs")
}
