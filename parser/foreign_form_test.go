package parser_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// A request in the form of another protocol never runs. It is reported, unless it is quoted, in
// reasoning, in a sentence, or in a reply with a request of the protocol in use.
func TestARequestInAnotherFormIsReportedAndNotRun(t *testing.T) {
	const (
		tagged = "<tool_call>\n{\"name\": \"a_b\", \"arguments\": {}}\n</tool_call>"
		marked = "<<<[TOOL_REQUEST]>>>\ntool_name:「始」a_b「末」\n<<<[END_TOOL_REQUEST]>>>"
		bare   = `{"name": "a_b", "arguments": {}}`
		invoke = "<invoke name=\"a_b\">\n<parameter name=\"x\">1</parameter>\n</invoke>"
		coder  = "<tool_call>\n<function=a_b>\n<parameter=x>\n1\n</parameter>\n</function>\n</tool_call>"
	)
	for _, tt := range []struct {
		name  string
		proto protocol.Protocol
		text  string
		want  []parser.Span
	}{
		{
			"tags, read as vcp",
			vcp.Protocol{},
			"Sure.\n" + tagged + "\n",
			[]parser.Span{{Start: 6, End: 6 + len(tagged)}},
		},
		{
			"markers, read as hermes",
			hermes.Protocol{},
			"Sure.\n" + marked,
			[]parser.Span{{Start: 6, End: 6 + len(marked)}},
		},
		{"an invoke, read as vcp", vcp.Protocol{}, invoke, []parser.Span{{Start: 0, End: len(invoke)}}},
		{"an invoke, read as hermes", hermes.Protocol{}, invoke, []parser.Span{{Start: 0, End: len(invoke)}}},
		{"tags of another family", vcp.Protocol{}, coder, []parser.Span{{Start: 0, End: len(coder)}}},
		{
			"two requests in tags",
			vcp.Protocol{},
			tagged + tagged,
			[]parser.Span{{Start: 0, End: len(tagged)}, {Start: len(tagged), End: 2 * len(tagged)}},
		},
		{"a truncated request", vcp.Protocol{}, "<tool_call>\n{\"name\": \"a_b", []parser.Span{{Start: 0, End: len("<tool_call>")}}},
		{"JSON and nothing else", vcp.Protocol{}, bare + "\n", []parser.Span{{Start: 0, End: len(bare) + 1}}},
		{
			"JSON in a fence",
			vcp.Protocol{},
			"```json\n" + bare + "\n```",
			[]parser.Span{{Start: 0, End: len("```json\n") + len(bare) + len("\n```")}},
		},
		{"a mention", vcp.Protocol{}, "The tag <tool_call> opens a call.", nil},
		{"code", vcp.Protocol{}, "```\n" + tagged + "\n```\nSo it is.", nil},
		{"a code span", vcp.Protocol{}, "Write `<tool_call>{` to begin.", nil},
		{"reasoning", vcp.Protocol{}, "<think>\n" + tagged + "\n</think>\nDone.", nil},
		{"beside a request", vcp.Protocol{}, tagged + "\n" + marked, nil},
		{"JSON in a sentence", vcp.Protocol{}, "I would send " + bare + " to it.", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for how, reply := range bothWays(t, tt.proto, tt.text, protocol.FinishStop) {
				var got []parser.Span
				for _, n := range reply.Notices {
					if n.Code == parser.NoticeForeignRequest {
						got = append(got, n.Span)
					}
				}
				if !slices.Equal(got, tt.want) {
					t.Errorf("%s: notices %+v, want foreign_request at %v", how, reply.Notices, tt.want)
				}
				if tt.want != nil && len(reply.Ready()) > 0 {
					t.Errorf("%s: a request is ready to run", how)
				}
			}
		})
	}
}

// The stream forgets the beginning of a long reply and keeps it in pieces, which may end inside a
// character.
func TestACallAfterMuchWideWhiteSpaceIsReportedInAnyPieces(t *testing.T) {
	input := strings.Repeat("\u3000", 6000) + `{"name": "a_b", "arguments": {}}`
	o := parser.Options{Finish: protocol.FinishStop}
	if notices := parse(t, vcp.Protocol{}, input, o).Notices; len(notices) != 1 {
		t.Errorf("notices %+v, want one", notices)
	}
	checkChunks(t, vcp.Protocol{}, input, o, cutsEvery(100, input), cutsEvery(1000, input), cutsEvery(4500, input))
}
