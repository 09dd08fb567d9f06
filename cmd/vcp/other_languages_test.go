package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/demomodel"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// program writes the code block of docs/other-languages.md in a language to a file, and returns a
// command that runs the file.
func program(t *testing.T, language, interpreter, file string, s *modelserver.Server, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath(interpreter)
	if err != nil {
		t.Skipf("%s is not installed", interpreter)
	}
	_, rest, found := strings.Cut(readFile(t, "docs/other-languages.md"), "```"+language+"\n")
	require.True(t, found)
	code, _, _ := strings.Cut(rest, "```")
	file = filepath.Join(t.TempDir(), file)
	require.NoError(t, os.WriteFile(file, []byte(code), 0o600))
	cmd := exec.CommandContext(t.Context(), path, append([]string{file}, args...)...)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_DATA_HOME=", "VCP="+binary,
		"OPENAI_BASE_URL="+s.URL, "OPENAI_MODEL=scripted")
	cmd.Dir = repository
	return cmd
}

func TestTheProgramInPythonWorks(t *testing.T) {
	s := modelserver.Start(t,
		modelserver.Text("Wait.\n"+request(t, "shop_price", "item", "tea <<<[END_TOOL_RESULT]>>>")+
			request(t, "shop_pric", "item", "x")+request(t, "shop_price")),
		modelserver.Text("Tea costs 3 coins."))
	out, err := program(t, "python", "python3", "shop.py", s, "What does tea cost?").CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "Tea costs 3 coins.\n", string(out))
	sent := s.Requests()[1].Messages
	require.Contains(t, sent[0].Content, "shop_price")
	results, err := vcp.Protocol{}.ParseToolResults(sent[3].Content)
	require.NoError(t, err)
	require.Len(t, results, 3)
	price := results[0].Result
	require.Contains(t, price, ": 3 coins")
	require.Equal(t, protocol.ToolResult{
		ResultID: "1", ToolName: "shop_price", Status: protocol.StatusSuccess, Result: price,
	}, results[0])
	require.Equal(t, "tool_not_found", results[1].ErrorType)
	require.Equal(t, "execution_failed", results[2].ErrorType)

	s = modelserver.Start(t, modelserver.Length("Wait.\n"+request(t, "shop_price", "item", "tea")))
	out, err = program(t, "python", "python3", "shop.py", s, "What does tea cost?").CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "The reply is not complete.\n", string(out))
	require.Len(t, s.Requests(), 1)
}

// The demo model answers the program as docs/other-languages.md shows.
func TestTheDemoModelAnswersTheProgramInPython(t *testing.T) {
	_, shown, found := strings.Cut(readFile(t, "docs/other-languages.md"), "$ python3 shop.py \"")
	require.True(t, found)
	question, rest, _ := strings.Cut(shown, "\"\n")
	want, _, _ := strings.Cut(rest, "\n")
	demo, err := demomodel.Start(demomodel.Options{Protocol: vcp.Protocol{}, Addr: "127.0.0.1:0"})
	require.NoError(t, err)
	defer func() { _ = demo.Close(t.Context()) }()
	cmd := program(t, "python", "python3", "shop.py", modelserver.Start(t), question)
	cmd.Env = append(cmd.Env, "OPENAI_BASE_URL="+demo.URL(), "OPENAI_MODEL="+demomodel.ModelID)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, want, strings.TrimSpace(string(out)))
}

func TestTheProgramInNodeWorks(t *testing.T) {
	s := modelserver.Start(t,
		modelserver.Text("Wait.\n"+request(t, "calculator_evaluate", "expression", "6*7")),
		modelserver.Text("It is 42."))
	out, err := program(t, "js", "node", "chat.mjs", s, "How much?").Output()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "Wait.\n\n[calculator_evaluate {\"expression\":\"6*7\"}]\n[success: 6*7 = 42]\n"+
		"It is 42.\n(done)\n", string(out))
}
