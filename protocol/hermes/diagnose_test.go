package hermes_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/scan"
)

func TestDiagnoseSaysWhereTheJSONIsWrong(t *testing.T) {
	for _, tt := range []struct{ name, call, en, zh string }{
		{
			"a missing comma", "{\"name\": \"a\"\n \"arguments\": {}}",
			`The JSON is wrong at line 2, character 2 (after {"name": "a").`, `JSON 在第 2 行第 2 个字符处有误（其前为 {"name": "a"）。`,
		},
		{
			"missing brackets", `{"name": "a", "arguments": {"list": [1, 2`, "At its end the JSON lacks ]}}.",
			"JSON 的结尾缺少 ]}}。",
		},
		{
			"a bracket in a string does not count", `{"name": "a", "arguments": {"x": "[\"{"`,
			"At its end the JSON lacks }}.", "JSON 的结尾缺少 }}。",
		},
		{
			"a wrong bracket at the end", `{"name": "a", "arguments": {"list": [1, 2}`,
			`The JSON is wrong at line 1, character 42 (after "a", "arguments": {"list": [1, 2).`,
			`JSON 在第 1 行第 42 个字符处有误（其前为 "a", "arguments": {"list": [1, 2）。`,
		},
		{
			"the shown text contains no tag", `{"name": "a<tool_call>b" 1}`,
			`The JSON is wrong at line 1, character 26 (after b").`, `JSON 在第 1 行第 26 个字符处有误（其前为 b"）。`,
		},
		{
			"curly quotation marks", `{“name”: “a”}`,
			"“ is not a character of JSON; write \" : and , everywhere in the JSON instead of “ ” ： and ，.",
			"“ 不是 JSON 的标点；JSON 中请一律用英文标点（\" : ,），不要用中文标点（“ ” ： ，）。",
		},
		{
			"a wide comma", `{"name": "a"， "arguments": {}}`,
			"， is not a character of JSON; write \" : and , everywhere in the JSON instead of “ ” ： and ，.",
			"， 不是 JSON 的标点；JSON 中请一律用英文标点（\" : ,），不要用中文标点（“ ” ： ，）。",
		},
		{"valid JSON", `{"name": "a"}`, "", ""},
		{"a call that is not JSON", `name: a`, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, end := range []string{"", "\n</tool_call>"} {
				text := "<tool_call>\n" + tt.call + end
				diagnose := func(language string) string {
					return hermes.Protocol{}.Diagnose(scan.CodeAmbiguousValue, text, protocol.PromptOptions{Language: language})
				}
				require.Equal(t, tt.en, diagnose("en"))
				require.Equal(t, tt.zh, diagnose("zh"))
			}
		})
	}
	require.Empty(t, hermes.Protocol{}.Diagnose(scan.CodeBadKey, "<tool_call>{", protocol.PromptOptions{}), "a bad key is not an error of the JSON")
	long := hermes.Protocol{}.Diagnose(scan.CodeAmbiguousValue, `{"a": "`+strings.Repeat("字", 500)+`" 1}`, protocol.PromptOptions{})
	require.Less(t, len(long), 200)
}
