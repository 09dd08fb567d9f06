package demomodel_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool"
)

// The planner knows the built-in tools only by their definitions.
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
			require.NotContains(t, string(text), `"`+e.Method.Name+`"`, name)
		}
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
		{"Calculate 17 - 5", []string{"calculator_evaluate expression=17 - 5"}, []string{"12"}},
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
