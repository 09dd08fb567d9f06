package vcp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// hostile draws text that is likely to hold what means something to the dialect.
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

func TestReadingFormattedResultsGivesWhatWasPutIn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var results []protocol.ToolResult
		for range rapid.IntRange(1, 3).Draw(t, "count") {
			r := protocol.ToolResult{
				RequestID: hostile().Draw(t, "id"), ToolName: hostile().Draw(t, "name"), Status: protocol.StatusSuccess,
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
			t.Fatalf("%v\n%s", err, text)
		}
		if d := cmp.Diff(results, got); d != "" {
			t.Fatalf("put in and read back differ (-put +got):\n%s\n%s", d, text)
		}
	})
}

func TestReadingFormattedDefinitionsGivesWhatWasPutIn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := protocol.ToolDefinition{
			ToolName: hostile().Draw(t, "name"), Title: hostile().Draw(t, "title"), Command: hostile().Draw(t, "command"),
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
			t.Fatalf("%v\n%s", err, text)
		}
		if diff := cmp.Diff([]protocol.ToolDefinition{d}, got); diff != "" {
			t.Fatalf("put in and read back differ (-put +got):\n%s\n%s", diff, text)
		}
	})
}
