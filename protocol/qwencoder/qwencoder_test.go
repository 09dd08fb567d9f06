package qwencoder_test

import (
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/protocoltest"
	"github.com/vcpgo/vcp/protocol/qwencoder"
	"github.com/vcpgo/vcp/protocol/scan"
)

func TestProtocolFollowsTheRules(t *testing.T) { protocoltest.Run(t, qwencoder.Protocol{}) }

var levels = [...]scan.Tolerance{scan.Strict, scan.Safe, scan.Greedy}

// marks are pieces of values that a reader could misunderstand.
var marks = []string{
	"<tool_call>", "</tool_call>", "<function=e>", "</function>", "<parameter=x>", "\n<parameter=y>\n",
	"</parameter>", "\n</parameter>\n", "</PARAMETER>", "< parameter = x >", "<parameter name='x' a=b>",
	"</par", "<parameter", "=x>", "<tool_response>", "</tools>", "<", "</", ">", "&", "&lt;", "&amp;", "amp;",
	"lt;", "lt;/parameter>", "&lt;/parameter>", "&amp;amp;lt;tool_call>", "\n", "\r\n", "\r", "\t", " ",
	"```\n", "`", "<think>", "</think>\n", "a", "日", "\x00", "\"", "{", "[1]",
}

func read(t require.TestingT, text string, level scan.Tolerance, finish protocol.FinishReason) parser.Reply {
	reply, err := parser.ParseToolRequests(qwencoder.Protocol{}, text, parser.Options{Tolerance: level, Finish: finish})
	require.NoError(t, err, text)
	return reply
}

// checkReadsBack checks that a value reads back byte for byte at every level, whatever it contains
// and however the reply is split. At strict, a truncated request does not run.
func checkReadsBack(t require.TestingT, value string, random uint64) {
	want := protocol.ToolRequest{
		ToolName: "a_b", Arguments: []protocol.Argument{{Name: "x", Value: value}, {Name: "y", Value: "1"}},
	}
	text, err := qwencoder.Protocol{}.FormatToolRequests([]protocol.ToolRequest{want})
	if err != nil {
		require.Contains(t, value, strings.Repeat("amp;", 16), "%v", err)
		return
	}
	for _, level := range levels {
		reply := read(t, "Sure.\n"+text+"\nok", level, protocol.FinishStop)
		require.Len(t, reply.Ready(), 1, "%q: %s", text, reply.AppendJSON(nil))
		require.Equal(t, want, reply.Requests[0].ToolRequest, "%q", text)
		require.Empty(t, reply.Requests[0].Repairs, "%q", text)
	}
	rnd := rand.New(rand.NewPCG(random, 1))
	cut := rnd.IntN(len(text))
	truncated := read(t, text[:cut], scan.Strict, protocol.FinishStop)
	require.Empty(t, truncated.Ready(), "%q", text[:cut])
	p, err := parser.New(qwencoder.Protocol{}, parser.Options{})
	require.NoError(t, err)
	for at := 0; at < len(text); {
		end := min(len(text), at+1+rnd.IntN(9))
		p.Feed(nil, []byte(text[at:end]))
		at = end
	}
	_, reply := p.Close(nil, protocol.FinishStop)
	require.Equal(t, []protocol.ToolRequest{want}, []protocol.ToolRequest{reply.Requests[0].ToolRequest}, "%q", text)
}

func TestEveryValueReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := strings.Join(rapid.SliceOfN(rapid.SampledFrom(marks), 0, 12).Draw(t, "pieces"), "")
		checkReadsBack(t, value, rapid.Uint64().Draw(t, "cuts"))
	})
}

// FuzzValuesReadBack checks that any value reads back. Its seeds are in testdata.
func FuzzValuesReadBack(f *testing.F) {
	f.Fuzz(func(t *testing.T, value string, random uint64) { checkReadsBack(t, value, random) })
}

// A model that copies neutralized text into a value writes the text itself.
func TestNeutralizedTextReadsBackInAValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		foreign := "a " + strings.Join(rapid.SliceOfN(rapid.SampledFrom(marks), 0, 8).Draw(t, "pieces"), "")
		if strings.Contains(foreign, "<") {
			foreign += " <" // otherwise a line break may follow the beginning of a mark
		}
		foreign += " z"
		safe := qwencoder.Protocol{}.Neutralize(foreign)
		if strings.Contains(foreign, strings.Repeat("amp;", 16)) {
			t.Skip("a value cannot contain so many levels of escaping")
		}
		text := "<tool_call>\n<function=a_b>\n<parameter=x>\n" + safe + "\n</parameter>\n</function>\n</tool_call>"
		reply := read(t, text, scan.Strict, protocol.FinishStop)
		require.Len(t, reply.Ready(), 1, "%q", safe)
		require.Equal(t, foreign, reply.Requests[0].Arguments[0].Value)
	})
}

// A mark that is escaped already gets one more level, so that a reader of values removes only that
// level.
func TestNeutralizeEscapesEscapedMarks(t *testing.T) {
	p := qwencoder.Protocol{}
	for text, want := range map[string]string{
		"a &lt;/parameter>":    "a &amp;lt;/parameter>",
		"&amp;lt;tool_call>":   "&amp;amp;lt;tool_call>",
		"x &lt; y &amp; &lt;b": "x &lt; y &amp; &lt;b", // no mark follows
	} {
		require.Equal(t, want, p.Neutralize(text))
		require.Equal(t, text, p.Restore(p.Neutralize(text)))
	}
}

// A request that is ready at the level safe is ready at greedy. One that needs no repair is ready
// at strict.
func TestAHigherLevelLosesNoRequest(t *testing.T) {
	pieces := append(slices.Clone(marks),
		"<tool_call>\n<function=a_b>\n", "<tool_call>\n<function=a_b>\n<parameter=x>\n1\n</parameter>\n",
		"</function>\n</tool_call>\n", "<function=c_d></function></tool_call>")
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 14).Draw(t, "pieces"), "")
		strict := read(t, text, scan.Strict, protocol.FinishStop)
		safe := read(t, text, scan.Safe, protocol.FinishStop)
		greedy := read(t, text, scan.Greedy, protocol.FinishStop)
		ready := func(r *parser.Reply) (list []string) {
			for _, q := range r.Ready() {
				list = append(list, q.ToolName+q.RawBlock)
			}
			return list
		}
		require.Subset(t, ready(&greedy), ready(&safe), "%q", text)
		require.Subset(t, ready(&safe), ready(&strict), "%q", text)
		for _, q := range safe.Ready() {
			if len(q.Repairs) == 0 {
				require.Contains(t, ready(&strict), q.ToolName+q.RawBlock, "%q", text)
			}
		}
	})
}

func TestUnwritableRequestsAreRefused(t *testing.T) {
	deep := "&" + strings.Repeat("amp;", 16) + "lt;/parameter>" // one more "amp;" would be one too many
	with := func(a protocol.Argument) protocol.ToolRequest {
		return protocol.ToolRequest{ToolName: "a_b", Arguments: []protocol.Argument{a}}
	}
	for _, c := range []struct {
		name     string
		request  protocol.ToolRequest
		argument string // the argument that the error names
	}{
		{"no name", protocol.ToolRequest{}, ""},
		{"a name with a blank", protocol.ToolRequest{ToolName: "a b"}, ""},
		{"a name that is too long", protocol.ToolRequest{ToolName: strings.Repeat("x", 129)}, ""},
		{"a command", protocol.ToolRequest{ToolName: "a", Command: "list"}, ""},
		{"a label", protocol.ToolRequest{ToolName: "a", Label: "1"}, ""},
		{"an argument with a bracket in its name", with(protocol.Argument{Name: "x>"}), "x>"},
		{"a tag that is escaped too often", with(protocol.Argument{Name: "x", Value: deep}), "x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := qwencoder.Protocol{}.FormatToolRequests([]protocol.ToolRequest{c.request})
			var format *protocol.FormatError
			require.ErrorAs(t, err, &format)
			require.Equal(t, c.argument, format.Argument)
		})
	}
}

func TestJSONStringsAreWrittenAsTheirText(t *testing.T) {
	text, err := qwencoder.Protocol{}.FormatToolRequests([]protocol.ToolRequest{{ToolName: "a_b", Arguments: []protocol.Argument{
		{Name: "x", Value: `"two\nlines"`, Form: protocol.FormJSON}, {Name: "y", Value: `["a"]`, Form: protocol.FormJSON},
	}}})
	require.NoError(t, err)
	require.Equal(t, "<tool_call>\n<function=a_b>\n<parameter=x>\ntwo\nlines\n</parameter>\n"+
		"<parameter=y>\n[\"a\"]\n</parameter>\n</function>\n</tool_call>", text)
}

func TestMalformedResultsAndDefinitionsAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"without an end":   "<tool_response>\n<id>1</id>\n<status>success</status>\n<content>\nx",
		"without a status": "<tool_response>\n<id>1</id>\n<content>\nx\n</content>\n</tool_response>",
	} {
		_, err := qwencoder.Protocol{}.ParseToolResults(text)
		require.Error(t, err, name)
	}
	for name, text := range map[string]string{
		"without parameters":                      "<name>a_b</name>\n",
		"with values that are not a list":         "<parameters>\n<parameter>\n<enum>{</enum>\n</parameter>\n</parameters>\n",
		"with required names that are not a list": "<parameters>\n<required>1</required>\n</parameters>\n",
	} {
		_, err := qwencoder.Protocol{}.ParseToolDefinitions("<tools>\n<function>\n" + text + "</function>\n</tools>")
		var bad *protocol.ReadError
		require.ErrorAs(t, err, &bad, name)
	}
}

// The examples of docs/qwencoder.md are what the formatters write.
func TestTheDocumentShowsWhatIsWritten(t *testing.T) {
	raw, err := os.ReadFile("../../docs/qwencoder.md")
	require.NoError(t, err)
	page := string(raw)
	definition := protocol.ToolDefinition{
		ToolName: "get_weather", Description: "The weather in a city.",
		Parameters: []protocol.Parameter{{Name: "city", Type: "string", Required: true, Description: "The city's name."}},
	}
	result := protocol.ToolResult{
		ResultID: "1", ToolName: "get_weather", Status: protocol.StatusSuccess, Result: "18 °C, sunny",
	}
	prompt := qwencoder.Protocol{}.GenerateToolDefinitions([]protocol.ToolDefinition{definition}, protocol.PromptOptions{})
	for _, text := range []string{
		prompt[strings.Index(prompt, "<tools>"):strings.Index(prompt, "</tools>")],
		qwencoder.Protocol{}.FormatToolResults([]protocol.ToolResult{result}),
	} {
		require.Contains(t, page, text)
	}
	for _, r := range (qwencoder.Protocol{}).Repairs() {
		level := "safe"
		if r.Level == scan.Greedy {
			level = "greedy"
		}
		require.Regexp(t, "(?m)^\\| `"+r.Name+"` \\| [PQ0-9, ]+ \\| "+level+" \\|", page)
	}
}

// Each row of docs/qwencoder.md has a case, and each case names rows of that page or rows C of
// docs/dialect.md.
func TestEveryRowHasACase(t *testing.T) {
	raw, err := os.ReadFile("../../docs/qwencoder.md")
	require.NoError(t, err)
	rows := map[string]bool{} // whether no case cites the row so far
	for _, m := range regexp.MustCompile(`(?m)^\| ([QP][0-9]+) \|`).FindAllStringSubmatch(string(raw), -1) {
		require.False(t, rows[m[1]], "%s is there twice", m[1])
		rows[m[1]] = true
	}
	require.Len(t, rows, 20+13, "rows Q and P")
	files, err := os.ReadDir("../../testdata/qwencoder")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 80)
	for _, file := range files {
		text, err := os.ReadFile("../../testdata/qwencoder/" + file.Name())
		require.NoError(t, err)
		header, _, _ := strings.Cut(string(text), ":")
		for _, row := range strings.Fields(header) {
			_, known := rows[row]
			require.True(t, known || row[0] == 'C', "%s cites %s", file.Name(), row)
			rows[row] = false
		}
	}
	for row, missing := range rows {
		require.False(t, missing, "no case cites %s", row)
	}
}

func TestDiagnoseNamesTheParameterWithoutAnEnd(t *testing.T) {
	const text = "<tool_call>\n<function=a>\n<parameter=city>\nParis\n<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>"
	p := qwencoder.Protocol{}
	require.Equal(t, "The parameter city has no closing tag.", p.Diagnose(scan.CodeAmbiguousValue, text, protocol.PromptOptions{}))
	require.Equal(t, "参数 city 没有结束标签。", p.Diagnose(scan.CodeUnclosedValue, text, protocol.PromptOptions{Language: "zh"}))
	require.Empty(t, p.Diagnose(scan.CodeMissingToolName, text, protocol.PromptOptions{}))
	require.Empty(t, p.Diagnose(scan.CodeAmbiguousValue, "<tool_call>\n</tool_call>", protocol.PromptOptions{}))
}
