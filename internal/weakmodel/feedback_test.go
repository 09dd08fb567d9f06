package weakmodel

import (
	"testing"

	"github.com/vcpgo/vcp/eval"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// TestFeedbackMustSayHowToCorrectASlip gives a model feedback that explains how to correct its
// slip, and feedback that does not.
func TestFeedbackMustSayHowToCorrectASlip(t *testing.T) {
	const right = "<<<[TOOL_REQUEST]>>>\ntool_name:「始」weather_get「末」\n<<<[END_TOOL_REQUEST]>>>"
	tests := []struct {
		slip     Slip
		explains []string
		unclear  []string
	}{
		{Fenced, []string{"It stood in a code fence; write it again.", "请求在代码块中，请重新写一次"}, []string{"It was not run.", "Write it again."}},
		{
			InReasoning,
			[]string{"Requests in reasoning do not run: write it again after it."},
			[]string{"request 1 is in reasoning text and was not run"},
		},
		{OtherForm, []string{"Write:\n" + right}, []string{"write it as the instructions say"}},
		{BareJSON, []string{right}, []string{"write it as the instructions say"}},
		{FencedJSON, []string{right}, []string{"a fence"}},
		{JSONBody, []string{right}, []string{"the block holds no field", "name:「始_ESCAPE」value「末」"}},
		{ColonBody, []string{right}, []string{"the block holds no field"}},
		{WrongMark, []string{right}, []string{"the mark is wrong"}},
		{
			EmptyReply,
			[]string{"Your reply was empty. Answer, or write a request.", "你的回复中没有答案，请写出请求。"},
			[]string{"Go on.", "Your reply was empty."},
		},
		{
			Announces,
			[]string{"Your reply contained no request. Write it now.", "回复中没有请求，请写出请求。"},
			[]string{"Go on.", "Write on."},
		},
		{MissingEnd, []string{"End it with <<<[END_TOOL_REQUEST]>>>"}, []string{"the request is not whole"}},
		{MissingCloser, []string{"close each value and write it again"}, []string{"the value is wrong"}},
		{UnknownTool, []string{"did you mean weather_get?"}, []string{"there is no such tool"}},
		{ArgumentName, []string{"weather_get takes city"}, []string{"an argument is unknown"}},
		{ExtraArgument, []string{"verbosity is unknown"}, []string{"an argument is unknown", "verbosity"}},
		{MissingArgument, []string{"city is required"}, []string{"an argument is missing"}},
		{Quoted, []string{"It stood in a blockquote; write it again.", "请求在引用中，请重新写一次"}, []string{"It was not run.", "Write it again."}},
		{Escaped, []string{right}, []string{"the mark is wrong"}},
		{EscapedBody, []string{right}, []string{"the mark is wrong"}},
		{WrongCloser, []string{"close each value and write it again"}, []string{"the value is wrong"}},
		{CloseName, []string{"did you mean weather_get?"}, []string{"there is no such tool"}},
		{WrongType, []string{"days: expected integer"}, []string{"days is wrong", "expected integer"}},
		{FabricatedResult, []string{"You wrote a result. Write the request and stop there."}, []string{"dropped"}},
		{Repeats, []string{"the same call; answer now"}, []string{"the same call"}},
	}
	task := &eval.Task{ID: "t", Solution: []eval.Step{
		{Call: "weather_get", Arguments: map[string]any{"city": "Rome"}, Reads: "Rome: (.*)"},
		{Answer: "{1}"},
	}}
	for _, tt := range tests {
		t.Run(string(tt.slip), func(t *testing.T) {
			m := New(task, vcp.Protocol{}, tt.slip, 1)
			m.replyWithSlip(m.current(), task.Solution[0].Arguments, "") // sets the argument that feedback must name
			for _, text := range tt.explains {
				if !m.isExplained(text) {
					t.Errorf("%q must explain the slip", text)
				}
			}
			for _, text := range append(tt.unclear, "", "error", "The request could not be run.") {
				if m.isExplained(text) {
					t.Errorf("%q must not explain the slip", text)
				}
			}
		})
	}
}
