package builtin

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/message/messagetest"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin/internal/publicnet"
	"github.com/vcpgo/vcp/tool/builtin/internal/tabular"
	"github.com/vcpgo/vcp/tool/schema"
)

func TestEachTextIsTranslated(t *testing.T) {
	// Check finds the texts that are constants in calls of the functions below. These are the
	// others.
	others := []string{
		timeLayout, dateLayout, new(publicnet.RefusedError).Error(),
		"last week", "last month", "last quarter", "last year",

		"invalid character class", "invalid character class range", "invalid escape sequence", "invalid named capture",
		"invalid or unsupported Perl syntax", "invalid nested repetition operator", "invalid repeat count", "invalid UTF-8",
		"missing closing ]", "missing closing )", "missing argument to repetition operator", "trailing backslash at end of expression",
		"unexpected )", "expression nests too deeply", "expression too large",

		"file name too long", "is a directory", "not a directory", "file exists", "no space left on device", "read-only file system",
		"disk quota exceeded", "input/output error",
	}
	for day := range 7 {
		others = append(others, time.Weekday(day).String())
	}
	for _, kind := range []tabular.Kind{tabular.Numbers, tabular.Dates, tabular.Texts, tabular.Blank} {
		others = append(others, string(kind))
	}
	for _, period := range []tabular.Period{tabular.Day, tabular.Week, tabular.Month, tabular.Quarter, tabular.Year} {
		others = append(others, string(period))
	}
	for name, list := range measures {
		others = append(others, name)
		for _, m := range list {
			others = append(others, m.name)
		}
	}
	others = slices.DeleteFunc(others, func(text string) bool { return text == "all" }) // results say "figures" instead
	// textIndex says which argument of each function is the text.
	textIndex := map[string]int{"errorf": 0, "sentence": 0, "Say": 0, "say": 0, "fail": 1, "plural": 1}
	messagetest.Check(t, chinese.Builtin, textIndex, others...)
}

func TestEachDefinitionIsTranslated(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	require.NoError(t, err)
	defer root.Close()
	tools, err := All(Options{Root: root})
	require.NoError(t, err)
	var texts []string
	for _, t := range tools {
		for _, m := range t.Methods {
			texts = append(texts, m.Description)
			for _, p := range m.Parameters.Properties() {
				texts = append(texts, p.Description)
			}
		}
	}
	messagetest.CheckTexts(t, chinese.BuiltinDefinitions, texts)
}

// TestResultsAreInChinese calls methods with Chinese as the language of the calls.
func TestResultsAreInChinese(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.csv"), []byte("name,price\nLee,2\nWu,3\n"), 0o600))
	tools, err := All(Options{Root: root})
	require.NoError(t, err)
	registry := tool.NewRegistry()
	require.NoError(t, registry.Register(tools...))
	for _, test := range []struct{ name, method, arguments, want string }{
		{"a rounded number", "calculator_evaluate", `{"expression":"1/3"}`, "1/3 ≈ 0.333333333333333（精确值为 1/3）"},
		{"an error of the calculator", "calculator_evaluate", `{"expression":"1/0"}`, "第 2 个字符处：'/' 无法计算：除数为零"},
		{"a hint in an error", "calculator_evaluate", `{"expression":"1,000+1"}`, "1,000 含有逗号；写数字时不要用千位分隔符：请写 1000，而不是 1,000"},
		{"dates", "clock_between", `{"from":"2026-03-01","to":"2026-03-10"}`, "从 2026年3月1日 星期日 到 2026年3月10日 星期二：9 天（1 周零 2 天）。"},
		{"an unknown time zone", "clock_now", `{"timeZone":"Asia/Tokio"}`, `"Asia/Tokio" 不是时区；是否应为 Asia/Tokyo？`},
		{"a missing file", "files_read", `{"path":"a.cvs"}`, `根目录下没有 "a.cvs"；是否应为 "a.csv"？`},
		{"a list", "files_list", `{"path":"."}`, "a.csv（22 字节，3 行）"},
		{
			"an expression that cannot be read",
			"files_search", `{"query":"(","regexp":true}`, `"(" 不是正则表达式：缺少 )：(；要搜索普通文本，请把 regexp 设为 false`,
		},
		{"a sum", "table_aggregate", `{"path":"a.csv","column":"price"}`, "price 的总和，文件 a.csv，全部 2 行：\n| price 的总和 |\n| --- |\n| 5 |"},
		{"a missing column", "table_aggregate", `{"path":"a.csv","column":"cost"}`, `没有列 "cost"；列有 name, price`},
		{"an empty command", "shell_run", `{"command":" "}`, "命令为空；请写一个，例如：ls -l"},
	} {
		t.Run(test.name, func(t *testing.T) {
			entry, ok := registry.Lookup(test.method)
			require.True(t, ok)
			arguments, _, err := entry.Method.Parameters.ObjectWith(textsOf(t, test.arguments),
				schema.ObjectOptions{Language: "zh"})
			require.NoError(t, err)
			call := &tool.Call{ID: "1", Method: entry, Arguments: arguments, Language: "zh"}
			out, err := entry.Method.Handler(tool.WithCall(t.Context(), call), call)
			if err != nil {
				out.Text = message.In(err, "zh")
			}
			require.Equal(t, test.want, out.Text)
		})
	}
}

// textsOf returns the members of an object as the arguments of a request.
func textsOf(t *testing.T, object string) (list []schema.Text) {
	t.Helper()
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(object), &members))
	for name, value := range members {
		list = append(list, schema.Text{Name: name, Value: string(value), JSON: true})
	}
	return list
}
