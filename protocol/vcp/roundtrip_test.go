package vcp_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// hostile draws text that is likely to contain marks of the dialect.
func hostile() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{
			"<<<[TOOL_REQUEST]>>>", "<<<[END_TOOL_REQUEST]>>>", "<<<[TOOL_RESULT]>>>", "<<<[tool_request_ESCAPE]>>>",
			"<<<[TOOL_REQUEST_ESCAPE]>>>", "<<<[END_TOOL_REQUEST_ESCAPE]>>>", "&lt;&lt;&lt;[TOOL_REQUEST]&gt;&gt;&gt;",
			`\<\<\<[TOOL\_REQUEST]\>\>\>`, "《《【END-TOOL REQUEST】》》", "<< TOOL_RESULT >>", "_ESCAPE",
			"「始」", "「末」", "「始ESCAPE」", "「末ESCAPE」", "「始ESCAPE:v1」", "「末ESCAPE:v1」", ":v1", "「末,", "「 末 」", "{末}", "『始』", "「始exp」", "末", "始", "「",
			"tool_name:", "\n", "\r\n", "\r", " ", "\t", "\u3000", "```", "> ", "<think>", "</think>", "\x00", "\xff", "\u200d", "\ufeff",
		}),
		rapid.StringN(0, 6, -1),
	)
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), "")
	})
}

func TestResultsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var results []protocol.ToolResult
		for range rapid.IntRange(1, 3).Draw(t, "count") {
			r := protocol.ToolResult{
				ResultID: hostile().Draw(t, "id"), ToolName: hostile().Draw(t, "name"), Status: protocol.StatusSuccess,
				Result: hostile().Draw(t, "result"),
			}
			if rapid.Bool().Draw(t, "failed") {
				r.Status, r.ErrorType, r.Suggestion = protocol.StatusError, "timeout", hostile().Draw(t, "suggestion")
			}
			results = append(results, r)
		}
		text := vcp.Protocol{}.FormatToolResults(results)
		got, err := vcp.Protocol{}.ParseToolResults("before\n" + text + "\nafter")
		if err != nil {
			t.Fatalf("the results cannot be read: %v\n%s", err, text)
		}
		if d := cmp.Diff(results, got); d != "" {
			t.Fatalf("(-written +read):\n%s\n%s", d, text)
		}
	})
}

func TestDefinitionsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := protocol.ToolDefinition{
			ToolName:    hostile().Draw(t, "name"),
			Description: hostile().Draw(t, "description"),
			Examples: []protocol.ToolRequest{{
				ToolName:  "a_b",
				Arguments: []protocol.Argument{{Name: "city", Value: hostile().Draw(t, "value")}},
			}},
		}
		for range rapid.IntRange(0, 2).Draw(t, "parameters") {
			d.Parameters = append(d.Parameters, protocol.Parameter{
				Name: strings.ToValidUTF8(hostile().Draw(t, "parameter"), ""), Type: "string", Required: rapid.Bool().Draw(t, "required"),
				Default: json.RawMessage(`"x"`), Enum: []json.RawMessage{json.RawMessage(`1`), json.RawMessage(`"<b>"`)},
				Description: strings.ToValidUTF8(hostile().Draw(t, "about"), ""),
			})
		}
		text := vcp.Protocol{}.GenerateToolDefinitions([]protocol.ToolDefinition{d}, protocol.PromptOptions{})
		got, err := vcp.Protocol{}.ParseToolDefinitions(text)
		if err != nil {
			t.Fatalf("the definitions cannot be read: %v\n%s", err, text)
		}
		if diff := cmp.Diff([]protocol.ToolDefinition{d}, got); diff != "" {
			t.Fatalf("(-written +read):\n%s\n%s", diff, text)
		}
	})
}

// Arguments with the names of keys of the protocol read back as arguments, in any order, if the
// method declares them.
func TestArgumentsNamedLikeKeysReadBack(t *testing.T) {
	names := []string{"tool_name", "request_id", "command", "Command", "command1", "command2", "toolName", "path"}
	rapid.Check(t, func(t *rapid.T) {
		want := protocol.ToolRequest{
			ToolName: "a_b",
			Label:    rapid.SampledFrom([]string{"", "7"}).Draw(t, "label"),
			Command:  rapid.SampledFrom([]string{"", "list"}).Draw(t, "command"),
		}
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 5, rapid.ID[string]).Draw(t, "names") {
			value := rapid.SampledFrom([]string{"", "a_b", "7", "x y"}).Draw(t, "value")
			want.Arguments = append(want.Arguments, protocol.Argument{Name: name, Value: value})
		}
		has := func(name string) bool {
			return slices.ContainsFunc(want.Arguments, func(a protocol.Argument) bool { return a.Name == name })
		}
		text, err := vcp.Protocol{}.FormatToolRequests([]protocol.ToolRequest{want})
		// The protocol's own field and the argument would have the same key.
		conflict := want.Label != "" && has("request_id") ||
			want.Command != "" && (has("command") || has("command1") || has("command2"))
		if conflict != (err != nil) {
			t.Fatalf("conflict is %t, but the error is %v: %+v", conflict, err, want)
		}
		if conflict {
			return
		}
		declares := func(toolName, argument string) bool { return toolName == "a_b" && has(argument) }
		options := parser.Options{Finish: protocol.FinishStop, TakesArgument: declares}
		reply, err := parser.ParseToolRequests(vcp.Protocol{}, text, options)
		if err != nil {
			t.Fatal(err)
		}
		if len(reply.Requests) != 1 || reply.Requests[0].Err != nil || len(reply.Requests[0].Repairs) > 0 {
			t.Fatalf("%s\nis read as %s", text, reply.AppendJSON(nil))
		}
		if diff := cmp.Diff(want, reply.Requests[0].ToolRequest, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%s\n(-want +got):\n%s", text, diff)
		}
	})
}

func TestASecondToolNameIsAnErrorUnlessDeclared(t *testing.T) {
	block := func(names ...string) string {
		text := "<<<[TOOL_REQUEST]>>>\n"
		for _, name := range names {
			text += "tool_name:「始」" + name + "「末」\n"
		}
		return text + "<<<[END_TOOL_REQUEST]>>>"
	}
	declares := func(toolName, argument string) bool { return toolName == "a_b" && argument == "tool_name" }
	for _, tt := range []struct {
		name  string
		takes func(string, string) bool
		text  string
		code  scan.ErrorCode
		want  []string // the values of the argument
	}{
		{"twice", nil, block("a_b", "c"), scan.CodeDuplicateKey, nil},
		{"twice the same", nil, block("a_b", "a_b"), scan.CodeDuplicateKey, nil},
		{"as an argument", declares, block("a_b", "c"), "", []string{"c"}},
		{"as an argument with the same value", declares, block("a_b", "a_b"), "", []string{"a_b"}},
		{"as an argument written twice", declares, block("a_b", "c", "c"), "", []string{"c"}},
		{"as an argument with two values", declares, block("a_b", "c", "d"), scan.CodeDuplicateKey, []string{"c", "d"}},
		{"as an argument of another method", declares, block("x_y", "a_b"), scan.CodeDuplicateKey, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			options := parser.Options{Finish: protocol.FinishStop, TakesArgument: tt.takes}
			reply, err := parser.ParseToolRequests(vcp.Protocol{}, tt.text, options)
			if err != nil || len(reply.Requests) != 1 {
				t.Fatalf("%d requests are read, error %v; want one request", len(reply.Requests), err)
			}
			r := reply.Requests[0]
			var code scan.ErrorCode
			if r.Err != nil {
				code = r.Err.Code
			}
			var want []protocol.Argument
			for _, value := range tt.want {
				want = append(want, protocol.Argument{Name: "tool_name", Value: value})
			}
			if diff := cmp.Diff(want, r.Arguments); diff != "" || code != tt.code {
				t.Fatalf("the error code is %q, want %q: %+v\n(-want +got):\n%s", code, tt.code, r, diff)
			}
		})
	}
}

// If the work grew with the square of the size, this would take minutes.
func TestWritingManyTagsIsLinear(t *testing.T) {
	const tags = 400_000
	var value strings.Builder
	value.WriteString("「末」") // only a tagged value carries a closer
	for i := range tags {
		value.WriteString(":v" + strconv.Itoa(i+1))
	}
	text := vcp.Protocol{}.FormatToolResults([]protocol.ToolResult{{ResultID: "1", Result: value.String()}})
	if opener := "「始ESCAPE:v" + strconv.Itoa(tags+1) + "」"; !strings.Contains(text, opener) {
		t.Errorf("the value is not written with the first tag that it does not contain, %s", opener)
	}
}

func TestATagIsNotTheBeginningOfATagInTheValue(t *testing.T) {
	for value, want := range map[string]string{
		"「末」":                  "「始ESCAPE:v1」",
		"「末」 :v2":              "「始ESCAPE:v1」",
		"「末」 :v12 :v3":         "「始ESCAPE:v2」",
		"「末」 :v12 :v2":         "「始ESCAPE:v3」",
		"「末」 :v01":             "「始ESCAPE:v1」",
		"「末」 :v:v1":            "「始ESCAPE:v2」",
		"「末」 :v1234567890 :v2": "「始ESCAPE:v3」",
	} {
		text := vcp.Protocol{}.FormatToolResults([]protocol.ToolResult{{ResultID: "1", Result: value}})
		if !strings.Contains(text, want) {
			t.Errorf("%q is not written with %s:\n%s", value, want, text)
		}
	}
}
