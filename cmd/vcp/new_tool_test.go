package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// TestANewToolWorks follows what vcp tools new says.
func TestANewToolWorks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	dir := t.TempDir()
	run := func(args ...string) outcome { return invocation{args: args, dir: dir}.run(t) }
	o := run("tools", "new", "hello")
	o.succeeded(t)
	lines := commandLines(t, o.stdout)
	require.Len(t, lines, 3)
	o = run(lines[0]...)
	o.succeeded(t)
	require.Equal(t, "hello.yaml is correct:\n  hello_greet name [language]\n", o.stdout)
	o = run(lines[1]...)
	o.succeeded(t)
	require.Equal(t, "Hello, Ann!\n", o.stdout)
	o = run(lines[2]...)
	require.Equal(t, cli.ExitOK, o.status, o.stderr)
	require.Contains(t, o.stdout, "[tool] hello_greet")
}

func TestMistakesInToolFilesAreReported(t *testing.T) {
	dir := t.TempDir()
	run := func(args ...string) outcome { return invocation{args: args, dir: dir}.run(t) }
	run("tools", "new", "hello").succeeded(t)
	run("tools", "new", "hello").reported(t, cli.ExitFailure, "file already exists")
	run("tools", "new").reported(t, cli.ExitUsage, "name one tool")
	run("tools", "chek", "hello.yaml").reported(t, cli.ExitUsage, "did you mean vcp tools check?")
	const bad = "tools:\n  - id: a\n    methods:\n      - run: [ls]\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bad.yaml"), []byte(bad), 0o600))
	o := run("tools", "check", "hello.yaml", "bad.yaml")
	require.Equal(t, cli.ExitFailure, o.status)
	require.Contains(t, o.stdout, "hello.yaml is correct")
	require.Contains(t, o.stderr, "bad.yaml:4: tools[0].methods[0].name: ")
	require.Contains(t, o.stderr, "bad.yaml:4: tools[0].methods[0].description: ")
}

// TestTheDocumentOfToolsWorks runs the first tool of docs/tools.md, and reads the configurations in
// that document and the sources in docs/mcp.md.
func TestTheDocumentOfToolsWorks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	dir := t.TempDir()
	yamlBlocks := func(document string) (list []string) {
		for i, block := range strings.Split(readFile(t, document), "```") {
			if i%2 == 1 && strings.HasPrefix(block, "yaml\n") {
				list = append(list, strings.TrimPrefix(block, "yaml\n"))
			}
		}
		return list
	}
	yaml := yamlBlocks("docs/tools.md") // sources, the file of a tool, overrides
	read := func(config, field string) any {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "vcp.yaml"), []byte(config), 0o600))
		return showConfig(t, []string{"DOCS_TOKEN=t"}, "--config", filepath.Join(dir, "vcp.yaml")).field(field)[0]
	}
	require.Len(t, read(yaml[0], "sources"), 3)
	require.Len(t, read(yaml[2], "toolOverrides"), 2)
	require.Len(t, read(yamlBlocks("docs/mcp.md")[0], "sources"), 3)

	_, script, found := strings.Cut(readFile(t, "docs/tools.md"), "next to it:\n\n```\n")
	require.True(t, found)
	script, _, _ = strings.Cut(script, "```")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "append.sh"), []byte(script), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "notes.yaml"), []byte(yaml[1]), 0o600))
	const allow = "sources: [{commands: notes.yaml}]\napprove: all\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "allow.yaml"), []byte(allow), 0o600))
	for range 2 {
		args := []string{"call", "--config", "allow.yaml", "notes_append", "line=buy milk"}
		o := invocation{args: args, dir: dir}.run(t)
		o.succeeded(t)
		require.Equal(t, "The line is noted.\n", o.stdout)
	}
	notes, err := os.ReadFile(filepath.Join(dir, "notes.txt"))
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("{\"line\":\"buy milk\"}\n", 2), string(notes))
}
