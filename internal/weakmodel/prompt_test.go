package weakmodel_test

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/discovery"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin"
)

// promptHead matches the first two lines of the table of prompts in docs/evaluation.md. promptRow
// matches each of the other lines.
var (
	promptHead = regexp.MustCompile(`(?m)^\| prompt \|.*\n.*\n`)
	promptRow  = regexp.MustCompile(`(?m)^\| (instructions|all methods), (en|zh) \|.*\n`)
)

// TestInstructionsDoNotGrow compares the lengths of prompts with the table of docs/evaluation.md.
// Definitions of methods may grow.
func TestInstructionsDoNotGrow(t *testing.T) {
	document, err := os.ReadFile(evaluation)
	if err != nil {
		t.Fatal(err)
	}
	rows := promptRow.FindAllSubmatch(document, -1)
	if len(rows) != 4 {
		t.Fatalf("%s has %d rows of prompts, want 4", evaluation, len(rows))
	}
	for _, row := range rows {
		what, language := string(row[1]), string(row[2])
		cells := strings.Split(strings.Trim(string(row[0]), "| \n"), " | ")[1:]
		for i, p := range protocols {
			tokens := promptTokens(t, p, what, language)
			if *update {
				continue
			}
			if i >= len(cells) {
				t.Fatalf("%s has no column for %s; run this test with -update", evaluation, p.ID())
			}
			if documented, err := strconv.Atoi(cells[i]); err != nil || tokens > documented && what == "instructions" {
				t.Errorf("%s, %s: the instructions have %d tokens, and %s according to the table (%v); "+
					"if the growth is worth it, run this test with -update", p.ID(), language, tokens, cells[i], err)
			}
		}
	}
	if *update {
		written := promptRow.ReplaceAllStringFunc(string(document), func(line string) string {
			row := promptRow.FindStringSubmatch(line)
			cells := fmt.Sprintf("| %s, %s |", row[1], row[2])
			for _, p := range protocols {
				cells += fmt.Sprintf(" %d |", promptTokens(t, p, row[1], row[2]))
			}
			return cells + "\n"
		})
		head, delimiterRow := "| prompt |", "|---|"
		for _, p := range protocols {
			head, delimiterRow = head+" "+p.ID()+" |", delimiterRow+"---|"
		}
		written = promptHead.ReplaceAllString(written, head+"\n"+delimiterRow+"\n")
		if err := os.WriteFile(evaluation, []byte(written), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// promptTokens estimates the tokens of the prompt with all built-in methods, or of the instructions
// alone.
func promptTokens(t *testing.T, p protocol.Protocol, what, language string) int {
	t.Helper()
	root, err := os.OpenRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	tools, err := builtin.Tools(root)
	registry := tool.NewRegistry()
	if err == nil {
		err = registry.Register(tools...)
	}
	if err != nil {
		t.Fatal(err)
	}
	options := protocol.PromptOptions{Language: language}
	if what == "all methods" {
		all := discovery.Options{Protocol: p, Enabled: true, DefaultToolEnabled: true, Prompt: options}
		return protocol.EstimateTokens(discovery.New(registry).Prompt(all))
	}
	// The prompts with one and two methods differ by one definition.
	two := []protocol.ToolDefinition{{ToolName: "a_b"}, {ToolName: "a_b"}}
	ofOne := protocol.EstimateTokens(p.GenerateToolDefinitions(two[:1], options))
	ofTwo := protocol.EstimateTokens(p.GenerateToolDefinitions(two, options))
	return 2*ofOne - ofTwo
}
