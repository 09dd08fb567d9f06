package eval_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/eval"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// suiteOf writes a document to a file and loads it as a suite.
func suiteOf(t *testing.T, document string) (*eval.Suite, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.yaml")
	if err := os.WriteFile(path, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	return eval.LoadSuite(path)
}

const smallSuite = `
name: small
tools:
  notes_save:
    description: Saves a note.
    changes: true
    parameters: {type: object, properties: {title: {type: string}, text: {type: string}}, required: [title, text]}
    results:
      - {when: {title: secret}, error: "{title} is not allowed"}
      - {when: {title: later}, times: 1, error: busy}
      - {when: {title: long}, log: {lines: 3, line: "{n}: {text}", at: {"2": "two: {text}"}}}
      - {result: "saved {title}", file: "notes/{title}.txt", content: "{text}"}
tasks:
  - id: note
    kind: effect
    user: Save x as the note a.
    files: {keep.txt: kept}
    iterations: 11
    logs: [{path: long.txt, lines: 3, line: "line {n}", at: {"2": two}}]
    tools: [files, notes_save]
    check:
      calls: [{name: notes_save, arguments: {title: a, text: x}}]
      files: {notes/a.txt: x, keep.txt: kept, notes/b.txt: ""}
      answer: [done]
      never: [sorry]
  - id: talk
    user: Say hello.
    tools: [clock]
    check: {noCalls: true, answer: ["^hello"]}
`

func TestInvalidSuitesAreRefused(t *testing.T) {
	// lines returns the fields of a log of 100,000 lines. Each line is part, n times.
	lines := func(part string, n int) string { return `lines: 100000, line: "` + strings.Repeat(part, n) + `"` }
	tests := []struct{ name, document, want string }{
		{"no tasks", "name: a\n", "no tasks"},
		{"an unknown field", "name: a\ntask: []\n", `"task"`},
		{"a task without an id", "tasks: [{user: a}]\n", "id is missing"},
		{"a task without a message", "tasks: [{id: a}]\n", "user is missing"},
		{"two tasks of one id", "tasks: [{id: a, user: b}, {id: a, user: c}]\n", `another task "a"`},
		{"a language that does not exist", "tasks: [{id: a, user: b, language: de}]\n", `language is "de"`},
		{"a tool that does not exist", "tasks: [{id: a, user: b, tools: [shell]}]\n", `no tool "shell"`},
		{"an invalid pattern", "tasks: [{id: a, user: b, check: {answer: [a, \"(\"]}}]\n", "tasks[0] (a): check.answer[1]: missing closing )"},
		{
			"an invalid pattern of a result", "tools: {a_b: {results: [{when: {c: \"(\"}}]}}\ntasks: [{id: a, user: b}]\n",
			"tools.a_b: results[0].when.c: missing closing )",
		},
		{"a negative number", "tasks: [{id: a, user: b, iterations: -1}]\n", "iterations must not be negative (got -1)"},
		{
			"a log without lines", "tools: {a_b: {results: [{log: {lines: 0}}]}}\ntasks: [{id: a, user: b}]\n",
			"tools.a_b: results[0].log: a log has 0 lines",
		},
		{"a log that is too long", "tasks: [{id: a, user: b, logs: [{path: l, lines: 1000000}]}]\n", "1 to 100000"},
		{
			"a log with too many bytes", "tasks: [{id: a, user: b, logs: [{path: l, " + lines("x", 500) + "}]}]\n",
			"tasks[0] (a): logs: l: the text has 50100000 bytes or more; at most 16777216 are allowed",
		},
		{
			"logs with too many bytes together",
			"tasks: [{id: a, user: b, logs: [{path: k, " + lines("x", 100) + "}, {path: l, " + lines("x", 100) + "}]}]\n",
			"tasks[0] (a): logs: the logs up to l have 20200000 bytes; at most 16777216 are allowed",
		},
		{
			"a result with too many bytes",
			"tools: {a_b: {results: [{log: {lines: 2, line: \"{n}\", at: {\"2\": b}}}, {log: {" + lines("{n}", 60) + "}}]}}\n" +
				"tasks: [{id: a, user: b}]\n",
			"tools.a_b: results[1].log: the text has 29433700 bytes or more",
		},
		{
			"parameters that are not a schema",
			"tools: {a_b: {parameters: {type: 7}}}\ntasks: [{id: a, user: b}]\n", "tools.a_b",
		},
		{
			"a number that JSON does not have", "tasks: [{id: a, user: b, logs: [{path: l, lines: .inf}]}]\n",
			"a number that JSON can express",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := suiteOf(t, tt.document); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

// TestValuesOfACallMakeNoLongText has a model write an argument that a result repeats so often that
// the text would have about 20 MB.
func TestValuesOfACallMakeNoLongText(t *testing.T) {
	for field, result := range map[string]string{
		"result":  `{result: "FILL"}`,
		"error":   `{error: "FILL"}`,
		"log":     `{log: {lines: 10000, line: "{text}"}}`,
		"at":      `{log: {lines: 2, line: x, at: {"2": "FILL"}}}`,
		"content": `{file: f.txt, content: "FILL"}`,
	} {
		t.Run(field, func(t *testing.T) {
			s, err := suiteOf(t, "tools: {a_b: {description: d, parameters: {properties: {text: {}}}, results: ["+
				strings.Replace(result, "FILL", strings.Repeat("{text}", 10000), 1)+"]}}\n"+
				"tasks: [{id: a, user: b, tools: [a_b], check: {files: {f.txt: \"\"}}}]\n")
			if err != nil {
				t.Fatal(err)
			}
			model := &scriptedModel{replies: []string{request(t, "a_b", "text", strings.Repeat("x", 2000))}}
			try, err := s.Tasks[0].Run(t.Context(), eval.Variant{Model: model, Protocol: vcp.Protocol{}})
			if err != nil || !try.Solved() {
				t.Errorf("error %v, failures %v; want the task solved", err, try.Failures)
			}
			if len(model.read) < 2 || !strings.Contains(model.read[1], "at most 16777216 are allowed") {
				t.Errorf("the model reads %.200q, want the limit in the second message", model.read)
			}
		})
	}
}

func TestTheSuiteInTheDocumentCanBeSolved(t *testing.T) {
	document, err := os.ReadFile("../docs/evaluation.md")
	if err != nil {
		t.Fatal(err)
	}
	_, fenced, _ := strings.Cut(string(document), "```yaml\n")
	text, _, _ := strings.Cut(fenced, "```")
	s, err := suiteOf(t, text)
	if err != nil {
		t.Fatal(err)
	}
	book := func(room string) string { return request(t, "rooms_book", "room", room, "hour", "10") }
	model := &scriptedModel{replies: []string{book("4.12"), book("4.15"), "Room 4.15 is booked."}}
	try, err := s.Tasks[0].Run(t.Context(), eval.Variant{Model: model, Protocol: vcp.Protocol{}})
	if err != nil || !try.Solved() {
		t.Errorf("error %v, failures %v; want the task solved", err, try.Failures)
	}
}
