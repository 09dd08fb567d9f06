package parser_test

import (
	"math/rand/v2"
	"testing"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// subject is a protocol that the parser is tested with.
type subject struct {
	proto  protocol.Protocol
	corpus string
	// pieces are what generated replies are made of.
	pieces []string
	// draw draws a clean message for the damage benchmark, and damages are what is done to it.
	draw    func(t testing.TB, rnd *rand.Rand) *message
	damages []damage
}

var subjects = []subject{
	{vcp.Protocol{}, corpus, pieces, drawMessage, damages},
	{hermes.Protocol{}, "../testdata/hermes", hermesPieces, drawHermes, hermesDamages},
}

var hermesPieces = []string{
	"<tool_call>", "</tool_call>", "<tool_call>\n", "\n</tool_call>", "<tool_response>", "</tool_response>", "<tools>", "</tools>", "<TOOL_CALL>", "</toolcall >",
	"< tool call>", "<tool_", "<", ">", `{"name": "a_b", "arguments": {`, `{"name":"a_b","arguments":{}}`, `{"arguments":{"x":1},"name":"c_d"}`, `"x": "y"`, `"k":`, `"name"`,
	`"name": "x"`, `"arguments": "{\"x\": 1}"`, `"parameters":{`, `"id":"7"`, "{", "}", "}}", "[", "]", ",", ":", `"`, `'`, `\`, `\"`, `\n`, `\u00e9`, `\ud83d\ude00`, `\u12`,
	"'it'", "true", "None", "nul", "-1.5e+3", "007", "12", "x", " ", "\n", "\r\n", "\r", "\t", "```", "```json\n", "\n```\n", "`", "> ", "<think>", "</think>", "日本", "😀", "\xff", "\x00",
	"<tool_call>{\"name\":\"a_b\",\"arguments\":{\"x\":\"", "\"}}</tool_call>", "[1, [2, {\"a\": null}]]", "<tool_call>\n{\"name\": \"a_b\", \"arguments\": {}}\n</tool_call>\n",
}
