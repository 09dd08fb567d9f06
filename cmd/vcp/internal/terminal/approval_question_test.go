package terminal

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool"
)

// questionOf returns a question about a call with arguments, in English.
func questionOf(arguments string) question {
	return question{
		phrases: phrasesIn("en"), method: "t_m", risk: tool.RiskWrite, arguments: json.RawMessage(arguments),
	}
}

func TestAQuestionShowsTheCall(t *testing.T) {
	const hint = "Answer y, always, edit, or no and why; help explains.\n"
	for _, tt := range []struct {
		name      string
		arguments string
		note      string
		screen    screen
		want      string
	}{
		{
			"arguments are a list", `{"path":"docs/a.md","lines":[1, 2],"deep":{"a":"b"}}`, "",
			screen{},
			"  - path = \"docs/a.md\"\n  - lines = [1,2]\n  - deep = {\"a\":\"b\"}\n" + hint,
		},
		{"a call without arguments says so", `{}`, "", screen{}, "  (no arguments)\n" + hint},
		{
			"white space is counted",
			`{"a":"x` + strings.Repeat(" ", 3000) + `y` + strings.Repeat(`\n`, 40) + `z` + strings.Repeat(` \n\t`, 10) + `"}`, "",
			screen{},
			"  - a = \"x␠×3000y\\n×40z[␠\\n\\t]×30\"\n" + hint,
		},
		{
			"short white space is shown as it is", `{"a":"if x:\n    y()"}`, "",
			screen{},
			"  - a = \"if x:\\n    y()\"\n" + hint,
		},
		{
			"a sign that looks like a count is escaped", `{"a":"␠×3000"}`, "",
			screen{},
			"  - a = \"\\u2420×3000\"\n" + hint,
		},
		{
			"a name that looks like several arguments is quoted", `{"path = \"safe\", x":"y"}`, "",
			screen{},
			"  - \"path = \\\"safe\\\", x\" = \"y\"\n" + hint,
		},
		{
			"a note comes after the call", `{"a":1}`, "The arguments\nwere not accepted.",
			screen{},
			"  - a = 1\n[note] The arguments\\nwere not accepted.\n" + hint,
		},
		{
			"rows are broken before the screen breaks them", `{"a":"` + strings.Repeat("中", 20) + `"}`, "",
			screen{24, 40},
			"  - a = \"" + strings.Repeat("中", 15) + "\n    " + strings.Repeat("中", 5) + "\"\n" +
				"Answer y, always, edit, or no and why; \n    help explains.\n",
		},
		{
			"a long argument loses its middle", `{"a":1,"b":"` + strings.Repeat("x", 500) + `.","c":2}`, "",
			screen{10, 60},
			"  - a = 1\n  - b = \"" + strings.Repeat("x", 50) + "\n    " + strings.Repeat("x", 37) + "…(369 more)…xxxx\n" +
				"    " + strings.Repeat("x", 40) + ".\"\n  - c = 2\n" +
				"[note] 369 characters of this call are not shown.\nAnswer show, or no and why; help explains.\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q := questionOf(tt.arguments)
			q.note = tt.note
			shown, err := q.fit(tt.screen)
			require.NoError(t, err)
			require.Equal(t, "\n[approval] t_m (write)\n"+tt.want, shown.body)
			require.Equal(t, "Allow t_m (write)? [no] ", shown.prompt)
		})
	}
}

func TestQuestionShowsThePreview(t *testing.T) {
	q := questionOf(`{"a":1}`)
	q.preview = "--- a\n+++ b\n\n-old\x1b[2K\n+new\n"
	shown, err := q.fit(screen{})
	require.NoError(t, err)
	require.Zero(t, shown.omitted)
	require.Equal(t, "\n[approval] t_m (write)\n  - a = 1\n  | --- a\n  | +++ b\n  | \n  | -old\\x1b[2K\n  | +new\n"+
		"Answer y, always, edit, or no and why; help explains.\n", shown.body)

	q.preview = strings.Repeat("+line\n", 100)
	shown, err = q.fit(screen{})
	require.NoError(t, err)
	require.Positive(t, shown.omitted, "a call whose preview is not shown whole cannot be allowed")
	require.Contains(t, shown.body, " more lines\n")
	require.Zero(t, q.whole(screen{}).omitted)
}

func TestQuestionShowsNoSecret(t *testing.T) {
	entry := &tool.Entry{FullName: "t_login", Method: &tool.Method{SecretParameters: []string{"password"}}}
	arguments := entry.MaskArguments(json.RawMessage(`{"user":"eve","password":"hush-hush"}`))
	require.Equal(t, []string{`user = "eve"`, `password = "[secret]"`}, argumentsOf(arguments))
}
