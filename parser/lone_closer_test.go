package parser_test

import (
	"slices"
	"testing"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// A lone closing tag between the fields of a block shows that the model's template opened a
// reasoning section around the block (C3, C12). No request of the block may run. A closing tag in a
// sentence, in code, in a value or after its opener shows nothing. Neither does a second lone
// closing tag, because the first one has ended that section.
func TestALoneCloserInABlockMakesItReasoning(t *testing.T) {
	const (
		start = "<<<[TOOL_REQUEST]>>>\n"
		name  = "tool_name:「始」files_delete「末」,\n"
		path  = "path:「始」a「末」\n"
		end   = "<<<[END_TOOL_REQUEST]>>>\n"
	)
	for _, c := range []struct {
		name, text string
		proto      protocol.Protocol
		want       []parser.Status
	}{
		{
			"between fields", start + name + "</think>\n" + path + end,
			vcp.Protocol{},
			[]parser.Status{parser.StatusReasoning},
		},
		{
			"before END", start + name + path + "</think>\n" + end,
			vcp.Protocol{},
			[]parser.Status{parser.StatusReasoning},
		},
		{
			"first on the line of END", start + name + path + "</think>" + end,
			vcp.Protocol{},
			[]parser.Status{parser.StatusReasoning},
		},
		{
			"after a value's closer on the same line", start + "tool_name:「始」a_b「末」 </think> \n" + end,
			vcp.Protocol{},
			[]parser.Status{parser.StatusReasoning},
		},
		{
			"before the first field", start + "</think>\n" + name + path + end,
			vcp.Protocol{},
			[]parser.Status{parser.StatusReasoning},
		},
		{
			"at the message's end", start + name + path + "</think>",
			vcp.Protocol{},
			[]parser.Status{parser.StatusReasoning},
		},
		{
			"before another START", start + name + "</think> " + start + name + end,
			vcp.Protocol{},
			[]parser.Status{parser.StatusReasoning, parser.StatusReady},
		},
		{
			"in a sentence", start + name + "the tag </think> closes\n" + path + end,
			vcp.Protocol{},
			[]parser.Status{parser.StatusReady},
		},
		{
			"in a code span", start + name + "`x </think>`\n" + path + end,
			vcp.Protocol{},
			[]parser.Status{parser.StatusReady},
		},
		{
			"in a value", start + name + "path:「始」\n</think>\n「末」\n" + end,
			vcp.Protocol{},
			[]parser.Status{parser.StatusReady},
		},
		{
			"after its opener", start + name + "a <think> b </think>\n" + path + end,
			vcp.Protocol{},
			[]parser.Status{parser.StatusReady},
		},
		{
			"at the end of a section between fields", start + name + "<think>\nwhich path?\n</think>\n" + path + end,
			vcp.Protocol{},
			[]parser.Status{parser.StatusReady},
		},
		{
			"a second closing tag in the message", "plan\n</think>\n" + start + name + "</think>\n" + path + end,
			vcp.Protocol{},
			[]parser.Status{parser.StatusReady},
		},
		{
			"Hermes, before the end tag", "<tool_call>\n{\"name\": \"a_b\", \"arguments\": {}}\n</think>\n</tool_call>\n",
			hermes.Protocol{},
			[]parser.Status{parser.StatusReasoning},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, level := range levels {
				var got []parser.Status
				o := parser.Options{Tolerance: level, Finish: protocol.FinishStop}
				for _, q := range parse(t, c.proto, c.text, o).Requests {
					got = append(got, q.Status)
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("at level %v the statuses are %v, want %v", level, got, c.want)
				}
			}
		})
	}
}
