package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
)

// TestAnEmptyReply checks that the model is told once in a run that a reply contains no answer.
func TestAnEmptyReply(t *testing.T) {
	call := block(t, "t_echo", "text", "hi")
	for _, tt := range []struct {
		name    string
		replies []string
		told    []int // the replies after which the model is told, from 0
	}{
		{"at first", []string{"", "Done."}, []int{0}},
		{"after a call", []string{call, " \n", "Done."}, []int{1}},
		{"with reasoning", []string{"<think>What now?</think>", "Done."}, []int{0}},
		{"a second one ends the run", []string{"", ""}, []int{0}},
		{"a second one after a call ends the run", []string{"", call, ""}, []int{0}},
		{"the model is told nothing about an answer", []string{"Done."}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &script{}
			for _, text := range tt.replies {
				m.replies = append(m.replies, says(text))
			}
			o := run(t, session(t, registry(t), m), question)
			require.Equal(t, engine.StopDone, o.stop)
			require.Len(t, o.iterations, len(tt.replies))
			var told []int
			for i, iteration := range o.iterations {
				if message := iteration.ResultMessage; message != nil && message.Content != "" {
					told = append(told, i)
				}
			}
			require.Equal(t, tt.told, told)
		})
	}
}
