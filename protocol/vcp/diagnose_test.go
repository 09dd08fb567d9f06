package vcp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
)

func TestDiagnoseNamesTheValueWithoutAnEnd(t *testing.T) {
	for _, tt := range []struct{ name, body, en, zh string }{
		{"the first of two values", "tool_name:「始」a,\ntext:「始」b「末」", "The value of tool_name has no end mark.", "参数 tool_name 的值没有结束标记。"},
		{"the last value", "tool_name:「始」a「末」,\n内容:「始」b", "The value of 内容 has no end mark.", "参数 内容 的值没有结束标记。"},
		{"all are closed", "tool_name:「始」a「末」,\ntext:「始」b「末」", "", ""},
		{"a value that may contain marks", "tool_name:「始」a「末」,\ntext:「始ESCAPE」b:「始」c「末ESCAPE」", "", ""},
		{"no value", "tool_name: a", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := "<<<[TOOL_REQUEST]>>>\n" + tt.body + "\n<<<[END_TOOL_REQUEST]>>>"
			require.Equal(t, tt.en, vcp.Protocol{}.Diagnose(scan.CodeAmbiguousValue, text, protocol.PromptOptions{}))
			zh := vcp.Protocol{}.Diagnose(scan.CodeUnclosedValue, text, protocol.PromptOptions{Language: "zh"})
			require.Equal(t, tt.zh, zh)
			require.Empty(t, vcp.Protocol{}.Diagnose(scan.CodeDuplicateKey, text, protocol.PromptOptions{}))
		})
	}
}

func TestDiagnoseNamesAnEscapedOpener(t *testing.T) {
	for _, tt := range []struct{ name, body, en, zh string }{
		{
			"the first of two values", "tool_name:「始_ESCAPE」a「末」,\ntext:「始_ESCAPE」b「末」",
			"The value of tool_name begins with the escaped mark 始_ESCAPE: write only 始 in the brackets before it, and 末 in those after it.",
			"参数 tool_name 的值前面是转义后的标记 始_ESCAPE；请在括号里只写 始，值后面的括号里写 末。",
		},
		{"a value that contains an escaped mark", "tool_name:「始」a「末」,\ntext:「始」b:「始_ESCAPE」c「末」「末」", "", ""},
		{"no opener", "tool_name: a「末」", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			en := vcp.Protocol{}.Diagnose(scan.CodeStrayCloser, tt.body, protocol.PromptOptions{})
			require.Equal(t, tt.en, en)
			require.Equal(t, en, vcp.Protocol{}.Neutralize(en), "the sentence contains no mark")
			zh := vcp.Protocol{}.Diagnose(scan.CodeStrayCloser, tt.body, protocol.PromptOptions{Language: "zh"})
			require.Equal(t, tt.zh, zh)
			require.Equal(t, zh, vcp.Protocol{}.Neutralize(zh), "the sentence contains no mark")
		})
	}
}
