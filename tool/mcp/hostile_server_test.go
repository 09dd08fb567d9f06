package mcp_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/process/processtest"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/mcp"
)

const secret = "secret-of-the-environment"

func TestAnUnusableServerIsDownWithTheReason(t *testing.T) {
	const initialized = `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18",` +
		`"serverInfo":{"name":"s","version":"1"},"capabilities":{"tools":{}}}}`
	shell := func(script string) mcp.Config {
		return mcp.Config{Name: "s", Command: []string{"sh", "-c", script}, ConnectTimeout: 300 * time.Millisecond}
	}
	for name, tt := range map[string]struct {
		config mcp.Config
		want   []string
	}{
		"no such program": {mcp.Config{Name: "s", Command: []string{"no-such-program-here"}}, []string{"no-such-program-here"}},
		"silent": {
			shell(`echo "no answer from the database" >&2; cat >/dev/null`),
			[]string{"did not answer the handshake within", "no answer from the database"},
		},
		"no list": {
			shell(`read line; echo '` + initialized + `'; cat >/dev/null`),
			[]string{"did not answer the request for its tools within"},
		},
		"stubborn":     {shell(`trap "" TERM INT; while :; do sleep 600; done`), []string{"did not answer the handshake within"}},
		"exits":        {testServerConfig(t, "exits"), []string{"exit status 3", "no configuration"}},
		"endless list": {testServerConfig(t, "endless list"), []string{"more than 1000 methods"}},
		"flood":        {testServerConfig(t, "flood"), []string{"more than"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.config.Env == nil {
				tt.config.Env = map[string]string{}
			}
			tt.config.Env["KEY"] = secret
			w := start(t, tt.config)
			require.Empty(t, w.names())
			for _, text := range tt.want {
				// On a busy machine the first attempts may time out before the server has written
				// the text.
				w.eventually(text, func() bool { return strings.Contains(w.state().Reason, text) })
			}
			require.Equal(t, tool.HealthDown, w.state().Health)
			require.NotContains(t, w.state().Reason, secret)
			require.Less(t, len(w.state().Reason), 3000, "what the server writes is shortened")
		})
	}
}

func TestTextOnTheStandardOutputIsIgnoredAndReported(t *testing.T) {
	c := testServerConfig(t, "noise")
	c.Env["KEY"] = secret
	w := start(t, c)
	require.Equal(t, "done", w.says("s/echo"))
	w.eventually("the health is degraded", func() bool { return w.state().Health == tool.HealthDegraded })
	reason := w.state().Reason
	require.Contains(t, reason, "Listening on")
	require.NotContains(t, reason, secret)
	require.NotContains(t, reason, "\x1b")
}

func TestEachToolNameBecomesAMethodName(t *testing.T) {
	w := start(t, testServerConfig(t, "names"))
	names := w.names()
	for _, name := range []string{"s/plain", "s/with_underscores", "s/v1.2-beta", "s/two_words", "s/两个词", "s/a/b", "s/noSchema"} {
		require.Contains(t, names, name)
	}
	require.Len(t, names, 10, "all tools of oddNames except the second \"plain\", \"\" and listOnly: %q", names)
	for _, name := range names {
		require.True(t, tool.ValidName(name), name)
		require.NotEqual(t, executor.ErrorToolNotFound, w.call(name).ErrorType)
	}
	require.Equal(t, "two words {}", w.says("s/two_words-a03f1d61"), "the server gets its own name; the suffix tells the tool from two_words")
	require.Equal(t, tool.HealthDegraded, w.state().Health)
	require.Contains(t, w.state().Reason, `"plain" twice`)
	require.Contains(t, w.state().Reason, "listOnly")
}

func TestHintsCanOnlyRaiseTheRisk(t *testing.T) {
	c := testServerConfig(t, "hints")
	w := start(t, c)
	require.Equal(t, tool.RiskWrite, w.entry("s/none").Risk())
	require.Equal(t, tool.RiskWrite, w.entry("s/reads").Risk())
	require.Equal(t, tool.RiskDangerous, w.entry("s/destroys").Risk())
	require.False(t, w.entry("s/reads").Method.Idempotent)
	w.policy = policy.Policy{Approve: policy.ApproveAll}
	w.says("s/reads")
	require.Equal(t, []string{"s/reads"}, w.asked,
		"without a risk in the configuration, a call needs approval even under ApproveAll")

	c.Risk = tool.RiskRead
	w = start(t, c)
	require.Equal(t, tool.RiskRead, w.entry("s/destroys").Risk(), "the configuration decides")
	w.policy = policy.Policy{Approve: policy.ApproveRead}
	w.says("s/destroys")
	require.Empty(t, w.asked)
}

func TestDescriptionsAreForeignText(t *testing.T) {
	w := start(t, testServerConfig(t, "poison"))
	e := w.entry("s/poison")
	require.LessOrEqual(t, len(e.Method.Description), 8<<10+len(text.Ellipsis))
	require.Equal(t, "A title[2J", e.Method.Title)
	d := e.Definition("en")
	require.Equal(t, []string{"b", "a"}, []string{d.Parameters[0].Name, d.Parameters[1].Name},
		"the order is the server's")
	for _, shown := range []string{e.Method.Title, e.Method.Description, d.Parameters[0].Description} {
		for _, r := range shown {
			require.False(t, r != '\n' && text.Hidden(r), "%q in %q", r, shown)
		}
	}
	written := vcp.Protocol{}.GenerateToolDefinitions([]protocol.ToolDefinition{d}, protocol.PromptOptions{})
	require.NotContains(t, written, "<<<[TOOL_REQUEST]>>>\ntool_name:「始」s/poison")
	require.Contains(t, written, "ESCAPE")
}

func TestAServerCannotAskAPersonForInput(t *testing.T) {
	r := start(t, testServerConfig(t, "wants input")).call("s/echo")
	require.Equal(t, executor.ErrorExecutionFailed, r.ErrorType)
	require.Contains(t, r.ToolResult.Result, "it asks for input from a person")
}

func TestProcessesOfAServerEndWithIt(t *testing.T) {
	c := testServerConfig(t, "family")
	w := start(t, c)
	text, err := os.ReadFile(c.Env[fileEnv])
	require.NoError(t, err)
	require.Equal(t, executor.ErrorExecutionFailed, w.call("s/echo").ErrorType)
	processtest.RequireGone(t, strings.Fields(string(text))[0])
}

func TestLargeMessagesEndTheConnection(t *testing.T) {
	w := start(t, testServerConfig(t, "large"))
	r := w.call("s/echo")
	require.Equal(t, executor.ErrorExecutionFailed, r.ErrorType)
	require.Contains(t, r.ToolResult.Result, "more than 16 MiB")
}

func TestNullInAListIsIgnored(t *testing.T) {
	c := testServerConfig(t, "lists with null")
	c.Prompts, c.Resources = true, true
	w := start(t, c)
	require.Equal(t, []string{"s/echo", "s/resources:list", "s/resources:read"}, w.names())
	require.Equal(t, "r:1, one", w.says("s/resources:list"))
}

func TestAnEndlessListOfResourcesIsReadUpToALimit(t *testing.T) {
	c := testServerConfig(t, "endless resources")
	c.Resources = true
	start(t, c).says("s/resources:list")
	text, err := os.ReadFile(c.Env[fileEnv])
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("page\n", 4), string(text), "4 MiB")
}

func TestFailuresOfAServerShowNoSecret(t *testing.T) {
	c := testServerConfig(t, "shows its key")
	c.Env["KEY"] = secret
	w := start(t, c)
	for _, name := range []string{"s/echo", "s/refused"} {
		r := w.call(name)
		require.Equal(t, "execution_failed", r.ErrorType)
		require.Contains(t, r.ToolResult.Result, "bad key:\n  [secret]")
		require.NotContains(t, r.ToolResult.Result, secret)
	}
}

func TestAServerDoesNotReplaceMethodsOfVCP(t *testing.T) {
	c := testServerConfig(t, "own names")
	c.Resources = true
	w := start(t, c)
	require.Contains(t, w.entry("s/resources:read").Method.Description, "Reads a resource of the server by its address")
	require.Contains(t, w.state().Reason, `the server offers "resources:read" twice`)
}
