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

// echo is a handler that returns its arguments.
func echo(_ context.Context, call *tool.Call) (tool.Output, error) {
	return tool.Output{Text: "done with " + string(call.Arguments)}, nil
}

func raw(t *testing.T, name, description, parameters string) tool.Method {
	t.Helper()
	m, err := tool.Raw(name, description, json.RawMessage(parameters), echo, tool.AgentCallable())
	require.NoError(t, err)
	return m
}

// strangeTools returns tools that the planner was not written for: its source does not contain
// their words.
func strangeTools(t *testing.T) []tool.Tool {
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
	w := newWorld(t, "en", strangeTools(t)...)
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

// Tests with strangeTools prove that the planner reads definitions only if its source does not
// contain the words of these tools.
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
	require.NoError(t, registry.Register(strangeTools(t)...))
	for _, e := range registry.Entries() {
		for _, part := range strings.Split(e.FullName, "_") {
			require.NotRegexp(t, `\b`+part+`\b`, lower)
		}
		for _, p := range e.Definition("en").Parameters {
			// "From" and "to" are ordinary words, as are the names that replace them.
			if p.Name != "origin" && p.Name != "destination" && p.Name != "departure" {
				require.NotRegexp(t, `\b`+p.Name+`\b`, lower)
			}
		}
	}
}

// The planner's source does not contain the names of the built-in tools, either.
func TestSourceNamesNoBuiltInTool(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	registry := tool.NewRegistry()
	require.NoError(t, registry.Register(builtinTools(t, ".")...))
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, e := range registry.Entries() {
			require.NotContains(t, string(text), e.FullName, name)
			if name != "api.go" { // the API has a word "list" of its own
				require.NotContains(t, string(text), `"`+e.Method.Name+`"`, name)
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
		{"a question for the time without the word", "现在几点了？", []string{"shizhong_kan"}},
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

func TestQuestionsCallTheBuiltInTools(t *testing.T) {
	w := newWorld(t, "en", builtinTools(t, "../..")...)
	entries, err := os.ReadDir("../../protocol")
	require.NoError(t, err)
	var goFiles []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".go") {
			goFiles = append(goFiles, e.Name())
		}
	}
	list := "files_list path=protocol glob=*.go"
	tests := []struct {
		question string
		want     []string
		says     []string
	}{
		{
			"What is 17*23, and which Go files are in protocol/?",
			[]string{"calculator_evaluate expression=17*23", list},
			append([]string{"391"}, goFiles...),
		},
		{"Which Go files are in protocol?", []string{list}, goFiles},
		{"17*23 等于多少，protocol/ 里有哪些 Go 文件？", []string{"calculator_evaluate expression=17*23", list}, append([]string{"391"}, goFiles...)},
		{"What time is it?", []string{"clock_now"}, nil},
		{"What is the time?", []string{"clock_now"}, nil},
		{"Tell me the time in Oslo now.", []string{"clock_now timeZone=Europe/Oslo"}, nil},
		{"What time is it in Tokyo?", []string{"clock_now timeZone=Asia/Tokyo"}, []string{"+09:00"}},
		{
			"What day is it in New York, and what is the square root of 144?",
			[]string{"clock_now timeZone=America/New_York", "calculator_evaluate expression=sqrt(144)"},
			[]string{"12"},
		},
		{"Read go.mod", []string{"files_read path=go.mod"}, []string{"github.com/vcpgo/vcp"}},
		{"Search for ErrShort in protocol/", []string{"files_search query=ErrShort path=protocol"}, []string{"protocol/scan/scanner.go"}},
		{"List the files in tool/schema recursively", []string{"files_list path=tool/schema recursive=true"}, []string{"schema/schema.go"}},
		{"What is 12% of 50?", []string{"calculator_evaluate expression=(50*12/100)"}, []string{"6"}},
		{"Read no/such.txt", []string{"files_read path=no/such.txt"}, []string{"did not work", "no/such.txt"}},
		{"What is 1/0?", []string{"calculator_evaluate expression=1/0"}, []string{"did not work"}},
		{"Show lines 5 to 8 of go.mod", []string{"files_read path=go.mod startLine=5 endLine=8"}, nil},
		{"Show me lines 5-8 of go.mod", []string{"files_read path=go.mod startLine=5 endLine=8"}, nil},
		{"Show the first 10 lines of go.mod", []string{"files_read path=go.mod endLine=10"}, nil},
		{"读取 go.mod 第 5 到 8 行", []string{"files_read path=go.mod startLine=5 endLine=8"}, nil},
		{"读取 go.mod 的前 10 行", []string{"files_read path=go.mod endLine=10"}, nil},
		{"3,5*2", []string{"calculator_evaluate expression=3,5*2"}, []string{"did not work", "3.5 for 3,5"}},
		{"How many days until 24 December?", []string{"clock_between to=24 December"}, []string{"24 December"}},
		{"until December 24", []string{"clock_between to=December 24"}, []string{"24 December"}},
		{"How long since 1 March 2020?", []string{"clock_between from=1 March 2020"}, []string{"1 March 2020"}},
		{"How many days from 2024-01-01 to 2024-03-01?", []string{"clock_between from=2024-01-01 to=2024-03-01"}, []string{"60 days"}},
		{"离12月24日还有多少天", []string{"clock_between to=12月24日"}, []string{"24 December"}},
		{"从 2024 年 1 月 1 日到 2024 年 3 月 1 日有多少天？", []string{"clock_between from=2024年1月1日 to=2024年3月1日"}, []string{"60 days"}},
		{"sum of 3, 4 and 5.5", []string{"calculator_evaluate expression=3+4+5.5"}, []string{"12.5"}},
		{"Add 3 and 5", []string{"calculator_evaluate expression=3+5"}, []string{"8"}},
		{"Multiply 3 by 4.5", []string{"calculator_evaluate expression=3*4.5"}, []string{"13.5"}},
		{"What is the average of 3, 4 and 8?", []string{"calculator_evaluate expression=(3+4+8)/3"}, []string{"5"}},
		{"3、4 和 8 的平均值是多少？", []string{"calculator_evaluate expression=(3+4+8)/3"}, []string{"5"}},
		{"列出文件", []string{"files_list"}, []string{"go.mod"}},
		{"列出 docs 里的文件", []string{"files_list path=docs"}, []string{"architecture.md"}},
		{"List docs", []string{"files_list path=docs"}, []string{"architecture.md"}},
		{"17*23 等于几？另外列出 docs", []string{"calculator_evaluate expression=17*23", "files_list path=docs"}, []string{"architecture.md"}},
		{"在 docs 里搜索 ExpandEnv", []string{"files_search query=ExpandEnv path=docs"}, nil},
		{"在 docs 里搜索", nil, []string{"`files_search`", "`query`"}},
		{"Show the last 20 lines of go.mod", []string{"files_read path=go.mod"}, nil},
		{"What is 5-8?", []string{"calculator_evaluate expression=5-8"}, []string{"-3"}},
		{"Write hello to x.txt", nil, []string{"rule-based planner"}},
		{"Please save the text hello in notes.txt", nil, []string{"rule-based planner"}},
		{"Can you delete go.mod?", nil, []string{"rule-based planner"}},
		{"Rename go.mod to go.old", nil, []string{"rule-based planner"}},
		{"删除 go.mod", nil, []string{"基于规则的规划器"}},
		{"把 hello 写入 go.mod", nil, []string{"基于规则的规划器"}},
		{"Calculate something", nil, []string{"`calculator_evaluate`", "`expression`"}},
		{"Tell me a joke about cats", nil, []string{"rule-based planner", "`clock_now`"}},
	}
	for _, tt := range tests {
		t.Run(tt.question, func(t *testing.T) {
			w.forget()
			answer, calls := w.ask(t, tt.question)
			require.Equal(t, tt.want, calls, answer)
			for _, part := range tt.says {
				require.Contains(t, answer, part)
			}
		})
	}
}

// The reply names the numbers and questions that no request contains, so that nobody believes that
// they were answered.
func TestWhatNoRequestContainsIsNamed(t *testing.T) {
	w := newWorld(t, "en", builtinTools(t, "../..")...)
	for question, want := range map[string]string{
		"Show the last 20 lines of go.mod":        "I can do nothing with `20`.",
		"读取 go.mod 的最后 20 行":                      "`20` 我没有办法处理。",
		"Who wrote Hamlet, and what is 17*23?":    "I can do nothing with `Who wrote Hamlet`.",
		"What is 17*23, and who wrote Hamlet?":    "I can do nothing with `who wrote Hamlet`.",
		"17*23 等于几？谁写了红楼梦？":                       "`谁写了红楼梦` 我没有办法处理。",
		"List docs/, and what does clock_now do?": "",
		"Show lines 5 to 8 of go.mod":             "",
		"What is 17*23?":                          "",
	} {
		t.Run(question, func(t *testing.T) {
			w.forget()
			text := w.say(t, question).Text.String()
			if want == "" {
				require.NotContains(t, text, "nothing with")
				return
			}
			require.Contains(t, text, want)
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
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := p.Reply(tt.messages)
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
