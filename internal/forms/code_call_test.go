package forms_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vcpgo/vcp/internal/forms"
	"github.com/vcpgo/vcp/protocol"
)

func weather(arguments ...protocol.Argument) []protocol.ToolRequest {
	return []protocol.ToolRequest{{ToolName: "weather_get", Arguments: arguments}}
}

var (
	rome = protocol.Argument{Name: "city", Value: "Rome"}
	days = protocol.Argument{Name: "days", Value: "3", Form: protocol.FormJSON}
)

func city(value string) protocol.Argument { return protocol.Argument{Name: "city", Value: value} }

func TestCodeCallsReadsNamedArgumentsOnly(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []protocol.ToolRequest
	}{
		{"a call on a line", "Let me look.\nweather_get(city=\"Rome\", days=3)\n", weather(rome, days)},
		{"in a fence", "```python\nweather_get(city='Rome')\n```", weather(rome)},
		{"in print", `print(weather_get(city="Rome"))`, weather(rome)},
		{"in a list", `[weather_get(city="Rome", days=3)]`, weather(rome, days)},
		{"a constant of Python", "weather_get(city=None)", weather(protocol.Argument{Name: "city", Value: "null", Form: protocol.FormJSON})},
		{"null", "weather_get(city=null)", weather(protocol.Argument{Name: "city", Value: "null", Form: protocol.FormJSON})},
		{
			"null in an input", "Action: weather_get\nAction Input: {\"city\": null}",
			weather(protocol.Argument{Name: "city", Value: "null", Form: protocol.FormJSON}),
		},
		{"a value with a comma and a bracket", `weather_get(city="Rome, (Italy)")`, weather(city("Rome, (Italy)"))},
		{"without arguments", "weather_get()", weather()},
		{"an action and its input", "Thought: I look.\nAction: weather_get\nAction Input: {\"city\": \"Rome\"}\n", weather(rome)},
		{"an action in Chinese", "行动：weather_get\n输入：{\"city\": \"Rome\"}", weather(rome)},
		{"with ideographic spaces", "weather_get(city=\"Rome\",　days=3　)", weather(rome, days)},
		{"in a sentence", `Call weather_get(city="Rome") to see it.`, nil},
		{"a value without a name", `weather_get("Rome")`, nil},
		{"a variable", "weather_get(city=place)", nil},
		{"an escape in single quotes", `weather_get(city='R\'me')`, nil},
		{"an input that names a tool", "Action: weather_get\nAction Input: {\"name\": \"Rome\"}", nil},
		{"an action without an input line", "Action: weather_get\nThen I wait.", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []protocol.ToolRequest
			for _, req := range forms.CodeCalls(tt.text) {
				got = append(got, req)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestLooseReadsChinesePunctuation(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []protocol.ToolRequest
	}{
		{"JSON", `{“name”：“weather_get”，“arguments”：{“city”：“Rome”，“days”：3}}`, weather(rome, days)},
		{"a quotation mark in a value", `{"name": "weather_get", "arguments": {"city": "“Rome”：a"}}`, weather(city("“Rome”：a"))},
		{"an ASCII quotation mark in a Chinese string", `{“name”：“weather_get”，“city”：“R"me”}`, weather(city(`R"me`))},
		{"lines", "tool_name：“weather_get”，\ncity：“Rome”", weather(rome)},
		{"lines with corner brackets", "tool_name:「weather_get」,\ncity:「Rome」", weather(rome)},
		{"end marks without 末", "tool_name:「始」weather_get」,\ncity:「始」Rome」", weather(rome)},
		{"end marks that are not closed", "tool_name:「始」weather_get「末,\ncity:「始」Rome「末", weather(rome)},
		{"translated marks", "tool_name:[start]weather_get[end]\ncity:[START]Rome[END]", weather(rome)},
		{"a bracket that is not closed", "tool_name:「weather_get」,\ncity:「Rome", nil},
		{"a value that is only a start marker", "tool_name:「weather_get」,\ncity:「始」", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, forms.Loose(tt.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestLooseReadsAnAction(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []protocol.ToolRequest
	}{
		{"an action with its input", `{"action": "weather_get", "action_input": {"city": "Rome"}}`, weather(rome)},
		{
			"an argument that is named action", `{"name": "weather_get", "arguments": {"action": "now"}}`,
			weather(protocol.Argument{Name: "action", Value: "now"}),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, forms.Loose(tt.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestLooseReadsTheNameInATag(t *testing.T) {
	got := forms.Loose("<tool_call>\n<function=weather_get>\n{\"city\": \"Rome\"}\n</function>\n</tool_call>")
	if diff := cmp.Diff(weather(rome), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
