package parser_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
)

func TestEachOccurrenceOfARepairCounts(t *testing.T) {
	const (
		clean   = "<<<[TOOL_REQUEST]>>>\ntool_name:「始」clock_now「末」\n<<<[END_TOOL_REQUEST]>>>\n"
		damaged = "<<<[tool_request]>>>\ntool_name：「始」clock_now「末」\n<<<[end_tool_request]>>>\n"
		batch   = "<<<[tool_request]>>>\ntool_name:「始」files「末」\ncommand1:「始」list「末」 path1=「始」.「末」\n" +
			"command2:「始」read「末」 path2:「始」a「末」\n<<<[END_TOOL_REQUEST]>>>\n"
	)
	for _, c := range []struct {
		name  string
		input string
		level scan.Tolerance
		want  map[string]int
	}{
		{"clean input has none", clean, scan.Safe, nil},
		{
			"each occurrence counts", damaged + clean + damaged, scan.Safe,
			map[string]int{"marker_case": 4, "separator": 2},
		},
		{"a refused request counts", damaged, scan.Strict, map[string]int{"marker_case": 2, "separator": 1}},
		{
			"a quoted request counts", "```\n" + damaged + "```\n", scan.Safe,
			map[string]int{"marker_case": 2, "separator": 1},
		},
		{"what a batch shares counts once", batch, scan.Safe, map[string]int{"marker_case": 1, "separator": 1}},
		{
			"a repair at the message's end counts", strings.TrimSuffix(clean, "<<<[END_TOOL_REQUEST]>>>\n"),
			scan.Safe,
			map[string]int{"missing_block_end": 1},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			reply := parse(t, vcp.Protocol{}, c.input, parser.Options{Tolerance: c.level, Finish: protocol.FinishStop})
			require.Equal(t, c.want, reply.RepairCounts())
		})
	}
	reply := parse(t, vcp.Protocol{}, damaged, parser.Options{})
	require.Contains(t, string(reply.AppendJSON(nil)), `,"repairCounts":{"marker_case":2,"separator":1}}`, "the names are sorted")
}

func TestATextHasAPieceForEachStretchBetweenRequests(t *testing.T) {
	const call = "<<<[TOOL_REQUEST]>>>\ntool_name:「始」clock_now「末」\n<<<[END_TOOL_REQUEST]>>>"
	for _, c := range []struct {
		name, input string
		want        parser.Text
	}{
		{"nothing", "", nil},
		{"a request alone", call, nil},
		{"no request", "Hello.\nBye.", parser.Text{"Hello.\nBye."}},
		{"text before and after a request", "Hello.\n" + call + "\nBye.", parser.Text{"Hello.\n", "\nBye."}},
		{
			"a quoted request does not split the text", "Hello.\n> " + call + "\n\nBye.",
			parser.Text{"Hello.\n> " + call + "\n\nBye."},
		},
		{
			"reasoning splits the text", "<think>Hm.</think>Hello.\n<think>Oh.</think>\nBye.",
			parser.Text{"Hello.\n", "\nBye."},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			reply := parse(t, vcp.Protocol{}, c.input, parser.Options{Finish: protocol.FinishStop})
			require.Equal(t, c.want, reply.Text)
			require.Equal(t, strings.Join(c.want, ""), reply.Text.String())
			text, err := json.Marshal(map[string]any{"text": reply.Text})
			require.NoError(t, err)
			want, err := json.Marshal(map[string]any{"text": strings.Join(c.want, "")})
			require.NoError(t, err)
			require.Equal(t, string(want), string(text))
		})
	}
}
