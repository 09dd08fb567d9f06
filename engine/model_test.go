package engine_test

import (
	"context"
	"iter"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// TestTheModelIsSentStopTexts checks the texts at which a model's server ends a reply, so that the
// model does not write results itself.
func TestTheModelIsSentStopTexts(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*engine.Options)
		want   []string
	}{
		{"the marker of a result", func(*engine.Options) {}, []string{"<<<[TOOL_RESULT]>>>"}},
		{"the tag of a result, in another protocol", withProtocol(hermes.Protocol{}), []string{"<tool_response>"}},
		{"none without tools", config(func(c *engine.Config) { c.Enabled = false }), nil},
		{"none if the protocol names none", func(o *engine.Options) {
			o.Protocols = []protocol.Protocol{struct{ protocol.Protocol }{vcp.Protocol{}}} // without StopSequences
		}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &script{replies: []reply{says("hi")}}
			require.Equal(t, engine.StopDone, run(t, session(t, registry(t), m, tt.change), question).stop)
			require.Equal(t, tt.want, m.asked[0].Stop)
		})
	}
}

// panicking is a model that panics at one place: "Stream", "the first delta", "a break" and so on.
type panicking struct{ at string }

func (m panicking) Stream(context.Context, engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	panicAt := func(place string) {
		if m.at == place {
			panic("the model's own panic")
		}
	}
	panicAt("Stream")
	return func(yield func(engine.Delta, error) bool) {
		panicAt("the first delta")
		if !yield(engine.Delta{Text: "Hello"}, nil) {
			panicAt("a break")
			return
		}
		panicAt("the second delta")
		if yield(engine.Delta{Finished: true, Finish: protocol.FinishStop}, nil) {
			panicAt("the end")
		}
	}
}

func TestAPanicOfTheModelEndsTheRun(t *testing.T) {
	for place, want := range map[string]engine.StopReason{
		"Stream":           engine.StopModelError,
		"the first delta":  engine.StopModelError,
		"the second delta": engine.StopModelError,
		"the end":          engine.StopDone, // the reply was complete
	} {
		t.Run("at "+place, func(t *testing.T) {
			got := run(t, session(t, registry(t), panicking{place}), question)
			require.Equal(t, want, got.stop)
			if want == engine.StopDone {
				require.NoError(t, got.err)
				return
			}
			var panicked *engine.ModelPanicError
			require.ErrorAs(t, got.err, &panicked)
			require.Equal(t, "the model's own panic", panicked.Value)
			require.Contains(t, string(panicked.Stack), "panicking.Stream", "the stack names the model")
		})
	}
	t.Run("a panic after a break is recovered", func(t *testing.T) {
		for ev, err := range session(t, registry(t), panicking{"a break"}).Run(t.Context(), question) {
			require.NoError(t, err)
			if ev.Kind == engine.EventText {
				break
			}
		}
	})
	t.Run("a panic of the receiver is not recovered", func(t *testing.T) {
		require.PanicsWithValue(t, "the receiver's panic", func() {
			for ev, err := range session(t, registry(t), panicking{}).Run(t.Context(), question) {
				require.NoError(t, err)
				if ev.Kind == engine.EventText {
					panic("the receiver's panic")
				}
			}
		})
	})
}
