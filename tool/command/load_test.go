//go:build unix

package command_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/command"
)

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
	assert.Equal(t,
		[]any{"Append", []string{"add"}, []string{"write"}, tool.RiskDangerous, 5 * time.Second},
		[]any{m.Title, m.Aliases, m.Tags, m.Risk, m.Timeout})
	assert.Equal(t, []any{true, 2, []string{"line"}, true},
		[]any{m.Idempotent, m.Concurrency, m.SecretParameters, m.AgentCallable})
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
		{
			"an id twice",
			"tools:\n  - {id: t, methods: [{name: m, description: d, run: [ls]}]}\n  - {id: t, methods: []}\n", 3,
			"tools[1].id", "another tool",
		},
		{"no methods", "tools:\n  - id: t\n", 2, "tools[0].methods", "has no methods"},
		{"no name", head + "      - description: d\n" + run, 4, "tools[0].methods[0].name", "has no name"},
		{"no description", head + "      - name: m\n" + run, 4, "tools[0].methods[0].description", "is missing"},
		{
			"a name with a space",
			head + "      - name: a b\n        description: d\n" + run, 4, "tools[0].methods[0].name", "letters, digits",
		},
		{
			"a name twice",
			one(run) + "      - {name: m, description: d, run: [ls]}\n", 7, "tools[0].methods[1].name", "another method",
		},
		{
			"an alias twice",
			"tools:\n  - id: t\n    methods:\n      - {name: m, description: d, run: [ls], aliases: [x]}\n" +
				"      - {name: n, description: d, run: [ls], aliases: [x]}\n",
			5, "tools[0].methods[1]", "twice",
		},
		{
			"two methods with one full name",
			"tools:\n  - {id: t, methods: [{name: m_n, description: d, run: [ls]}]}\n" +
				"  - {id: t_m, methods: [{name: n, description: d, run: [ls]}]}\n",
			3, "tools[1].methods[0]", "twice",
		},
		{"no run", one(""), 4, "tools[0].methods[0].run", "is missing"},
		{"a command line as text", one("        run: sh append.sh ${x}\n"), 6, "tools[0].methods[0].run", "as a list"},
		{"a list within run", one("        run: [ls, [a]]\n"), 6, "tools[0].methods[0].run[1]", "a list"},
		{
			"the model chooses the program",
			one("        run: [\"${x}\", a]\n        parameters: {properties: {x: {type: string}}}\n"), 6,
			"tools[0].methods[0].run[0]", "fixed name",
		},
		{
			"a value in a script",
			one("        run: [bash, -ec, \"echo ${x}\"]\n        parameters: {properties: {x: {type: string}}}\n"),
			6, "tools[0].methods[0].run[2]", "could run anything",
		},
		{
			"a value in a script of Python",
			one("        run: [env, A=1, /usr/bin/python3.12, -c, \"print(${x})\"]\n"), 6,
			"tools[0].methods[0].run[4]", "could run anything",
		},
		{
			"a value in a program of awk",
			one("        run: [awk, \"{print ${x}}\"]\n"), 6, "tools[0].methods[0].run[1]", "could run anything",
		},
		{"an unclosed parameter", one("        run: [ls, \"${x\"]\n"), 6, "tools[0].methods[0].run[1]", "$${"},
		{
			"an unknown parameter",
			one("        run:\n          - ls\n          - ${pth}\n        parameters: {properties: {path: {type: string}}}\n"),
			8, "tools[0].methods[0].run[1]", "did you mean ${path}?",
		},
		{"a bad schema", one(run + "        parameters: {type: string}\n"), 7, "tools[0].methods[0].parameters", "schema"},
		{
			"an infinite number", one(run + "        parameters: {properties: {x: {maximum: .inf}}}\n"), 7,
			"tools[0].methods[0].parameters.properties.x.maximum", "number",
		},
		{"an unknown risk", one(run + "        risk: high\n"), 7, "tools[0].methods[0].risk", "read, write or dangerous"},
		{"a bad time limit", one(run + "        timeout: soon\n"), 7, "tools[0].methods[0].timeout", "such as \"5s\""},
		{"a time limit below zero", one(run + "        timeout: -5s\n"), 7, "tools[0].methods[0].timeout", "above 0"},
		{"an unknown output", one(run + "        output: xml\n"), 7, "tools[0].methods[0].output", "auto, text, json"},
		{"a value in env", one(run + "        env: [A=b]\n"), 7, "tools[0].methods[0].env[0]", "without values"},
		{
			"an example that does not fit",
			one(run + "        parameters: {properties: {n: {type: integer}}}\n        examples: [{n: x}]\n"), 8,
			"tools[0].methods[0].examples[0]", "does not fit",
		},
		{
			"an example that is not a mapping",
			one(run + "        examples: [x]\n"), 7, "tools[0].methods[0].examples[0]", "arguments of a call",
		},
		{
			"a secret that is not a parameter",
			one(run + "        secretParameters: [key]\n"), 7, "tools[0].methods[0].secretParameters[0]", "key",
		},
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
	assert.Equal(t, []string{"13 tools[0].methods[0].parameters.required[1]", "19 tools[2].methods[1].run[0]"},
		places(report.Warnings))
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
		"9 " + parameters + ".properties.path.required[1]",
		"10 " + parameters + ".properties.list.items.required[0]", "11 " + parameters + ".required[0]",
	}, places(report.Warnings))
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
