package engine_test

import (
	"context"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/protocol"
)

// truncating is a model whose reply is truncated at the token limit at random places, at most
// twice. It continues after the text that the engine shows it.
type truncating struct {
	text  string
	rnd   *rand.Rand
	asked int
}

func (m *truncating) Stream(_ context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		m.asked++
		text := m.text
		if m.asked > 1 {
			begun := req.Messages[len(req.Messages)-2]
			if rest, ok := strings.CutPrefix(text, begun.Content); ok &&
				!strings.Contains(req.Messages[len(req.Messages)-1].Content, "TOOL_RESULT") {
				text = rest
			} else {
				text = "Done." // the engine asks for a new reply, not for the rest of this one
			}
		}
		finish := protocol.FinishStop
		if m.asked < 3 && text != "" && text != "Done." {
			text, finish = text[:m.rnd.IntN(len(text)+1)], protocol.FinishLength
		}
		for text != "" {
			n := min(len(text), 1+m.rnd.IntN(9))
			if !yield(engine.Delta{Text: text[:n]}, nil) {
				return
			}
			text = text[n:]
		}
		yield(engine.Delta{Finished: true, Finish: finish}, nil)
	}
}

// TestATruncatedReplyIsReportedOnce checks that events report each request of a truncated and
// continued reply once. Unless the reply is reclassified, their text is that of the whole reply.
func TestATruncatedReplyIsReportedOnce(t *testing.T) {
	pieces := []string{
		"Hello. ", "\n", "`", "```\n", "<think>", "</think>\n", "x < y", "> ", "好的", "**",
		"<<<[TOOL_REQUEST]>>>\n", "<<<[END_TOOL_REQUEST]>>>\n", block(t, "t_write", "path", "a") + "\n",
		block(t, "t_write", "path", "b", "content", "long text\nof two lines") + "\n",
	}
	for seed := range uint64(longtest.Count(200, 1500)) {
		rnd := rand.New(rand.NewPCG(seed, 4))
		text := ""
		for range 1 + rnd.IntN(7) {
			text += pieces[rnd.IntN(len(pieces))]
		}
		var ran []string
		events := map[string]int{}
		reported, reclassified := "", false
		s := session(t, recordingRegistry(t, &ran), &truncating{text: text, rnd: rnd})
		for ev, err := range s.Run(t.Context(), question) {
			if err != nil {
				t.Fatalf("%v; seed %d, reply %q", err, seed, text)
			}
			switch ev.Kind {
			case engine.EventRequestStarted, engine.EventRequestDone:
				if events[ev.Kind.String()+ev.RequestID]++; events[ev.Kind.String()+ev.RequestID] > 1 {
					t.Fatalf("%v of %s comes twice; seed %d, reply %q", ev.Kind, ev.RequestID, seed, text)
				}
			case engine.EventText:
				reported += ev.Text
			case engine.EventReclassified:
				reclassified = true
			case engine.EventIterationDone:
				if want := ev.Iteration.Reply.Text.String(); reported != want && !reclassified {
					t.Fatalf("events report the text %q, and the reply has %q; seed %d, reply %q",
						reported, want, seed, text)
				}
				reported, reclassified = "", false
			}
		}
	}
}
