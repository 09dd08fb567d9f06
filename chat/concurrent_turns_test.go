package chat_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
)

func TestASecondTurnIsRefusedWhileOneRuns(t *testing.T) {
	c := conversation(t, &script{replies: []reply{says("One. ", "Two."), says("Three.")}}, nil)
	refused := 0
	for ev, err := range c.Send(t.Context(), "Go.") {
		require.NoError(t, err)
		if ev.Kind != engine.EventText {
			continue
		}
		require.ErrorIs(t, c.CanContinue(), chat.ErrBusy)
		for _, turn := range []func() outcome{
			func() outcome { return collect(t, c.Send(t.Context(), "Me too.")) },
			func() outcome { return collect(t, c.Continue(t.Context())) },
			func() outcome { return collect(t, c.Resolve(t.Context(), chat.Approve("1.1", ""))) },
		} {
			got := turn()
			require.ErrorIs(t, got.err, chat.ErrBusy)
			require.ErrorContains(t, got.err, "cancel its context")
			refused++
		}
		require.Equal(t, "user: Go.", historyLine(c), "the history can be read meanwhile")
	}
	require.Positive(t, refused)
	require.NoError(t, collect(t, c.Send(t.Context(), "And now?")).err)
	require.Equal(t, "user: Go. | assistant: One. Two. | user: And now? | assistant: Three.", historyLine(c))
}

func TestATurnIsOverWithItsLastEvent(t *testing.T) {
	c := conversation(t, &script{replies: []reply{ends(protocol.FinishUnknown, "On"), says("Two.")}}, nil)
	for ev, err := range c.Send(t.Context(), "Go.") {
		require.NoError(t, err)
		if ev.Kind == engine.EventRunDone {
			require.Equal(t, "user: Go. | assistant, incomplete: On", historyLine(c))
			require.NoError(t, collect(t, c.Send(t.Context(), "And now?")).err)
		}
	}
	require.Equal(t, "user: Go. | assistant, incomplete: On | user: And now? | assistant: Two.", historyLine(c))
}

// Many goroutines use one conversation. Each turn either runs to its end or is refused.
func TestConcurrentTurnsRunOrAreRefused(t *testing.T) {
	model := &script{}
	for range 50 {
		model.replies = append(model.replies, says(block(t, "t_echo", "text", "x")), says("Done."))
	}
	c := conversation(t, model, nil)
	var wg sync.WaitGroup
	var mu sync.Mutex
	ran := 0
	for range 50 {
		wg.Go(func() {
			got := collect(t, c.Send(t.Context(), "Go."))
			_, _ = c.Last()
			c.SetSystem("Be brief.")
			_ = c.History()
			mu.Lock()
			defer mu.Unlock()
			if got.err == nil {
				ran++
			} else if !errors.Is(got.err, chat.ErrBusy) {
				t.Error(got.err)
			}
		})
	}
	wg.Wait()
	require.Positive(t, ran)
	require.Len(t, c.History(), 4*ran)
}

func TestSendSendsEachTimeItIsRangedOver(t *testing.T) {
	model := &script{replies: []reply{says("One."), says("Two.")}}
	c := conversation(t, model, nil)
	turn := c.Send(t.Context(), "Go.")
	require.Empty(t, c.History(), "nothing is sent before turn is ranged over")
	require.NoError(t, collect(t, turn).err)
	require.NoError(t, collect(t, turn).err)
	require.Equal(t, "user: Go. | assistant: One. | user: Go. | assistant: Two.", historyLine(c))
}
