package parser_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/qwencoder"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// subject is a protocol that the parser is tested with.
type subject struct {
	proto  protocol.Protocol
	corpus string // the directory of its cases
	// pieces are the parts of generated replies.
	pieces []string
	// call is a clean request without a line break at its end.
	call string
	// draw draws a clean message for the damage benchmark, and damages are its damages.
	draw    func(t testing.TB, rnd *rand.Rand) *message
	damages []damage
	// content extracts the content from a formatted result of the tool a_b, as written.
	content func(result string) string
}

var subjects = []subject{
	{
		proto: vcp.Protocol{}, corpus: vcpCorpus, pieces: vcpPieces,
		call: "<<<[TOOL_REQUEST]>>>\ntool_name:「始」a_b「末」,\ncity:「始」北京「末」\n<<<[END_TOOL_REQUEST]>>>",
		draw: drawVCP, damages: vcpDamages, content: vcpContent,
	},
	{
		proto: hermes.Protocol{}, corpus: "../testdata/hermes", pieces: hermesPieces,
		call: "<tool_call>\n{\"name\": \"a_b\", \"arguments\": {\"city\": \"北京\"}}\n</tool_call>",
		draw: drawHermes, damages: hermesDamages, content: hermesContent,
	},
	{
		proto: qwencoder.Protocol{}, corpus: "../testdata/qwencoder", pieces: qwencoderPieces,
		call: "<tool_call>\n<function=a_b>\n<parameter=city>\n北京\n</parameter>\n</function>\n</tool_call>",
		draw: drawQwencoder, damages: qwencoderDamages, content: qwencoderContent,
	},
}

func vcpContent(result string) string {
	_, value, _ := strings.Cut(result, "\nresult:「始")
	return value[strings.Index(value, "」")+len("」") : strings.LastIndex(value, "「末")]
}

func hermesContent(results string) string {
	const opener = `"content": "` // no content contains this, because its quotation marks are escaped
	return results[strings.LastIndex(results, opener)+len(opener) : strings.LastIndex(results, "\"}\n")]
}

var hermesPieces = []string{
	"<tool_call>", "</tool_call>", "<tool_call>\n", "\n</tool_call>", "<tool_response>", "</tool_response>",
	"<tools>", "</tools>", "<TOOL_CALL>", "</toolcall >", "< tool call>", "<tool_", "<", ">",
	`{"name": "a_b", "arguments": {`, `{"name":"a_b","arguments":{}}`, `{"arguments":{"x":1},"name":"c_d"}`,
	`"x": "y"`, `"k":`, `"name"`, `"name": "x"`, `"arguments": "{\"x\": 1}"`, `"parameters":{`, `"id":"7"`, "{",
	"}", "}}", "[", "]", ",", ":", `"`, `'`, `\`, `\"`, `\n`, `\u00e9`, `\ud83d\ude00`, `\u12`, "'it'", "true",
	"None", "nul", "-1.5e+3", "007", "12", "x", " ", "\n", "\r\n", "\r", "\t", "```", "```json\n", "\n```\n",
	"`", "> ", "<think>", "</think>", "日本", "😀", "\xff", "\x00",
	"<tool_call>{\"name\":\"a_b\",\"arguments\":{\"x\":\"", "\"}}</tool_call>", "[1, [2, {\"a\": null}]]",
	"<tool_call>\n{\"name\": \"a_b\", \"arguments\": {}}\n</tool_call>\n",
	"<tool_call>a_b\n<arg_key>x</arg_key>", "<tool_call><function=a_b>", "<tool_call>a_b(x='", "a_b {",
	"name: a_b\n", "`{", "```json {", "<arg_value>", "{'x': 'y'}",
}
