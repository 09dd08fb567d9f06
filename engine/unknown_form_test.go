package engine_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// TestARequestInAnUnknownFormGetsFeedback checks which replies get feedback because they look like
// a request.
func TestARequestInAnUnknownFormGetsFeedback(t *testing.T) {
	parameters := `{"type":"object","required":["city"],"properties":` +
		`{"city":{"type":"string"},"days":{"type":"integer"}}}`
	get, err := tool.Raw("get", "Tells the weather.", json.RawMessage(parameters), nop, tool.AgentCallable())
	require.NoError(t, err)
	for _, tt := range []struct {
		name, reply  string
		wantFeedback bool
	}{
		{
			"an object of another API",
			`{"tool_calls": [{"function": {"name": "t_get", "arguments": "{\"city\": \"Rome\"}"}}]}`, true,
		},
		{"tags of another family", "<t_get>\n<city>Rome</city>\n</t_get>", true},
		{"wide brackets", "＜function=t_get＞＜parameter=city＞Rome＜/parameter＞＜/function＞", true},
		{"after an announcement", "Let me look that up.\n<t_get>\n<city>Rome</city>\n</t_get>", true},
		{"a command in a fence", "```bash\nt_get --city Rome\n```", true},
		{"the name first", `t_get: {"city": "Rome"}`, true},
		{"an action in words", "Thought: I need the weather.\nAction: t_get\nAction Input: Rome", true},
		{"an action in Chinese", "调用工具：t_get，参数：城市是罗马", true},
		{"the name of the tool without marks", "I need the weather.\n\ntool_name: t_get\ncity: Rome", true},
		{"the name of the function in bold", "**Function name:** `t_get`\n**City:** Rome", true},
		{"the name of the tool in Chinese", "工具名称：t_get\n城市：罗马", true},
		{"marks in Chinese", "好的。\n<<<[工具请求]>>>\n工具名:「始」t_get「末」,\n城市:「始」罗马「末」\n<<<[结束]>>>", true},
		{"brackets in Chinese", "【工具调用】t_get【参数】city=Rome", true},
		{"a call without names of arguments", `t_get("Rome")`, true},
		{"a call without names of arguments in a fence", "```python\nprint(api.t_get('Rome', 3))\n```", true},
		{"the signature of a method", "t_get(city, days)", false},
		{"a sentence that begins with a call", `t_get("Rome") returns the weather of Rome (Italy).`, false},
		{"prose about the name of the tool", "The tool name is t_get. It takes a city: Rome, for example.", false},
		{"prose that names the method", "You can call t_get with a city, such as city: Rome.", false},
		{"prose and code", "Write this:\n```js\nt_get({city: 'Rome'})\n```", false},
		{"without a required argument", "```bash\nt_get --days 3\n```", false},
		{"two methods", "```bash\nt_get --city Rome\nt_echo --text hi\n```", false},
		{"a longer name", "```bash\nt_get_all --city Rome\n```", false},
		{"an unknown method", "```bash\nt_none --city Rome\n```", false},
		{"a JSON answer", `{"city": "Rome", "temperature": 14}`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &script{replies: []reply{says(tt.reply), says("Done.")}}
			o := run(t, session(t, registry(t, get), m), question)
			require.Equal(t, engine.StopDone, o.stop)
			feedback := o.iterations[0].ResultMessage
			require.Equal(t, tt.wantFeedback, feedback != nil)
			if tt.wantFeedback {
				require.Empty(t, feedback.Examples, "values that are not read are not shown")
			}
		})
	}
}

// TestJSONAfterForeignMarksIsShownInTheCorrectForm checks that a model sees the request that it
// wrote in the form of another family of models.
func TestJSONAfterForeignMarksIsShownInTheCorrectForm(t *testing.T) {
	parameters := `{"type":"object","required":["city"],"properties":{"city":{"type":"string"}}}`
	get, err := tool.Raw("get", "Tells the weather.", json.RawMessage(parameters), nop, tool.AgentCallable())
	require.NoError(t, err)
	for name, text := range map[string]string{
		"a word":        `functools[{"name": "t_get", "arguments": {"city": "Rome"}}]`,
		"a special tag": `<|python_tag|>{"name": "t_get", "parameters": {"city": "Rome"}}`,
		"brackets":      `[TOOL_CALLS] [{"name": "t_get", "arguments": {"city": "Rome"}}]`,
	} {
		t.Run(name, func(t *testing.T) {
			m := &script{replies: []reply{says(text), says("Done.")}}
			o := run(t, session(t, registry(t, get), m), question)
			require.Equal(t, engine.StopDone, o.stop)
			require.NotNil(t, o.iterations[0].ResultMessage)
			want := []protocol.ToolRequest{{
				ToolName: "t_get", Arguments: []protocol.Argument{{Name: "city", Value: "Rome"}},
			}}
			require.Equal(t, want, o.iterations[0].ResultMessage.Examples)
			require.Contains(t, lastMessage(m.asked[1].Messages), "city:「始」Rome「末」")
		})
	}
}
