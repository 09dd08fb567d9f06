package secrets_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/internal/secrets"
)

var unread = secrets.Unread{Names: secrets.NewNames([]string{"pin", "密码"}), Methods: []string{"t_login"}}

func TestUnreadMasksWhatMayBeARequest(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"prose", "Type the pin, then t_login runs.", "Type the pin, then t_login runs."},
		{"a part of a word", "spin: 1, pinned=2", "spin: 1, pinned=2"},
		{"a value to the end of its paragraph", "Well.\npin: 1\nuser: ann\n\nDone.", "Well.\npin:[secret]\n\nDone."},
		{"a quoted value over blank lines", "pin: \"a\n\nb\" c\n\nDone.", "pin:[secret]\n\nDone."},
		{"a value without its end", "pin: \"a\n\nb", "pin:[secret]"},
		{"a name between quotation marks", `the "pin" a`, `the "pin" [secret]`},
		{"a name with escapes", `"p\u0069n": 1`, `"p\u0069n":[secret]`},
		{"Chinese has no spaces", "你的密码：橘子", "你的密码：[secret]"},
		{"marks", "Well.\n\n<tool_call>\n\na\n\n</tool_call>\n\nDone.", "Well.\n\n[secret]\n\nDone."},
		{"marks without an end", "Well.\n\n<tool_call>\n\na\n\nDone.", "Well.\n\n[secret]"},
		{"marks in marks", "「始」「始」\n\n「末」\n\na\n\n「末」\n\nDone.", "[secret]\n\nDone."},
		{"a method with its arguments", "Well.\n\nt_login(a,\n\nb)\n\nDone.", "Well.\n\n[secret]\n\nDone."},
		{"a method in a tag", "Well.\n\n<t_login>\n\na</a>\n\nDone.", "Well.\n\n[secret]\n\nDone."},
		{"a line that names what to call", "Well.\n\nAction: t_login\n\na", "Well.\n\n[secret]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			masked, _ := unread.Mask(test.text)
			assert.Equal(t, test.want, masked)
		})
	}
	masked, values := unread.Mask("pin: \"tangerine\"", [2]int{0, 3})
	assert.Equal(t, "[secret]:[secret]", masked)
	assert.Equal(t, []string{"tangerine"}, values)
}

// The value of a secret is masked, whatever text is before and after it. (A law is a property that
// rapid checks with generated inputs.)
func TestLawUnreadMasksValues(t *testing.T) {
	pieces := []string{
		"pin", "t_login", " ", "\n", "\n\n", "\"", "'", "「始」", "「末」", "<pin>", "</pin>", "{", "}", "(", ")", ":", "=",
		"```\n", "> ", "\\", "%", "&lt;", "<tool_call>", "</tool_call>", "<<<[TOOL_REQUEST]>>>",
		"<<<[END_TOOL_REQUEST]>>>", "|", "\xff", "密码", "，", "word",
	}
	rapid.Check(t, func(t *rapid.T) {
		around := rapid.Map(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12),
			func(list []string) string { return strings.Join(list, "") })
		before, after := around.Draw(t, "before"), around.Draw(t, "after")
		form := rapid.SampledFrom([]string{
			"\npin: HUSH", `"pin": "HUSH"`, " pin=HUSH", "<pin>HUSH</pin>", "pin:「始」HUSH「末」", " --pin HUSH",
			`"pin": ["x", "HUSH"]`, "密码：HUSH",
		}).Draw(t, "form")
		text := before + " " + form + after
		if masked, _ := unread.Mask(text); strings.Contains(masked, "HUSH") {
			t.Fatalf("%q is masked as %q", text, masked)
		}
	})
}
