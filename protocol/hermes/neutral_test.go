package hermes_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/scan"
)

func TestNeutralizeAltersTagsAndSeparatesPartsOfTags(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"text without tags stays", "a < b > c <div> </tool> {\"name\": 1}", "a < b > c <div> </tool> {\"name\": 1}"},
		{"the bracket of a tag becomes an entity", "x <tool_call>{}</tool_call>", "x &lt;tool_call>{}&lt;/tool_call>"},
		{"the bracket of a tag in another spelling becomes an entity", "<Tool-Response > < tools>", "&lt;Tool-Response > &lt; tools>"},
		{"a line break follows the beginning of a tag", "x <tool_", "x <tool_\n"},
		{"a line break comes before the rest of a tag", "call>\n{}", "\ncall>\n{}"},
		{"a line break comes before the last bracket of a tag", ">\n{}", "\n>\n{}"},
		{"no line break comes before the rest of another tag", "pre>\n{}", "pre>\n{}"},
		{"an empty text stays empty", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, hermes.Protocol{}.Neutralize(tt.text))
		})
	}
}

// A message of the model may end in half a tag. Neutralized text after it does not complete the
// tag.
func TestNeutralTextCompletesNoTag(t *testing.T) {
	const body = "\n{\"name\": \"a_b\", \"arguments\": {}}\n</tool_call>"
	for _, tag := range []string{"<tool_call>", "<toolcall>", "< TOOL-CALL >", "<\ttool call\t>"} {
		for at := range tag {
			text := tag[:at] + hermes.Protocol{}.Neutralize(tag[at:]+body)
			o := parser.Options{Tolerance: scan.Greedy, Finish: protocol.FinishStop}
			reply, err := parser.ParseToolRequests(hermes.Protocol{}, text, o)
			require.NoError(t, err)
			require.Empty(t, reply.Requests, "%q", text)
		}
	}
}
