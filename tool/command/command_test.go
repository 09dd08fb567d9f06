//go:build unix

package command_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/message/messagetest"
	"github.com/vcpgo/vcp/internal/process"
	"github.com/vcpgo/vcp/internal/process/processtest"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/command"
	"github.com/vcpgo/vcp/tool/schema"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// write writes a file and returns its path.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// method returns the only method of a file with these fields.
func method(t *testing.T, dir, fields string) tool.Method {
	t.Helper()
	path := write(t, dir, "tools.yaml", "tools:\n  - id: t\n    methods:\n      - name: m\n        description: d\n"+fields)
	tools, err := command.Load(path)
	require.NoError(t, err)
	return tools[0].Methods[0]
}

// call runs a method with arguments that its schema accepts. It also returns the reported progress.
func call(ctx context.Context, t *testing.T, m tool.Method, arguments string) (tool.Output, string, error) {
	t.Helper()
	require.NoError(t, m.Parameters.Validate(json.RawMessage(arguments)))
	var progress strings.Builder
	out, err := m.Handler(ctx, &tool.Call{
		ID: "1", Arguments: json.RawMessage(arguments), Progress: func(text string) { progress.WriteString(text + ";") },
	})
	return out, progress.String(), err
}

func TestLoadReadsEachField(t *testing.T) {
	dir := t.TempDir()
	path := write(t, dir, "tools.yaml", `
tools:
  - id: notes
    title: Notes
    description: Notes of one line.
    aliases: [diary]
    tags: [text]
    concurrency: 1
    methods:
      - name: append_line
        title: Append
        description: Appends a line to the notes file.
        aliases: [add]
        tags: [write]
        risk: dangerous
        parameters: {type: object, properties: {line: {type: string}, n: {type: integer, default: 0x10}}, required: [line]}
        run: [sh, append.sh, --, "${line}"]
        timeout: 5s
        idempotent: true
        concurrency: 2
        secretParameters: [line]
        examples: [{line: "buy milk", n: 2}]
      - {name: list, description: Lists., run: [ls], timeout: 250ms, risk: read}
`)
	tools, err := command.Load(path)
	require.NoError(t, err)
	require.Len(t, tools, 1)
	r := tool.NewRegistry()
	require.NoError(t, r.Register(tools...))
	e, ok := r.Lookup("notes_append_line")
	require.True(t, ok)
	m := e.Method
	assert.Equal(t, []any{"notes", "Notes", "Notes of one line.", []string{"diary"}, []string{"text"}, 1},
		[]any{e.Tool.ID, e.Tool.Title, e.Tool.Description, e.Tool.Aliases, e.Tool.Tags, e.Tool.Concurrency})
	assert.Equal(t, []any{"Append", []string{"add"}, []string{"write"}, tool.RiskDangerous, 5 * time.Second, true, 2, []string{"line"}, true},
		[]any{m.Title, m.Aliases, m.Tags, m.Risk, m.Timeout, m.Idempotent, m.Concurrency, m.SecretParameters, m.AgentCallable})
	assert.Equal(t, []map[string]any{{"line": "buy milk", "n": 2.0}}, m.Examples)
	assert.Equal(t, "16", string(m.Parameters.Properties()[1].Default))
	assert.Nil(t, m.Preview, "a preview would show the secret")
	list, _ := r.Lookup("notes_list")
	assert.Equal(t, 250*time.Millisecond, list.Method.Timeout)
	preview, err := list.Method.Preview(t.Context(), json.RawMessage(`{}`))
	require.NoError(t, err)
	assert.Equal(t, "runs in "+dir+":\nls\n", preview)
}

func TestMistakesNameLineAndField(t *testing.T) {
	const head = "tools:\n  - id: t\n    methods:\n"
	const run = "        run: [ls]\n"
	one := func(fields string) string { return head + "      - name: m\n        description: d\n" + fields }
	for _, tt := range []struct {
		name, text string
		line       int
		field      string
		reason     string
	}{
		{"invalid YAML", "a: [", 1, "", ""},
		{"no tools", "tools: []\n", 1, "tools", "no tool is named"},
		{"an unknown field", one("        runn: [ls]\n"), 6, "tools[0].methods[0].runn", "did you mean run?"},
		{"no id", "tools:\n  - methods: [{name: m, description: d, run: [ls]}]\n", 2, "tools[0].id", "has no id"},
		{"an id twice", "tools:\n  - {id: t, methods: [{name: m, description: d, run: [ls]}]}\n  - {id: t, methods: []}\n", 3, "tools[1].id", "another tool"},
		{"no methods", "tools:\n  - id: t\n", 2, "tools[0].methods", "has no methods"},
		{"no name", head + "      - description: d\n" + run, 4, "tools[0].methods[0].name", "has no name"},
		{"no description", head + "      - name: m\n" + run, 4, "tools[0].methods[0].description", "is missing"},
		{"a name with a space", head + "      - name: a b\n        description: d\n" + run, 4, "tools[0].methods[0].name", "letters, digits"},
		{"a name twice", one(run) + "      - {name: m, description: d, run: [ls]}\n", 7, "tools[0].methods[1].name", "another method"},
		{"an alias twice", "tools:\n  - id: t\n    methods:\n      - {name: m, description: d, run: [ls], aliases: [x]}\n      - {name: n, description: d, run: [ls], aliases: [x]}\n", 5, "tools[0].methods[1]", "twice"},
		{"two methods with one full name", "tools:\n  - {id: t, methods: [{name: m_n, description: d, run: [ls]}]}\n  - {id: t_m, methods: [{name: n, description: d, run: [ls]}]}\n", 3, "tools[1].methods[0]", "twice"},
		{"no run", one(""), 4, "tools[0].methods[0].run", "is missing"},
		{"a command line as text", one("        run: sh append.sh ${x}\n"), 6, "tools[0].methods[0].run", "as a list"},
		{"a list within run", one("        run: [ls, [a]]\n"), 6, "tools[0].methods[0].run[1]", "a list"},
		{"the model chooses the program", one("        run: [\"${x}\", a]\n        parameters: {properties: {x: {type: string}}}\n"), 6, "tools[0].methods[0].run[0]", "fixed name"},
		{"a value in a script", one("        run: [bash, -ec, \"echo ${x}\"]\n        parameters: {properties: {x: {type: string}}}\n"), 6, "tools[0].methods[0].run[2]", "could run anything"},
		{"a value in a script of Python", one("        run: [env, A=1, /usr/bin/python3.12, -c, \"print(${x})\"]\n"), 6, "tools[0].methods[0].run[4]", "could run anything"},
		{"a value in a program of awk", one("        run: [awk, \"{print ${x}}\"]\n"), 6, "tools[0].methods[0].run[1]", "could run anything"},
		{"an unclosed parameter", one("        run: [ls, \"${x\"]\n"), 6, "tools[0].methods[0].run[1]", "$${"},
		{"an unknown parameter", one("        run:\n          - ls\n          - ${pth}\n        parameters: {properties: {path: {type: string}}}\n"), 8, "tools[0].methods[0].run[1]", "did you mean ${path}?"},
		{"a bad schema", one(run + "        parameters: {type: string}\n"), 7, "tools[0].methods[0].parameters", "schema"},
		{"an infinite number", one(run + "        parameters: {properties: {x: {maximum: .inf}}}\n"), 7, "tools[0].methods[0].parameters.properties.x.maximum", "number"},
		{"an unknown risk", one(run + "        risk: high\n"), 7, "tools[0].methods[0].risk", "read, write or dangerous"},
		{"a bad time limit", one(run + "        timeout: soon\n"), 7, "tools[0].methods[0].timeout", "such as \"5s\""},
		{"a time limit below zero", one(run + "        timeout: -5s\n"), 7, "tools[0].methods[0].timeout", "above 0"},
		{"an unknown output", one(run + "        output: xml\n"), 7, "tools[0].methods[0].output", "auto, text, json"},
		{"a value in env", one(run + "        env: [A=b]\n"), 7, "tools[0].methods[0].env[0]", "without values"},
		{"an example that does not fit", one(run + "        parameters: {properties: {n: {type: integer}}}\n        examples: [{n: x}]\n"), 8, "tools[0].methods[0].examples[0]", "does not fit"},
		{"an example that is not a mapping", one(run + "        examples: [x]\n"), 7, "tools[0].methods[0].examples[0]", "arguments of a call"},
		{"a secret that is not a parameter", one(run + "        secretParameters: [key]\n"), 7, "tools[0].methods[0].secretParameters[0]", "key"},
		{"a number for a text", one(run + "        title: 5\n"), 7, "tools[0].methods[0].title", "quotation marks"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := write(t, t.TempDir(), "tools.yaml", tt.text)
			_, err := command.Load(path)
			var mistakes command.FileErrors
			require.ErrorAs(t, err, &mistakes)
			first := mistakes[0]
			assert.Equal(t, command.FileError{Path: path, Line: tt.line, Field: tt.field, Reason: first.Reason}, *first)
			assert.Contains(t, first.Reason, tt.reason)
		})
	}
	_, err := command.Load(filepath.Join(t.TempDir(), "none.yaml"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// places returns the line and the field of each mistake.
func places(list command.FileErrors) (found []string) {
	for _, m := range list {
		found = append(found, strconv.Itoa(m.Line)+" "+m.Field)
	}
	return found
}

func TestAllMistakesAreFoundAtOnce(t *testing.T) {
	path := write(t, t.TempDir(), "tools.yaml", `version: 2
tools:
  - id: a b
    title: 5
    methods:
      - name: m
        descripton: Misspelled.
        run: ls
        risk: high
        timeout: soon
        secretParameters: [key, password]
        examples: [{n: x}, 5, {n: 1}, {other: 1}]
        parameters: {type: object, properties: {n: {type: integer}}, required: [n, m]}
  - methods: {}
  - id: b
    unknown: 1
    methods:
      - {name: m, description: d, run: [ls, "${nn}"], parameters: {type: text}, aliases: [good, "a b", [c]]}
      - {name: n, description: d, run: [no-such-program-here]}
      - {name: n, description: d, run: [ls]}
      - text
`)
	report, err := command.Check(path)
	var mistakes command.FileErrors
	require.ErrorAs(t, err, &mistakes)
	require.Nil(t, report.Tools)
	assert.Equal(t, []string{
		"1 version", "3 tools[0].id", "4 tools[0].title", "7 tools[0].methods[0].descripton", "8 tools[0].methods[0].run",
		"9 tools[0].methods[0].risk", "10 tools[0].methods[0].timeout", "11 tools[0].methods[0].secretParameters[0]",
		"11 tools[0].methods[0].secretParameters[1]", "12 tools[0].methods[0].examples[1]", "12 tools[0].methods[0].examples[0]",
		"12 tools[0].methods[0].examples[2]", "12 tools[0].methods[0].examples[3]", "14 tools[1].methods", "14 tools[1].id",
		"16 tools[2].unknown", "18 tools[2].methods[0].aliases[2]", "18 tools[2].methods[0].parameters", "18 tools[2].methods[0].aliases[1]",
		"20 tools[2].methods[2].name", "21 tools[2].methods[3]",
	}, places(mistakes))
	assert.Equal(t, []string{"13 tools[0].methods[0].parameters.required[1]", "19 tools[2].methods[1].run[0]"}, places(report.Warnings))
}

func TestCheckWarnsOfUndeclaredRequiredParameters(t *testing.T) {
	path := write(t, t.TempDir(), "tools.yaml", `tools:
  - id: t
    methods:
      - name: m
        description: d
        run: [cat]
        parameters:
          properties:
            path: {type: object, properties: {x: {}}, required: [x, y]}
            list: {type: array, items: {required: [z]}}
          required: [pth, path]
          anyOf: [{required: [w]}, {}]
`)
	report, err := command.Check(path)
	require.NoError(t, err)
	const parameters = "tools[0].methods[0].parameters"
	assert.Equal(t, []string{
		"9 " + parameters + ".properties.path.required[1]", "10 " + parameters + ".properties.list.items.required[0]", "11 " + parameters + ".required[0]",
	}, places(report.Warnings))
}

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
		{"numbers and truth values in run", `5, true`, `{}`, "5|true|"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "show.sh", `printf '%s|' "$@"`)
			out, _, err := call(t.Context(), t, method(t, dir, parameters+"        run: [sh, show.sh, "+tt.run+"]\n"), tt.arguments)
			require.NoError(t, err)
			assert.Equal(t, tt.want, out.Text)
		})
	}
	for name, arguments := range map[string]string{"a hyphen": `{"x":"-rf"}`, "two hyphens": `{"x":"--help"}`, "NUL": `{"x":"a\u0000b"}`} {
		t.Run(name, func(t *testing.T) {
			_, _, err := call(t.Context(), t, method(t, t.TempDir(), parameters+"        run: [ls, \"${x}\"]\n"), arguments)
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

func TestValuesOfSecretVariablesAreSecrets(t *testing.T) {
	t.Setenv("VCP_TEST_TOKEN", "hidden-value")
	t.Setenv("VCP_TEST_LEVEL", "information")
	path := write(t, t.TempDir(), "tools.yaml", "tools:\n  - id: a\n    methods:\n      - name: b\n        description: does b\n"+
		"        run: [sh, -c, env]\n        env: [VCP_TEST_TOKEN, VCP_TEST_LEVEL]\n")
	tools, err := command.Load(path)
	require.NoError(t, err)
	assert.Equal(t, []string{"hidden-value"}, tools[0].Secrets)
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
		{"a file by its path", "json", `{"output":"","files":[{"path":"sub/a.txt"}]}`, tool.Output{Files: []tool.File{file}}, false},
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
			got, _, err := call(t.Context(), t, method(t, dir, "        run: [cat, printed]\n        output: "+tt.form+"\n"), `{}`)
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

func TestEachTextIsTranslated(t *testing.T) {
	messagetest.Check(t, chinese.Command, map[string]int{"Text": 0, "argumentError": 1})
}

// TestProblemsAreTranslated checks that a model with a Chinese prompt reads no English sentence
// about a program that failed.
func TestProblemsAreTranslated(t *testing.T) {
	for name, tt := range map[string]struct{ fields, arguments string }{
		"exit status": {"        run: [sh, -c, exit 3]\n", `{}`},
		"much output": {"        run: [sh, -c, 'while :; do echo 0123456789012345678901234567890123456789; done']\n", `{}`},
		"no result":   {"        run: [echo, '{\"files\": []}']\n        output: json\n", `{}`},
		"two results": {"        run: [echo, '{\"output\": 1} 2']\n        output: json\n", `{}`},
		"a file":      {"        run: [echo, '{\"output\": 1, \"files\": [{\"data\": \"\"}]}']\n", `{}`},
		"a directory": {"        run: [echo, '{\"output\": 1, \"files\": [{\"path\": \".\"}]}']\n", `{}`},
		"an option":   {"        run: [echo, '${a}']\n        parameters: {properties: {a: {}}}\n", `{"a":"-x"}`},
		"NUL":         {"        run: [echo, '${a}']\n        parameters: {properties: {a: {}}}\n", `{"a":"\u0000"}`},
	} {
		t.Run(name, func(t *testing.T) {
			m := method(t, t.TempDir(), tt.fields)
			_, err := m.Handler(t.Context(), &tool.Call{ID: "1", Arguments: json.RawMessage(tt.arguments), Language: "zh", Progress: func(string) {}})
			require.Error(t, err)
			text := message.In(err, "zh")
			assert.NotRegexp(t, `[A-Za-z]+ [a-z]+ [a-z]+`, text)
			assert.Regexp(t, `\p{Han}`, text)
		})
	}
}

func TestFailuresAreTyped(t *testing.T) {
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

// TestAChangedFileIsReadAgain also checks that the last good version of the file stays in use when
// the file becomes invalid.
func TestAChangedFileIsReadAgain(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "tools.yaml")
	file := func(name string) string {
		return "tools: [{id: t, methods: [{name: " + name + ", description: d, run: [ls]}]}]\n"
	}
	synctest.Test(t, func(t *testing.T) {
		r := tool.NewRegistry()
		sources := tool.NewSources(r)
		defer sources.Close()
		require.NoError(t, sources.Add(command.NewSource(path)))
		state := func() (tool.Health, string, string) {
			time.Sleep(2 * time.Second) // on the clock of synctest
			synctest.Wait()
			p := sources.Providers()[0]
			require.Equal(t, "commands "+path, p.Source)
			full := ""
			for _, e := range r.Entries() {
				full += e.FullName
			}
			return p.Health, p.Reason, full
		}
		check := func(health tool.Health, reason, methods, why string) {
			t.Helper()
			gotHealth, gotReason, gotMethods := state()
			assert.Equal(t, []any{health, methods}, []any{gotHealth, gotMethods}, why)
			assert.Contains(t, gotReason, reason)
		}
		check(tool.HealthDown, "no such file", "", "there is no file")
		write(t, dir, "tools.yaml", file("one"))
		check(tool.HealthUp, "", "t_one", "the file is there")
		held, _ := r.Lookup("t_one")
		write(t, dir, "tools.yaml", file("two")+"x: 1\n")
		check(tool.HealthDegraded, "tools.yaml:2: x: ", "t_one", "an invalid file")
		now, _ := r.Lookup("t_one")
		assert.Same(t, held, now)
		require.NoError(t, os.Remove(path))
		check(tool.HealthDegraded, "no such file", "t_one", "no file")
		write(t, dir, "tools.yaml", file("three"))
		check(tool.HealthUp, "", "t_three", "a valid file")
	})
}

func TestCheckWarnsOfMissingFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "here.sh", "")
	path := write(t, dir, "tools.yaml", `
tools:
  - id: t
    methods:
      - {name: a, description: d, run: [sh, here.sh]}
      - {name: b, description: d, run: [no-such-program, gone.py, /gone.sh]}
      - {name: c, description: d, run: [ls], dir: gone}
`)
	report, err := command.Check(path)
	require.NoError(t, err)
	require.Len(t, report.Tools[0].Methods, 3)
	assert.Equal(t, []string{
		"6 tools[0].methods[1].run[0]", "6 tools[0].methods[1].run[1]", "6 tools[0].methods[1].run[2]", "7 tools[0].methods[2].run",
	}, places(report.Warnings))
	_, err = command.Check(write(t, dir, "bad.yaml", "tools: []"))
	require.ErrorAs(t, err, new(command.FileErrors))
}

func TestNewWritesAFileThatRuns(t *testing.T) {
	dir := t.TempDir()
	file, script, err := command.New(dir, "hello-2")
	require.NoError(t, err)
	assert.Equal(t, []string{filepath.Join(dir, "hello-2.yaml"), filepath.Join(dir, "hello-2.sh")}, []string{file, script})
	report, err := command.Check(file)
	require.NoError(t, err)
	assert.Empty(t, report.Warnings)
	m := report.Tools[0].Methods[0]
	assert.Equal(t, []any{"hello-2_greet", tool.RiskRead}, []any{m.FullName, m.Risk})
	out, progress, err := call(t.Context(), t, m, `{"name":"Ann $(id)","language":"zh"}`)
	require.NoError(t, err)
	assert.Equal(t, "你好，Ann $(id)！", out.Text)
	assert.Contains(t, progress, `{"name":"Ann $(id)","language":"zh"}`)

	// Each field in the comments of the template exists.
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	_, more, found := strings.Cut(string(text), "# More fields:\n")
	require.True(t, found)
	fields := strings.ReplaceAll("\n"+more, "\n        # ", "\n        ")
	fields = strings.Replace(fields, "[password]", "[name]", 1)
	write(t, dir, "all.yaml", strings.Replace(string(text), more, fields, 1))
	_, err = command.Check(filepath.Join(dir, "all.yaml"))
	require.NoError(t, err)

	_, _, err = command.New(dir, "hello-2")
	require.ErrorIs(t, err, os.ErrExist)
	write(t, dir, "other.sh", "")
	_, _, err = command.New(dir, "other")
	require.ErrorIs(t, err, os.ErrExist)
	assert.NoFileExists(t, filepath.Join(dir, "other.yaml"))
	for _, name := range []string{"", "../x", "a b", "-a", "a/b", strings.Repeat("a", 41)} {
		_, _, err = command.New(dir, name)
		require.Error(t, err, name)
	}
}
