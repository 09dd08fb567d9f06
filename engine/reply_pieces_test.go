package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/engine"
	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/tool"
)

// TestEventsComeWhileTheModelWrites checks, with one log, in which order the model writes, events
// arrive and the tool runs.
func TestEventsComeWhileTheModelWrites(t *testing.T) {
	var log []string
	model := &script{
		replies: []reply{says("One. ", "Two. ", block(t, "t_run"), " Three."), says("End.")},
		before:  func(i int) { log = append(log, fmt.Sprint("model ", i)) },
	}
	s := session(t, registry(t, method(t, "run", func(context.Context, *tool.Call) (tool.Output, error) {
		log = append(log, "tool runs")
		return tool.Output{}, nil
	})), model)
	for ev, err := range s.Run(t.Context(), question) {
		require.NoError(t, err)
		switch ev.Kind {
		case engine.EventText:
			log = append(log, strings.TrimSpace(ev.Text))
		case engine.EventRequestDone, engine.EventToolStarted, engine.EventToolDone:
			log = append(log, ev.Kind.String())
		}
	}
	require.Equal(t, []string{
		"model 0", "One.", "model 1", "Two.", "model 2", "request_done", "model 3", "Three.", "model 4",
		"tool_started", "tool runs", "tool_done", "model 0", "End.", "model 1",
	}, nonEmpty(log))
}

func nonEmpty(list []string) (out []string) {
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// TestARunDoesNotDependOnThePiecesOfAReply makes the model write the same reply in different
// pieces, which may end within characters.
func TestARunDoesNotDependOnThePiecesOfAReply(t *testing.T) {
	whole := "你好。<b>" + block(t, "t_echo", "text", "一二三\n四") + "\nand\n" +
		block(t, "t_nothing") + block(t, "t_echo", "label", "x") + "末"
	trace := func(t testing.TB, pieces []string) []string {
		return run(t, session(t, registry(t), &script{replies: []reply{says(pieces...), says("End.")}}), question).trace
	}
	want := trace(t, []string{whole})
	rapid.Check(t, func(rt *rapid.T) {
		var pieces []string
		for rest := whole; rest != ""; {
			n := rapid.IntRange(1, min(40, len(rest))).Draw(rt, "piece")
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		require.Equal(t, want, trace(t, pieces))
	})
}

func TestTextEventsContainWholeCharacters(t *testing.T) {
	model := &script{replies: []reply{says("你\xe5", "\xa5", "\xbd!", "\xff")}}
	var texts []string
	for ev, err := range session(t, registry(t), model).Run(t.Context(), question) {
		require.NoError(t, err)
		if ev.Kind == engine.EventText {
			texts = append(texts, ev.Text)
		}
	}
	for _, text := range texts[:len(texts)-1] { // the last text is "\xff", which is part of no character
		require.True(t, utf8.ValidString(text), "%q", texts)
	}
	require.Equal(t, "你好!\xff", strings.Join(texts, ""))
}
