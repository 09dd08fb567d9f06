package mcp_test

import (
	"os"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/process/processtest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/mcp"
)

const secret = "secret-of-the-environment"

func TestServersThatCannotBeUsed(t *testing.T) {
	for play, want := range map[string][]string{
		"silent":       {"did not answer the handshake within", "no answer from the database"},
		"no list":      {"did not answer the request for its tools within"},
		"endless list": {"more than 1000 methods"},
		"exits":        {"exit status 3", "no configuration"},
		"flood":        {"more than"},
		"stubborn":     {"did not answer the handshake within"},
	} {
		t.Run(play, func(t *testing.T) {
			t.Parallel()
			c := playing(t, play)
			c.Env["KEY"], c.ConnectTimeout = secret, 5*time.Second
			if play == "endless list" || play == "flood" || play == "exits" {
				c.ConnectTimeout = time.Minute
			}
			w := start(t, c)
			require.Equal(t, tool.HealthDown, w.state().Health)
			require.Empty(t, w.names())
			for _, text := range want {
				require.Contains(t, w.state().Reason, text)
			}
			require.NotContains(t, w.state().Reason, secret)
			require.Less(t, len(w.state().Reason), 3000)
		})
	}
	t.Run("no such program", func(t *testing.T) {
		w := start(t, mcp.Config{Name: "s", Command: []string{"no-such-program-here"}})
		require.Equal(t, tool.HealthDown, w.state().Health)
		require.Contains(t, w.state().Reason, "no-such-program-here")
	})
}

func TestTextOnTheStandardOutputIsIgnoredAndNamed(t *testing.T) {
	c := playing(t, "noise")
	c.Env["KEY"] = secret
	w := start(t, c)
	require.Equal(t, "done", w.says("s/echo"))
	w.eventually("the health says so", func() bool { return w.state().Health == tool.HealthDegraded })
	reason := w.state().Reason
	require.Contains(t, reason, "Listening on")
	require.NotContains(t, reason, secret)
	require.NotContains(t, reason, "\x1b")
}

func TestNamesOfServersBecomeNamesOfMethods(t *testing.T) {
	w := start(t, playing(t, "names"))
	names := w.names()
	for _, name := range []string{"s/plain", "s/with_underscores", "s/v1.2-beta", "s/two_words", "s/两个词", "s/a/b", "s/noSchema"} {
		require.Contains(t, names, name)
	}
	require.Len(t, names, 10, "%q", names)
	for _, name := range names {
		require.True(t, tool.ValidName(name), name)
		require.NotContains(t, w.call(name).ErrorType, executor.ErrorToolNotFound)
	}
	require.Equal(t, "two words {}", w.says("s/two_words-a03f1d61"), "the server is called by its own name")
	require.Equal(t, tool.HealthDegraded, w.state().Health)
	require.Contains(t, w.state().Reason, `"plain" twice`)
	require.Contains(t, w.state().Reason, "listOnly")
}

func TestHintsRaiseTheRiskOnly(t *testing.T) {
	c := playing(t, "hints")
	w := start(t, c)
	require.Equal(t, tool.RiskWrite, w.entry("s/none").Risk())
	require.Equal(t, tool.RiskWrite, w.entry("s/reads").Risk())
	require.Equal(t, tool.RiskDangerous, w.entry("s/destroys").Risk())
	require.False(t, w.entry("s/reads").Method.Idempotent)
	w.policy = policy.Policy{Approve: policy.ApproveAll}
	w.says("s/reads")
	require.Equal(t, []string{"s/reads"}, w.asked, "no level allows it, only a rule that names it")

	c.Risk = tool.RiskRead
	w = start(t, c)
	require.Equal(t, tool.RiskRead, w.entry("s/destroys").Risk(), "the configuration decides")
	w.policy = policy.Policy{Approve: policy.ApproveRead}
	w.says("s/destroys")
	require.Empty(t, w.asked)
}

func TestDescriptionsAreForeignText(t *testing.T) {
	w := start(t, playing(t, "poison"))
	e := w.entry("s/poison")
	require.Less(t, len(e.Method.Description), 9<<10)
	require.Equal(t, "A title[2J", e.Method.Title)
	d := e.Definition("en")
	require.Equal(t, []string{"b", "a"}, []string{d.Parameters[0].Name, d.Parameters[1].Name}, "the server's order")
	for _, text := range []string{e.Method.Title, e.Method.Description, d.Parameters[0].Description} {
		for _, r := range text {
			require.False(t, r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf), "%q in %q", r, text)
		}
	}
	written := vcp.Protocol{}.GenerateToolDefinitions([]protocol.ToolDefinition{d}, protocol.PromptOptions{})
	require.NotContains(t, written, "<<<[TOOL_REQUEST]>>>\ntool_name:「始」s/poison")
	require.Contains(t, written, "ESCAPE")
}

func TestProcessesOfAServerEndWithIt(t *testing.T) {
	c := playing(t, "family")
	w := start(t, c)
	text, err := os.ReadFile(c.Env[fileEnv])
	require.NoError(t, err)
	require.Equal(t, executor.ErrorExecutionFailed, w.call("s/echo").ErrorType)
	processtest.RequireGone(t, strings.Fields(string(text))[0])
}

func TestLargeMessagesEndTheConnection(t *testing.T) {
	w := start(t, playing(t, "large"))
	r := w.call("s/echo")
	require.Equal(t, executor.ErrorExecutionFailed, r.ErrorType)
	require.Contains(t, r.ToolResult.Result, "more than 16 MiB")
}
