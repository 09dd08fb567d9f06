package forms_test

import (
	"testing"

	"github.com/vcpgo/vcp/internal/forms"
)

func TestAtFindsTheFormOfARequest(t *testing.T) {
	for _, tt := range []struct {
		name, text, protocol string
		open                 string // the Open of the form, or "" if no form is expected
		short                bool   // the text is too short to decide
	}{
		{"a tag before an object", "<tool_call>\n{", "vcp", "<tool_call>", false},
		{"a tag of the protocol in use", "<tool_call>\n{", "hermes", "", false},
		{"a tag before a tag", "<tool_call>\n<function=a>", "vcp", "<tool_call>", false},
		{"a tag that another protocol and the protocol in use share", "<tool_call>\n<function=a>", "hermes", "", false},
		{"an object in a tag of the protocol in use", "<tool_call>\n{", "qwencoder", "", false},
		{"a function", "<function=a>", "vcp", "<function=", false},
		{"a function in the protocol in use", "<function=a>", "qwencoder", "", false},
		{"a tag in prose", "<tool_call> is a tag", "vcp", "", false},
		{"the beginning of a tag", "<tool_c", "vcp", "", true},
		{"a tag that a brace may follow", "<tool_call>\n", "vcp", "", true},
		{"a marker", "<<<[TOOL_REQUEST]>>>", "hermes", "<<<[TOOL_REQUEST]>>>", false},
		{"a marker with _ESCAPE", "<<<[TOOL_REQUEST_ESCAPE]>>>", "hermes", "", false},
		{"a request in the form of other models", `<invoke name="a">`, "vcp", "<invoke name=", false},
		{"another tag", "<table>", "vcp", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, short := forms.At([]byte(tt.text), tt.protocol)
			open := ""
			if f != nil {
				open = f.Open
			}
			if open != tt.open || short != tt.short {
				t.Errorf("form %q, short %t; want %q, %t", open, short, tt.open, tt.short)
			}
		})
	}
}

func TestIsCallAcceptsOnlyWholeCalls(t *testing.T) {
	for text, want := range map[string]bool{
		`{"name": "a_b", "arguments": {}}`:                         true,
		"\n" + `{"name": "a_b", "parameters": {"x": 1}}` + "\n":    true,
		`[{"name": "a_b", "arguments": {}}]`:                       true,
		"```json\n" + `{"name": "a_b", "arguments": {}}` + "\n```": true,
		`{"name": "a_b"}`:                            false,
		`{"arguments": {}}`:                          false,
		`{"name": "a_b", "arguments": {}} as I said`: false,
		`[]`: false,
		``:   false,
		"Use " + `{"name": "a_b", "arguments": {}}`:                  false,
		`[{"name": "a_b", "arguments": {}}, {"name": "not a call"}]`: false,
	} {
		if got := forms.IsCall(text); got != want {
			t.Errorf("IsCall(%q) = %t", text, got)
		}
	}
}
