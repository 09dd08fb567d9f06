package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/vcp"
)

const demoQuestion = "What is 17*23, and which Go files are in protocol/?"

// demoCalculation matches the line of the call that answers the first half of demoQuestion.
const demoCalculation = `(?m)^\[tool\] calculator_evaluate expression="17\*23" \.\.\. ok, [0-9.]+(µs|ms|s): .*391`

func TestTheDemoModelAnswersFromRealTools(t *testing.T) {
	o := runArgs(t, "chat", demoQuestion)
	require.Equal(t, cli.ExitOK, o.status, o.stderr)
	o.reported(t, cli.ExitOK, "no model server is named", "rule-based planner", "--base-url")
	at := strings.LastIndex(o.stdout, "[tool] ")
	require.NotEqual(t, -1, at, o.stdout)
	_, answer, _ := strings.Cut(o.stdout[at:], "\n")
	require.Contains(t, answer, "391")
	entries, err := os.ReadDir(filepath.Join(repository, "protocol"))
	require.NoError(t, err)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".go") {
			require.Contains(t, answer, e.Name())
		}
	}
	require.Regexp(t, demoCalculation, o.stdout)
	require.Regexp(t, `(?m)^\[tool\] files_list path="protocol" .*\.\.\. ok, `, o.stdout)
	require.NotContains(t, o.stdout, "<<<[", "people do not see the blocks")
	require.NotContains(t, o.stdout, "\x1b", "no color without a terminal")
}

func TestTheDemoModelRefusesNativeCalls(t *testing.T) {
	o := runArgs(t, "chat", "--calls", "native", "What is 2*3?")
	require.Equal(t, cli.ExitFailure, o.status)
	require.Contains(t, o.stderr, "takes no native tools")
	// With auto, the model is then asked for calls in text.
	o = runArgs(t, "chat", "--calls", "auto", "What is 2*3?")
	o.reported(t, cli.ExitOK, "demo model")
	require.Contains(t, o.stdout, "6")
}

// With another protocol the same tools are described and run. The prompt has the form of that
// protocol.
func TestTheDemoModelAnswersInTheHermesForm(t *testing.T) {
	prompt := runArgs(t, "prompt", "--protocol", "hermes")
	prompt.succeeded(t)
	inHermes, err := hermes.Protocol{}.ParseToolDefinitions(prompt.stdout)
	require.NoError(t, err)
	inVCP, err := vcp.Protocol{}.ParseToolDefinitions(runArgs(t, "prompt").stdout)
	require.NoError(t, err)
	require.NotEmpty(t, inHermes)
	require.Len(t, inHermes, len(inVCP), "each protocol describes the same tools")
	require.NotContains(t, prompt.stdout, "TOOL_REQUEST")

	o := runArgs(t, "chat", "--protocol", "hermes", demoQuestion)
	o.reported(t, cli.ExitOK, "rule-based planner")
	require.Regexp(t, demoCalculation, o.stdout)
	require.Regexp(t, `(?m)^\[tool\] files_list path="protocol" .*recursive=false \.\.\. ok, `, o.stdout)
	at := strings.LastIndex(o.stdout, "[tool] ")
	require.Contains(t, o.stdout[at:], "message.go")
	require.NotContains(t, o.stdout, "tool_call", "people do not see the blocks")
}

func TestTheDemoModelAnswersInTheQwenCoderForm(t *testing.T) {
	o := runArgs(t, "chat", "--protocol", "qwencoder", demoQuestion)
	o.reported(t, cli.ExitOK, "rule-based planner")
	require.Regexp(t, demoCalculation, o.stdout)
	require.NotContains(t, o.stdout, "tool_call", "people do not see the blocks")
}
