//go:build unix

package command_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/process"
	"github.com/vcpgo/vcp/internal/process/processtest"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/command"
	"github.com/vcpgo/vcp/tool/schema"
)

func TestAValueIsOneArgumentOfTheProgram(t *testing.T) {
	const parameters = "        parameters: {properties: {x: {type: string}, y: {}, n: {type: integer}}}\n"
	for _, tt := range []struct{ name, run, arguments, want string }{
		{"a value is one argument", `"${x}"`, `{"x":"a b; $(id) ` + "`id`" + ` \"'"}`, `a b; $(id) ` + "`id`" + ` "'|`},
		{"a parameter within a value is text", `"${x}", "${y}"`, `{"x":"${y}","y":"1"}`, "${y}|1|"},
		{"a value within a text", `"--x=${x}/${n}."`, `{"x":"-v","n":3}`, "--x=-v/3.|"},
		{"an absent value omits its element", `a, "--x=${x}", "${y}", b`, `{"y":null}`, "a|b|"},
		{"a value that is not text", `"${y}"`, `{"y":{"a":[1, 2]}}`, `{"a":[1, 2]}|`},
		{"an empty value", `"${x}"`, `{"x":""}`, "|"},
		{"a hyphen after --", `--, "${x}"`, `{"x":"-rf"}`, "--|-rf|"},
		{"a dollar sign that is escaped", `"$${x} $x"`, `{"x":"v"}`, "${x} $x|"},
		{"fixed numbers and truth values", `5, true`, `{}`, "5|true|"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "show.sh", `printf '%s|' "$@"`)
			out, _, err := call(t.Context(), t,
				method(t, dir, parameters+"        run: [sh, show.sh, "+tt.run+"]\n"), tt.arguments)
			require.NoError(t, err)
			assert.Equal(t, tt.want, out.Text)
		})
	}
}

func TestAValueThatLooksLikeAnOptionOrHasNULIsRefused(t *testing.T) {
	const parameters = "        parameters: {properties: {x: {type: string}}}\n"
	for name, arguments := range map[string]string{"a hyphen": `{"x":"-rf"}`, "two hyphens": `{"x":"--help"}`, "NUL": `{"x":"a\u0000b"}`} {
		t.Run(name, func(t *testing.T) {
			_, _, err := call(t.Context(), t,
				method(t, t.TempDir(), parameters+"        run: [ls, \"${x}\"]\n"), arguments)
			var bad *schema.ArgumentsError
			require.ErrorAs(t, err, &bad)
			assert.Equal(t, "x", bad.Problems[0].Path)
		})
	}
}

func TestAProgramGetsArgumentsAndAllowedVariables(t *testing.T) {
	t.Setenv("VCP_TEST_SECRET", "hidden")
	t.Setenv("VCP_TEST_ALLOWED", "shown")
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "inner"), 0o700))
	write(t, dir, "show.sh", `cat; echo "$VCP_TEST_SECRET|$VCP_TEST_ALLOWED|$(basename "$PWD")"`)
	m := method(t, dir, "        run: [sh, ../show.sh]\n        dir: inner\n        env: [VCP_TEST_ALLOWED]\n")
	out, _, err := call(t.Context(), t, m, `{}`)
	require.NoError(t, err)
	assert.Equal(t, "{}\n|shown|inner", out.Text)
}

func TestOutputIsATextOrAResult(t *testing.T) {
	file := tool.File{Name: "a.txt", MediaType: "text/plain; charset=utf-8", Data: []byte("hi")}
	for _, tt := range []struct {
		name, form, printed string
		want                tool.Output
		fails               bool
	}{
		{"text", "auto", "one\ntwo\n\n", tool.Output{Text: "one\ntwo\n"}, false},
		{"JSON of another form is text", "auto", `{"a":1}`, tool.Output{Text: `{"a":1}`}, false},
		{"JSON with more after it is text", "auto", `{"output":"a"} x`, tool.Output{Text: `{"output":"a"} x`}, false},
		{"a result", "auto", `{"output":"a\n","details":{"n":1}}`, tool.Output{Text: "a\n", Details: json.RawMessage(`{"n":1}`)}, false},
		{"a result that is not text", "json", `{"output":[1, 2]}`, tool.Output{Text: "[1, 2]"}, false},
		{"a file", "json", `{"output":"","files":[{"name":"a.txt","data":"aGk="}]}`, tool.Output{Files: []tool.File{file}}, false},
		{
			"a file by its path",
			"json", `{"output":"","files":[{"path":"sub/a.txt"}]}`,
			tool.Output{Files: []tool.File{file}},
			false,
		},
		{"a file outside", "json", `{"output":"","files":[{"path":"../a.txt"}]}`, tool.Output{}, true},
		{"a file through a link", "json", `{"output":"","files":[{"path":"link"}]}`, tool.Output{}, true},
		{"a directory", "json", `{"output":"","files":[{"path":"sub"}]}`, tool.Output{}, true},
		{"a file without a name", "json", `{"output":"","files":[{"data":"aGk="}]}`, tool.Output{}, true},
		{"text in place of JSON", "json", "text", tool.Output{}, true},
		{"a result as text", "text", `{"output":"a"}`, tool.Output{Text: `{"output":"a"}`}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o700))
			write(t, dir, "sub/a.txt", "hi")
			require.NoError(t, os.Symlink("/etc/passwd", filepath.Join(dir, "link")))
			write(t, dir, "printed", tt.printed)
			got, _, err := call(t.Context(), t,
				method(t, dir, "        run: [cat, printed]\n        output: "+tt.form+"\n"), `{}`)
			require.Equal(t, tt.fails, err != nil, err)
			if err == nil {
				assert.Empty(t, cmp.Diff(tt.want, got))
			}
		})
	}
}

func TestEachInterpreterReadsTheArguments(t *testing.T) {
	for _, tt := range []struct{ interpreter, file, text string }{
		{"sh", "p.sh", "read line; echo \"$line\""},
		{"python3", "p.py", "import json, sys\nprint(json.dumps(json.load(sys.stdin)))"},
		{"node", "p.js", "process.stdin.on('data', d => console.log(JSON.stringify({output: JSON.parse(d)})))"},
	} {
		t.Run(tt.interpreter, func(t *testing.T) {
			processtest.Needs(t, tt.interpreter)
			dir := t.TempDir()
			write(t, dir, tt.file, tt.text)
			m := method(t, dir, "        run: ["+tt.interpreter+", "+tt.file+"]\n        parameters: {properties: {a: {}}}\n")
			out, _, err := call(t.Context(), t, m, `{"a":"末"}`)
			require.NoError(t, err)
			assert.JSONEq(t, `{"a":"末"}`, out.Text)
		})
	}
}

func TestFailuresHaveTypedErrors(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "fail.sh", "echo step >&2; echo 'no such note' >&2; exit 4")
	_, progress, err := call(t.Context(), t, method(t, dir, "        run: [sh, fail.sh]\n"), `{}`)
	assert.Equal(t, &command.ExitError{Status: 4, State: "exit status 4", Reason: "step\nno such note"}, err)
	assert.Equal(t, "step;no such note;", progress)

	write(t, dir, "quiet.sh", "echo printed; exit 1")
	_, _, err = call(t.Context(), t, method(t, dir, "        run: [sh, quiet.sh]\n"), `{}`)
	assert.Equal(t, &command.ExitError{Status: 1, State: "exit status 1", Reason: "printed"}, err)

	_, _, err = call(t.Context(), t, method(t, dir, "        run: [no-such-program]\n"), `{}`)
	require.ErrorAs(t, err, new(*process.NotFoundError))

	write(t, dir, "flood.sh", "while :; do echo 0123456789012345678901234567890123456789; done")
	_, _, err = call(t.Context(), t, method(t, dir, "        run: [sh, flood.sh]\n"), `{}`)
	require.ErrorAs(t, err, new(*command.OutputError))
}

func TestACanceledCallEndsAllItsProcesses(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "hang.sh", "sleep 600 & echo $! >&2; wait")
	m := method(t, dir, "        run: [sh, hang.sh]\n")
	ctx, cancel := context.WithCancel(t.Context())
	var child string
	_, err := m.Handler(ctx, &tool.Call{Arguments: json.RawMessage(`{}`), Progress: func(text string) { child = text; cancel() }})
	require.ErrorIs(t, err, context.Canceled)
	processtest.RequireGone(t, child)
}
