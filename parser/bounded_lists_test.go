package parser_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// No list in a reply grows with the number of times that a model repeats a text.
func TestListsOfAReplyAreBounded(t *testing.T) {
	many := longtest.Count(4000, 100_000)
	block := "<<<[TOOL_REQUEST]>>>\ntool_name:「始」a_b「末」\n<<<[END_TOOL_REQUEST]>>>\n"
	call := `<tool_call>{'name':"a_b","arguments":{"x":True,}}</tool_call>` + "\n"
	repeat := func(before, text, after string) string { return before + strings.Repeat(text, many) + after }
	for _, tt := range []struct {
		name  string
		proto protocol.Protocol
		text  string
	}{
		{
			"calls in a list",
			hermes.Protocol{},
			repeat("<tool_call>[", `{'name':"a_b","arguments":{"x":True,}},`, `{"name":"a_b"}]</tool_call>`),
		},
		{
			"calls in a list that is never closed",
			hermes.Protocol{},
			repeat("<tool_call>[", `{'name':"a_b","arguments":{"x":True,}},`, ``),
		},
		{
			"calls in one tag",
			hermes.Protocol{},
			repeat("<tool_call>", `{"name":"a_b","arguments":{"x":True,}}`+"\n", `</tool_call>`),
		},
		{
			"calls in a list in a fence",
			hermes.Protocol{},
			repeat("```\n<tool_call>[", `{'name':"a_b","arguments":{"x":True,}},`, `{"name":"a_b"}]</tool_call>`+"\n```\n"),
		},
		{"calls", hermes.Protocol{}, repeat("", call, "")},
		{"calls in code", hermes.Protocol{}, repeat("", "`"+strings.TrimSpace(call)+"`\n", "")},
		{"calls without a tag", hermes.Protocol{}, repeat("", `{"name":"a_b","arguments":{}} `, "")},
		{
			"arguments",
			hermes.Protocol{},
			repeat(`<tool_call>{"name":"a_b","arguments":{`, `"x":True,`, `}}</tool_call>`),
		},
		{
			"arguments in a string",
			hermes.Protocol{},
			repeat(`<tool_call>{"name":"a_b","arguments":"{`, `\"x\":1,\"x\":2,`, `\"x\":3}"}</tool_call>`),
		},
		{"blocks", vcp.Protocol{}, repeat("", block, "")},
		{
			"blocks in quotations",
			vcp.Protocol{},
			repeat("", "> "+strings.ReplaceAll(strings.TrimSpace(block), "\n", "\n> ")+"\n\n", ""),
		},
		{
			"blocks without an end",
			vcp.Protocol{},
			repeat("", strings.ReplaceAll(block, "<<<[END_TOOL_REQUEST]>>>\n", ""), ""),
		},
		{
			"fields",
			vcp.Protocol{},
			repeat("<<<[TOOL_REQUEST]>>>\ntool_name:「始」a_b「末」\n", "x：「始」1「末」\n", "<<<[END_TOOL_REQUEST]>>>"),
		},
		{
			"commands",
			vcp.Protocol{},
			repeat("<<<[TOOL_REQUEST]>>>\ntool_name:「始」a_b「末」\n", "command1：「始」1「末」\n", "<<<[END_TOOL_REQUEST]>>>"),
		},
		{"fields in text", vcp.Protocol{}, repeat("", "tool_name:「始」a_b「末」\n", "")},
		{"ends", vcp.Protocol{}, repeat(block, "<<<[END_TOOL_REQUEST]>>>\n", "")},
		{
			"results",
			vcp.Protocol{},
			repeat("", "<<<[TOOL_RESULT]>>>\ntool_name:「始」a_b「末」\n<<<[END_TOOL_RESULT]>>>\n\n", ""),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, level := range levels {
				reply, err := parser.ParseToolRequests(tt.proto, tt.text, parser.Options{Tolerance: level})
				require.NoError(t, err)
				// The first request over the limit is reported, too.
				require.LessOrEqual(t, len(reply.Requests), scan.MaxBlocks+1, "requests")
				repairs := 0
				for i := range reply.Requests {
					repairs += len(reply.Requests[i].Repairs)
					require.LessOrEqual(t, len(reply.Requests[i].Arguments), scan.MaxFields, "arguments")
				}
				// A Hermes request has at most 1,000 repairs (J17). Other replies have fewer.
				require.LessOrEqual(t, repairs, 1000, "repairs")
				// One for each request, and one with the number of requests that were not read.
				require.LessOrEqual(t, len(reply.Notices), scan.MaxBlocks+2, "notices")
				// A fabricated result and everything after it are one part.
				require.LessOrEqual(t, len(reply.Dropped), 1, "dropped parts")
			}
		})
	}
}
