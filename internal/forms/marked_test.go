package forms_test

import (
	"slices"
	"testing"

	"github.com/vcpgo/vcp/internal/forms"
)

func TestMarkedReturnsPartsBetweenMarks(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"text without marks", "a < b", nil},
		{"lines in marks", "I ask:\n<tool_call>\nname: a\n</tool_call>\n", []string{"<tool_call>\nname: a\n</tool_call>"}},
		{
			"several requests", "<<<[TOOL_REQUEST]>>>a<<<[END_TOOL_REQUEST]>>> and <<<[TOOL_REQUEST]>>>b<<<[END_TOOL_REQUEST]>>>",
			[]string{"<<<[TOOL_REQUEST]>>>a<<<[END_TOOL_REQUEST]>>>", "<<<[TOOL_REQUEST]>>>b<<<[END_TOOL_REQUEST]>>>"},
		},
		{"without an end", "<tool_call>\nname: a\n", nil},
		{"in a fence", "So:\n```xml\n<tool_call>\nname: a\n</tool_call>\n```\nThat is it.", nil},
		{"in a quoted fence", "> ```\n> <tool_call>a</tool_call>\n> ```\n", nil},
		{"an end in a fence", "<tool_call>\n```\n</tool_call>\n```\n", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := forms.Marked(tt.text); !slices.Equal(got, tt.want) {
				t.Errorf("Marked() = %q, want %q", got, tt.want)
			}
		})
	}
}
