package terminal

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/memorytest"
)

func TestMemoryOfAViewIsLinearInTheText(t *testing.T) {
	const pieces = 50_000
	for _, kind := range []engine.EventKind{engine.EventText, engine.EventReasoning} {
		for _, piece := range []string{" ", "\n", "\t", "\u00a0", " \n", "x"} {
			t.Run(kind.String()+" "+piece, func(t *testing.T) {
				var out strings.Builder
				v := NewView(&out, "en")
				v.forPerson = true
				bytes := memorytest.Allocated(func() {
					for range pieces {
						v.Show(engine.Event{Kind: kind, Text: piece})
					}
					v.Show(engine.Event{Kind: kind, Text: "."})
				})
				require.NoError(t, v.End())
				require.Less(t, bytes, 200*pieces, "bytes allocated")
			})
		}
	}
}

func TestViewShowsAnyPiecesAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.StringOf(rapid.SampledFrom([]rune(" \n\t\u00a0\u2028ab.")))
		pieces := rapid.SliceOf(piece).Draw(t, "pieces")
		show := func(pieces ...string) string {
			var out strings.Builder
			v := NewView(&out, "en")
			for _, piece := range pieces {
				v.Show(textEvent(piece))
			}
			_ = v.End()
			return out.String()
		}
		require.Equal(t, show(strings.Join(pieces, "")), show(pieces...))
	})
}

func TestViewIsSilentDuringAQuestion(t *testing.T) {
	var out strings.Builder
	v := NewView(&out, "en")
	v.Show(textEvent("Look"))
	release := v.Pause()
	done := make(chan struct{})
	go func() {
		defer close(done)
		v.Show(engine.Event{Kind: engine.EventToolProgress, Text: "half way"})
	}()
	for range 100 { // Show has time to write
		runtime.Gosched()
	}
	require.Equal(t, "Look", out.String())
	release()
	<-done
	require.Contains(t, out.String(), "half way")
}
