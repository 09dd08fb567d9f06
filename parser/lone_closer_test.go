package parser_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/internal/longtest"
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

// The beginning of a long line between two fields is read before the line ends. The place of a tag
// on the line, and the pieces of a stream, make no difference.
func TestALoneCloserInABlockCountsAnywhereOnItsLine(t *testing.T) {
	const (
		vcpStart    = "<<<[TOOL_REQUEST]>>>\ntool_name:「始」a_b「末」\n"
		vcpEnd      = "path:「始」a「末」\n<<<[END_TOOL_REQUEST]>>>\n"
		hermesStart = "<tool_call>{\"name\": \"a_b\", \"arguments\": {\"x\": 1} x\n"
		hermesEnd   = "}</tool_call>\n"
	)
	blanks := strings.Repeat(" ", 63)
	for _, c := range []struct {
		name, first, repeated, last string
		counts                      func(n int) bool // whether the tag counts after n bytes of its line
	}{
		{"last on its line", "", "x", "x</think>\n", func(int) bool { return true }},
		{"before blanks", "", "x y ", "x</think>" + blanks + "\n", func(int) bool { return true }},
		{"before words", "", "x", "x</think> words\n", func(int) bool { return false }},
		{"after wide blanks", "", "\u3000", "</think> words\n", func(int) bool { return true }},
		{"after blanks", "", " ", "</think> words\n", func(n int) bool { return n < 96 }}, // C10
		{"after lines of blanks", "", "\n ", "</think> words\n", func(int) bool { return true }},
		{"in a blockquote", "> ", "x", "x</think>\n", func(int) bool { return false }},
	} {
		for _, p := range []struct {
			proto      protocol.Protocol
			start, end string
			otherwise  parser.Status // if the tag does not count
		}{
			{vcp.Protocol{}, vcpStart, vcpEnd, parser.StatusReady},
			{hermes.Protocol{}, hermesStart, hermesEnd, parser.StatusInvalid},
		} {
			t.Run(p.proto.ID()+"/"+c.name, func(t *testing.T) {
				for _, size := range longtest.Offsets(100, 850, 94, 95, 96, 97, 375, 376, 380, 383, 384) {
					line := c.first + strings.Repeat(c.repeated, size/len(c.repeated))
					input := p.start + line + c.last + p.end
					o := parser.Options{Finish: protocol.FinishStop}
					want := p.otherwise
					if c.counts(len(line)) {
						want = parser.StatusReasoning
					}
					if got := parse(t, p.proto, input, o).Requests[0].Status; got != want {
						t.Fatalf("after %d bytes of the line the request is %s, want %s", len(line), got, want)
					}
					checkChunks(t, p.proto, input, o, cutsEvery(1, input), cutsEvery(100, input), cutsEvery(331, input))
				}
			})
		}
	}
}

// A line of a blockquote that ends in CRLF is one line, however long it is.
func TestALongLineInABlockquoteEndsOnce(t *testing.T) {
	for _, size := range longtest.Offsets(50, 850, 382, 766) {
		size = max(size, 1) // a blank line ends the blockquote
		input := "> " + startMarker + "\r\n> tool_name:「始」a_b「末」\r\n" + strings.Repeat("x", size) + "\r\n> " + endMarker + "\r\n"
		o := parser.Options{Finish: protocol.FinishStop}
		if got := parse(t, vcp.Protocol{}, input, o).Requests[0].Span.End; got != len(input)-len("\r\n") {
			t.Fatalf("after a line of %d bytes the request ends at %d of %d", size, got, len(input))
		}
		checkChunks(t, vcp.Protocol{}, input, o, cutsEvery(1, input), cutsEvery(100, input), cutsEvery(331, input))
	}
}

// A part of a long line is never empty, also if only a broken character comes before backticks.
func TestBackticksAfterABrokenCharacterBetweenFieldsAreRead(t *testing.T) {
	for _, start := range []string{"", "> ", "<think>\n", "`"} {
		input := start + startMarker + "tool_name:「始」a_b「末」<\xe3" + strings.Repeat("`", 800) + "\n" + endMarker
		checkChunks(t, vcp.Protocol{}, input, parser.Options{Finish: protocol.FinishStop}, cutsEvery(1, input))
	}
}

// A section that began before a block may end anywhere on a long line of the block (C12).
func TestASectionEndsAnywhereOnALongLineOfABlock(t *testing.T) {
	for _, size := range longtest.Offsets(50, 850, 376, 384, 760, 768) {
		input := "<think>\n" + startMarker + "\ntool_name:「始」a_b「末」\n" + strings.Repeat("x", size) + "</think>\n" +
			"path:「始」a「末」\n" + endMarker + "\n" + requestOf("c_d")
		o := parser.Options{Finish: protocol.FinishStop}
		checkStatuses(t, vcp.Protocol{}, input, "reasoning ready", o)
	}
}
