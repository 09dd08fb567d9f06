package engine_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
)

// TestTheModelIsToldOnceThatAReplyIsEmpty checks that the model is told once in a run that a reply
// contains no answer.
func TestTheModelIsToldOnceThatAReplyIsEmpty(t *testing.T) {
	call := block(t, "t_echo", "text", "hi")
	for _, tt := range []struct {
		name    string
		replies []string
		told    []int // the replies after which the model is told, from 0
	}{
		{"in the first reply", []string{"", "Done."}, []int{0}},
		{"after a call", []string{call, " \n", "Done."}, []int{1}},
		{"with reasoning", []string{"<think>What now?</think>", "Done."}, []int{0}},
		{"a second empty reply ends the run", []string{"", ""}, []int{0}},
		{"a second empty reply after a call ends the run", []string{"", call, ""}, []int{0}},
		{"the model is told nothing about an answer", []string{"Done."}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := run(t, session(t, registry(t), scriptOf(tt.replies...)), question)
			require.Equal(t, engine.StopDone, o.stop)
			require.Len(t, o.iterations, len(tt.replies))
			require.Equal(t, tt.told, toldAfter(o))
		})
	}
}

// TestTheModelIsToldThatARequestInReasoningDidNotRun checks that the model is told so if a person
// would see an empty answer. The reasoning may be in the reply, or a server sends it apart from the
// reply.
func TestTheModelIsToldThatARequestInReasoningDidNotRun(t *testing.T) {
	call := block(t, "t_echo", "text", "hi")
	apart := says("")
	apart.deltas = append([]engine.Delta{{Reasoning: "I call it. " + call}}, apart.deltas...)
	unknown := says("")
	unknown.deltas = append([]engine.Delta{{Reasoning: block(t, "t_nothing")}}, unknown.deltas...)
	for _, tt := range []struct {
		name  string
		reply reply
		named bool // the model is told about the request, and not only that the reply is empty
	}{
		{"a request in the reply", says("<think>" + call + "</think>"), true},
		{"a request in reasoning apart from the reply", apart, true},
		{"a request for no known method", unknown, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &script{replies: []reply{tt.reply, says("Done.")}}
			o := run(t, session(t, registry(t), m), question)
			require.Equal(t, engine.StopDone, o.stop)
			require.Len(t, o.iterations, 2)
			told := o.iterations[0].ResultMessage.Content
			require.Equal(t, tt.named, strings.Contains(told, "The request for t_echo stood in your reasoning"), told)
			require.Equal(t, !tt.named, strings.Contains(told, "Your reply contained no answer"), told)
		})
	}
}
