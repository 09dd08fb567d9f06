package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
)

// words splits a command line as a shell does, up to a pipe or a redirection. Quotation marks are
// the only other syntax that it knows.
func words(t *testing.T, line string) []string {
	t.Helper()
	var (
		list   []string
		word   strings.Builder
		quote  rune // 0 outside of quotation marks
		inWord bool
	)
	end := func() {
		if inWord {
			list = append(list, word.String())
		}
		word.Reset()
		inWord = false
	}
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, inWord = r, true
		case quote == 0 && (r == ' ' || r == '\t'):
			end()
		case quote == 0 && (r == '|' || r == '<' || r == '>'):
			end()
			return list
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	require.Zero(t, quote, "a quote is open in %s", line)
	end()
	return list
}

// commandLines returns the command lines in text that run vcp, without the name of the program.
func commandLines(t *testing.T, text string) [][]string {
	t.Helper()
	var lines [][]string
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "$ ")
		if _, after, piped := strings.Cut(strings.ReplaceAll(line, "go run ./cmd/vcp ", "vcp "), "| vcp "); piped {
			line = "vcp " + after
		}
		for _, program := range []string{"vcp ", "go run ./cmd/vcp "} {
			if rest, ok := strings.CutPrefix(line, program); ok {
				lines = append(lines, words(t, strings.TrimSuffix(rest, " &"))) // the & is the shell's
			}
		}
	}
	return lines
}

// checkCommandLine checks that a command line names an existing command with valid flags and
// arguments.
func checkCommandLine(t *testing.T, args []string) {
	t.Helper()
	root := newRoot(cli.Streams{In: strings.NewReader(""), Out: &strings.Builder{}, Err: &strings.Builder{}})
	require.NoError(t, unknownCommand(root, args))
	cmd, rest, err := root.Find(args)
	require.NoError(t, err)
	if err := cmd.ParseFlags(rest); err != nil { // --help ends the parsing with an error
		require.ErrorContains(t, err, "help requested", "vcp %q", args)
		return
	}
	require.NoError(t, cmd.ValidateArgs(cmd.Flags().Args()), "vcp %q", args)
}

func TestHelpExamplesAreValid(t *testing.T) {
	root := newRoot(cli.Streams{In: strings.NewReader(""), Out: &strings.Builder{}, Err: &strings.Builder{}})
	commands := append([]*cobra.Command{root}, root.Commands()...)
	var names []string
	for _, c := range commands {
		names = append(names, c.Name())
		t.Run(c.Name(), func(t *testing.T) {
			args := strings.Fields(c.CommandPath())[1:]
			o := runArgs(t, append(args, "--help")...)
			o.succeeded(t)
			require.Contains(t, o.stdout, "Examples:")
			require.Contains(t, o.stdout, c.Example)
			examples := commandLines(t, c.Example)
			require.NotEmpty(t, examples)
			for _, example := range examples {
				checkCommandLine(t, example)
			}
			if c != root {
				require.Equal(t, o.stdout, runArgs(t, "help", c.Name()).stdout)
				require.Equal(t, c.Name(), examples[0][0], "the first example is of the command itself")
			}
		})
	}
	for _, want := range []string{"chat", "parse", "prompt", "tools", "call", "config", "demo-model", "version"} {
		require.Contains(t, names, want)
	}
}

// readFile returns the text of a file of the repository.
func readFile(t *testing.T, name string) string {
	t.Helper()
	return textOfFile(t, filepath.Join(repository, name))
}

// readmeQuestion and readmeReply are the inputs of the README's two commands.
const (
	readmeQuestion = "What is 17*23, and which files are in scripts/?"
	readmeReply    = "Let me look.\n" +
		"<<<[TOOL_REQUEST]>>>tool_name:「始」files_list「末」,path:「始」docs「末」<<<[END_TOOL_REQUEST]>>>"
)

// The README begins with two commands and their output. Durations differ from run to run, and the
// sizes of files from version to version.
func TestREADMEShowsRealOutput(t *testing.T) {
	durations := regexp.MustCompile(`ok, [0-9.]+(µs|ms|s)`)
	sizes := regexp.MustCompile(`\([0-9]+ bytes, [0-9]+ lines\)`)
	fixed := func(text string) string {
		return sizes.ReplaceAllString(durations.ReplaceAllString(text, "ok, 1ms"), "(2 bytes, 1 line)")
	}
	blocks := strings.Split(readFile(t, "README.md"), "```\n")
	for i, want := range []struct {
		command string
		run     invocation
	}{
		{`go run ./cmd/vcp chat "` + readmeQuestion + `"`, invocation{args: []string{"chat", readmeQuestion}}},
		{
			`printf '` + strings.ReplaceAll(readmeReply, "\n", `\n`) + `' | go run ./cmd/vcp parse`,
			invocation{args: []string{"parse"}, stdin: readmeReply},
		},
	} {
		command, output, _ := strings.Cut(blocks[2*i+1], "\n")
		require.Equal(t, "$ "+want.command, command)
		got := want.run.run(t)
		require.Equal(t, cli.ExitOK, got.status, got.stderr)
		require.Equal(t, fixed(got.stdout), fixed(output))
	}
	intro, _, _ := strings.Cut(blocks[0], "\n\nAsk")
	require.LessOrEqual(t, strings.Count(intro, ". ")+strings.Count(intro, ".\n"), 3, "at most three sentences come first")
}

func TestCommandsInTheDocumentsExist(t *testing.T) {
	for _, name := range []string{
		"README.md", "docs/parse.md", "docs/execution.md", "docs/configuration.md", "docs/tools.md",
	} {
		text := readFile(t, name)
		found := 0
		for i, block := range strings.Split(text, "```") {
			if i%2 == 0 || strings.HasPrefix(block, "go\n") || strings.Contains(block, "[FILE|-]") {
				continue // text, Go code, or a usage line
			}
			for _, args := range commandLines(t, block) {
				found++
				checkCommandLine(t, args)
			}
		}
		if name == "README.md" {
			require.GreaterOrEqual(t, found, 3)
		}
	}
}

func TestTheDocumentOfParseNamesEachFlag(t *testing.T) {
	text := readFile(t, "docs/parse.md")
	root := newRoot(cli.Streams{})
	cmd, _, err := root.Find([]string{"parse"})
	require.NoError(t, err)
	for line := range strings.Lines(cmd.Flags().FlagUsages()) {
		for _, word := range strings.Fields(line) {
			if strings.HasPrefix(word, "--") && word != "--jsonl," { // the comma is from the help of --finish
				require.Contains(t, text, "`"+word+"`", "the table of flags")
			}
		}
	}
}

// The table of docs/configuration.md is compared with the fields of the command.
func TestTheDocumentOfTheConfigurationListsItsFields(t *testing.T) {
	text := readFile(t, "docs/configuration.md")
	const head = "\n| field | takes | default | what it does | flag |\n|---|---|---|---|---|\n"
	_, table, found := strings.Cut(text, head)
	require.True(t, found, "a table headed %s", head)
	table, _, _ = strings.Cut(table, "\n\n")
	var want []string
	for _, f := range configuration.Fields {
		initial, flag := "none", ""
		if f.Default != "" {
			initial = "`" + f.Default + "`"
		}
		if f.FlagName() != "" {
			flag = "`--" + f.FlagName() + "` "
		}
		want = append(want, fmt.Sprintf("| %#q | %s | %s | %s | %s|", f.Name, f.Allowed, initial, f.Description, flag))
	}
	require.Equal(t, strings.Join(want, "\n"), strings.TrimSpace(table))
	for _, page := range []string{"README.md", "docs/execution.md"} {
		require.Contains(t, readFile(t, page), "configuration.md)", "%s has no link to docs/configuration.md", page)
	}
}

func TestTheExampleOfAConfigurationIsValid(t *testing.T) {
	_, rest, found := strings.Cut(readFile(t, "docs/configuration.md"), "```yaml\n")
	require.True(t, found)
	example, _, _ := strings.Cut(rest, "```")
	path := filepath.Join(t.TempDir(), "config.yaml")
	require.NoError(t, os.WriteFile(path, []byte(example), 0o600))
	showConfig(t, nil, "--config", path)
}

func TestACommandHasOnlyTheFlagsThatAffectIt(t *testing.T) {
	visibility := []string{"root", "enabled", "tool-toggles", "default-tool-enabled", "result-tokens"}
	approvals := append([]string{"approve", "require-confirmation"}, visibility...)
	for command, want := range map[string][]string{
		"tools":  approvals,
		"prompt": append([]string{"protocol"}, visibility...),
		"call":   append([]string{"timeout", "save-files", "chart-font"}, approvals...),
		"eval":   {"model", "base-url", "protocol"},
	} {
		cmd, _, err := newRoot(cli.Streams{}).Find([]string{command})
		require.NoError(t, err)
		var have []string
		for _, f := range configuration.Fields {
			if name := f.FlagName(); name != "" && cmd.Flags().Lookup(name) != nil {
				have = append(have, name)
			}
		}
		require.ElementsMatch(t, want, have, command)
		for _, source := range []string{"tools", "plugins", "mcp"} {
			require.Equal(t, command != "eval", cmd.Flags().Lookup(source) != nil, "--%s of %s", source, command)
		}
	}
}

func TestHelpNamesTheDefaultsOfFlags(t *testing.T) {
	help := runArgs(t, "chat", "--help").stdout
	for _, part := range []string{
		"(default 10)", "no limit (default 0)", "(default 30s)", "--protocol vcp|hermes|qwencoder|auto", "(default read)",
	} {
		require.Contains(t, help, part)
	}
	require.Contains(t, runArgs(t, "call", "--help").stdout, "0 means all of it (default 0)")
}

// TestREADMECodeIsTested compares the Go code of the README with the example test that runs it.
func TestREADMECodeIsTested(t *testing.T) {
	_, rest, found := strings.Cut(readFile(t, "README.md"), "```go\n")
	require.True(t, found)
	code, _, _ := strings.Cut(rest, "```")
	require.Contains(t, readFile(t, "example_test.go"), code)
	require.LessOrEqual(t, strings.Count(code, "\n"), 50, "the code stays short")
}

func TestREADMELinksExist(t *testing.T) {
	for i, part := range strings.Split(readFile(t, "README.md"), "](") {
		if i == 0 {
			continue
		}
		target, _, _ := strings.Cut(part, ")")
		_, err := os.Stat(filepath.Join(repository, target))
		require.NoError(t, err)
	}
}
