package vcp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
)

func TestDiagnose(t *testing.T) {
	for _, tt := range []struct{ name, body, en, zh string }{
		{"the first of two values", "tool_name:「始」a,\ntext:「始」b「末」", "The value of tool_name has no end mark.", "tool_name 的值没有结束标记。"},
		{"the last value", "tool_name:「始」a「末」,\n内容:「始」b", "The value of 内容 has no end mark.", "内容 的值没有结束标记。"},
		{"all are closed", "tool_name:「始」a「末」,\ntext:「始」b「末」", "", ""},
		{"a value that may contain marks", "tool_name:「始」a「末」,\ntext:「始ESCAPE」b:「始」c「末ESCAPE」", "", ""},
		{"no value", "tool_name: a", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := "<<<[TOOL_REQUEST]>>>\n" + tt.body + "\n<<<[END_TOOL_REQUEST]>>>"
			require.Equal(t, tt.en, vcp.Protocol{}.Diagnose(scan.CodeAmbiguousValue, text, protocol.PromptOptions{}))
			require.Equal(t, tt.zh, vcp.Protocol{}.Diagnose(scan.CodeUnclosedValue, text, protocol.PromptOptions{Language: "zh"}))
			require.Empty(t, vcp.Protocol{}.Diagnose(scan.CodeDuplicateKey, text, protocol.PromptOptions{}))
		})
	}
}
