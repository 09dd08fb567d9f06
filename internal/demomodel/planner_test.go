package demomodel_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// echo is a handler whose result is "done with" its arguments.
func echo(_ context.Context, call *tool.Call) (tool.Output, error) {
	return tool.Output{Text: "done with " + string(call.Arguments)}, nil
}

func raw(t *testing.T, name, description, parameters string) tool.Method {
	t.Helper()
	m, err := tool.Raw(name, description, json.RawMessage(parameters), echo, tool.AgentCallable())
	require.NoError(t, err)
	return m
}

// unknownTools returns tools that the planner was not written for, as TestSourceNamesNoUnknownTool
// checks.
func unknownTools(t *testing.T) []tool.Tool {
	return []tool.Tool{
		{ID: "greenhouse", Methods: []tool.Method{
			raw(t, "irrigate", "Irrigates one flower bed of the greenhouse.", `{"type":"object","required":["bed","litres"],"properties":{
				"bed":{"type":"string","enum":["tulips","roses","wild orchids"],"description":"the bed"},
				"litres":{"type":"number","description":"litres of rainwater"},
				"gently":{"type":"boolean","description":"with a fine spray, for seedlings"}}}`),
			raw(t, "humidity", "Measures how humid the air of the greenhouse is.", `{"type":"object","properties":{}}`),
		}},
		{ID: "zeppelin", Methods: []tool.Method{
			raw(t, "book", "Reserves berths on a zeppelin.", `{"type":"object","required":["origin","destination"],"properties":{
				"origin":{"type":"string","description":"the city of departure"},
				"destination":{"type":"string","description":"the city of arrival"},
				"berths":{"type":"integer","minimum":1,"description":"how many berths"},
				"departure":{"type":"string","description":"the day, such as 2031-05-17"}}}`),
		}},
		{ID: "quill", Methods: []tool.Method{
			raw(t, "engrave", "Engraves a motto on a brass plaque.", `{"type":"object","required":["motto"],"properties":{
				"motto":{"type":"string","description":"the motto"},
				"ornaments":{"type":"array","items":{"type":"string"},"description":"ornaments to add"}}}`),
			raw(t, "weigh", "Weighs a manuscript in grams.", `{"type":"object","required":["manuscript"],"properties":{
				"manuscript":{"type":"string","description":"the manuscript, such as drafts/sonnet.tex"}}}`),
		}},
		{ID: "abacus", Methods: []tool.Method{
			raw(t, "reckon", "Reckons with beads.", `{"type":"object","required":["beads"],"properties":{
				"beads":{"type":"string","description":"what to reckon, such as (7+4)*12"}}}`),
		}},
	}
}

func TestUnknownToolsAreCalledByTheirDefinitions(t *testing.T) {
	tests := []struct {
		name, question string
		want           []string
	}{
		{
			"an option and a number with its unit", "Please irrigate the roses with 12.5 litres",
			[]string{"greenhouse_irrigate bed=roses litres=12.5"},
		},
		{
			"an option of two words, a number written out, a switch", "Irrigate the wild orchids gently with three litres of water",
			[]string{"greenhouse_irrigate bed=wild orchids litres=3 gently=true"},
		},
		{
			"a negated switch", "irrigate the tulips with 4 litres, not gently",
			[]string{"greenhouse_irrigate bed=tulips litres=4 gently=false"},
		},
		{"no arguments at all", "How humid is it in the greenhouse?", []string{"greenhouse_humidity"}},
		{
			"from and to", "Reserve 2 berths on the zeppelin from Lisbon to New Haven",
			[]string{"zeppelin_book origin=Lisbon destination=New Haven berths=2"},
		},
		{
			"a date", "Reserve a zeppelin from Oslo to Turin on 2031-06-02",
			[]string{"zeppelin_book origin=Oslo destination=Turin departure=2031-06-02"},
		},
		{"a quoted text", `Engrave "Per aspera ad astra" on a plaque`, []string{"quill_engrave motto=Per aspera ad astra"}},
		{
			"a list", "Engrave the motto Excelsior with the ornaments `laurel` and `anchor`",
			[]string{`quill_engrave motto=Excelsior ornaments=["laurel","anchor"]`},
		},
		{
			"a path, known by the sample alone", "How heavy is plays/hamlet.tex when you weigh it?",
			[]string{"quill_weigh manuscript=plays/hamlet.tex"},
		},
		{"arithmetic, known by the sample alone", "What is 6*7?", []string{"abacus_reckon beads=6*7"}},
		{
			"several parts in one turn", "What is (1+2)^3, and how humid is the greenhouse? Then engrave 'Sapere aude'.",
			[]string{"abacus_reckon beads=(1+2)^3", "greenhouse_humidity", "quill_engrave motto=Sapere aude"},
		},
		{
			"the same again with another value", "weigh a.tex, b.tex and poems/c.tex",
			[]string{"quill_weigh manuscript=a.tex", "quill_weigh manuscript=b.tex", "quill_weigh manuscript=poems/c.tex"},
		},
		{"nothing that fits", "Who painted the ceiling of the chapel?", nil},
		{"a greeting", "Hello!", nil},
	}
	w := newWorld(t, "en", unknownTools(t)...)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answer, calls := w.ask(t, tt.question)
			require.Equal(t, tt.want, calls, answer)
			if tt.want == nil {
				require.Contains(t, answer, "small rule-based planner")
				require.Contains(t, answer, "`greenhouse_humidity`: Measures how humid")
				require.Contains(t, answer, "--base-url")
				require.Contains(t, answer, "--model")
			} else {
				require.Contains(t, answer, "done with {")
			}
		})
	}
}

// If the planner's source contained the names of unknownTools, the tests with these tools would not
// prove that the planner reads definitions.
func TestSourceNamesNoUnknownTool(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	var source strings.Builder
	for _, name := range files {
		if !strings.HasSuffix(name, "_test.go") {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			source.Write(text)
		}
	}
	lower := strings.ToLower(source.String())
	registry := tool.NewRegistry()
	require.NoError(t, registry.Register(unknownTools(t)...))
	for _, e := range registry.Entries() {
		for _, part := range strings.Split(e.FullName, "_") {
			require.NotRegexp(t, `\b`+part+`\b`, lower)
		}
		for _, p := range e.Definition("en").Parameters {
			// The planner reads parameters of these names as "from" and "to".
			if p.Name != "origin" && p.Name != "destination" && p.Name != "departure" {
				require.NotRegexp(t, `\b`+p.Name+`\b`, lower)
			}
		}
	}
}

func TestChineseQuestionsAreUnderstood(t *testing.T) {
	tools := []tool.Tool{
		{ID: "tianqi", Methods: []tool.Method{raw(t, "chaxun", "查询一个城市的天气。", `{"type":"object","required":["城市"],"properties":{
			"城市":{"type":"string","description":"城市名称"},"天数":{"type":"integer","description":"预报几天"}}}`)}},
		{ID: "suanpan", Methods: []tool.Method{raw(t, "suan", "计算算式的值。", `{"type":"object","required":["shi"],"properties":{
			"shi":{"type":"string","description":"算式"}}}`)}},
		{ID: "shizhong", Methods: []tool.Method{raw(t, "kan", "告诉现在的时间。", `{"type":"object","properties":{
			"qu":{"type":"string","description":"时区，例如 Asia/Shanghai"}}}`)}},
	}
	tests := []struct {
		name, question string
		want           []string
	}{
		{"the remaining words are a place", "北京的天气怎么样？", []string{"tianqi_chaxun 城市=北京"}},
		{"a quoted value", "查询「成都」的天气", []string{"tianqi_chaxun 城市=成都"}},
		{"operators in words", "12 乘以 7 等于多少？", []string{"suanpan_suan shi=12*7"}},
		{"two parts", "现在的时间是几点？另外 3+4 是多少？", []string{"shizhong_kan", "suanpan_suan shi=3+4"}},
		{"a question for the time without a word for time", "现在几点了？", []string{"shizhong_kan"}},
		{"a city instead of its time zone", "东京现在的时间", []string{"shizhong_kan qu=Asia/Tokyo"}},
		{"nothing that fits", "谁写了红楼梦？", nil},
	}
	w := newWorld(t, "zh", tools...)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answer, calls := w.ask(t, tt.question)
			require.Equal(t, tt.want, calls, answer)
			if tt.want == nil {
				require.Contains(t, answer, "基于规则的规划器")
				require.Contains(t, answer, "--base-url")
			} else {
				require.Contains(t, answer, "的结果")
			}
		})
	}
}

// A first program often has one tool with a short description.
func TestAToolWithAShortDescriptionIsCalled(t *testing.T) {
	w := newWorld(t, "en", tool.Tool{ID: "shop", Methods: []tool.Method{raw(t, "price", "Returns the price of an item.",
		`{"type":"object","required":["item"],"properties":{"item":{"type":"string"}}}`)}})
	for question, want := range map[string][]string{
		"What is the price of the item apple?": {"shop_price item=apple"},
		"What does the item apple cost?":       {"shop_price item=apple"},
		"What does tea cost?":                  {"shop_price item=tea"},
		"Who painted the chapel?":              nil,
	} {
		t.Run(question, func(t *testing.T) {
			w.forget()
			require.Equal(t, want, w.asksFor(t, question))
		})
	}
}

func TestWithoutToolsNothingIsCalled(t *testing.T) {
	const other = `<tools>
{"type": "function", "function": {"name": "calculator_evaluate", "description": "Calculates.", "parameters": {"type": "object"}}}
</tools>`
	p := newPlanner(t)
	user := func(text string) protocol.Message { return protocol.Message{Role: protocol.RoleUser, Content: text} }
	results := vcp.Protocol{}.FormatToolResults([]protocol.ToolResult{{
		ResultID: "1", ToolName: "a_b",
		Status: protocol.StatusSuccess, Result: "42 sheep",
	}})
	nameless := vcp.Protocol{}.GenerateToolDefinitions([]protocol.ToolDefinition{{}}, protocol.PromptOptions{})
	request, err := vcp.Protocol{}.FormatToolRequests([]protocol.ToolRequest{{ToolName: "a_b"}})
	require.NoError(t, err)
	assistant := protocol.Message{Role: protocol.RoleAssistant, Content: request}
	tests := []struct {
		name     string
		messages []protocol.Message
		says     []string
		never    string
	}{
		{
			"the reply says that there are no tools",
			[]protocol.Message{user("What is 2+2?")},
			[]string{"no tools are available", "--base-url"},
			"= 4",
		},
		{
			"the planner does not read definitions in the form of another protocol",
			[]protocol.Message{{Role: protocol.RoleSystem, Content: other}, user("What is 2+2?")},
			[]string{"the form of the protocol vcp", "vcp demo-model --protocol"},
			"= 4",
		},
		{
			"the reply repeats the results so far",
			[]protocol.Message{user("How many sheep?"), assistant, user(results)},
			[]string{"No tools are available any more", "42 sheep"},
			"",
		},
		{
			"a remark after the results is not a question",
			[]protocol.Message{user("How many sheep?"), assistant, user(results + "\n\nThat was the last iteration.")},
			[]string{"42 sheep"},
			"last",
		},
		{"an answered question is not answered again", []protocol.Message{
			user("How many sheep?"), assistant, user(results),
			{Role: protocol.RoleAssistant, Content: "42 sheep."},
			user("And cows?"),
		}, []string{"no tools are available"}, "42"},
		{"no question", nil, []string{"Ask me something"}, ""},
		{
			"a definition without a name",
			[]protocol.Message{{Role: protocol.RoleSystem, Content: nameless}, user("How many sheep?")},
			[]string{"small rule-based planner"},
			"",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := p.Reply(tt.messages)
			require.Empty(t, requestsIn(t, got))
			for _, part := range tt.says {
				require.Contains(t, got, part)
			}
			if tt.never != "" {
				require.NotContains(t, got, tt.never)
			}
			require.Equal(t, got, p.Reply(tt.messages), "the same messages get the same reply")
		})
	}
}
