package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/internal/modelserver"
)

func TestChatThatNeedsApprovalDoesNotBeginWithoutATerminal(t *testing.T) {
	for _, flag := range []string{"--require-confirmation", "--approve=ask"} {
		s := modelserver.Start(t)
		o := ask(t, s, invocation{args: []string{flag, "hi"}, stdin: "y\ny\n"})
		o.reported(t, cli.ExitUsage, "calculator_evaluate", "not a terminal", "--approve")
		require.Empty(t, o.stdout)
		require.Empty(t, s.Requests())
	}
}

func TestChatThatNeedsNoApprovalNeedsNoTerminal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vcp.yaml")
	const settings = "requireConfirmation: true\napproveRules:\n- {tool: clock, decision: deny}\n"
	require.NoError(t, os.WriteFile(path, []byte(settings), 0o600))
	for _, tt := range []struct {
		name     string
		args     []string
		outcomes []string // of the calculator's call, then of the clock's
	}{
		{"all runs methods that only read", []string{"--approve", "all"}, []string{"success", "success"}},
		{"read runs methods that only read", []string{"--approve", "read"}, []string{"success", "success"}},
		{"the default runs methods that only read", nil, []string{"success", "success"}},
		{"never runs nothing", []string{"--approve", "never"}, []string{"permission_denied", "permission_denied"}},
		{
			"a flag wins over the file, and a rule of the file over the flag",
			[]string{"--config", path, "--approve", "all"},
			[]string{"success", "permission_denied"},
		},
		{"in mode manual nothing runs anyway", []string{"--approve", "ask", "--mode", "manual"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := modelserver.Start(t, modelserver.Text(request(t, "calculator_evaluate", "expression", "1+1")),
				modelserver.Text(request(t, "clock_now")), modelserver.Text("So."))
			ask(t, s, invocation{args: append(tt.args, "hi")}).succeeded(t)
			sent := s.Requests()
			require.Len(t, sent, 1+len(tt.outcomes))
			for i, outcome := range tt.outcomes {
				require.Contains(t, sent[i+1].Last(), outcome)
			}
		})
	}
}

func TestRuleThatRestrictsNothingIsReported(t *testing.T) {
	for _, tt := range []struct {
		name, rule string
		want       string // a part of the warning; "" for no warning
	}{
		{
			"a tool that does not exist", "{tool: cloc, decision: deny}",
			"vcp: approveRules[0] (tool: cloc, decision: deny) matches no method here, so it restricts nothing; " +
				"did you mean tool: clock?\n",
		},
		{
			"a method that does not exist", "{method: clock_new, risk: read, decision: ask}",
			"vcp: approveRules[0] (method: clock_new, risk: read, decision: ask) matches no method",
		},
		{
			"a misspelled method", "{method: calculater_evaluate, decision: deny}",
			"restricts nothing; did you mean method: calculator_evaluate?\n",
		},
		{
			"a name that no tool's name resembles", "{tool: spreadsheet, decision: deny}",
			"vcp: approveRules[0] (tool: spreadsheet, decision: deny) matches no method here, so it restricts nothing\n",
		},
		{"a method of another tool", "{tool: files, method: clock_now, decision: deny}", "matches no method"},
		{"a tool that exists", "{tool: clock, decision: deny}", ""},
		{"the method that reads long results", "{method: results_read, decision: deny}", ""},
		{"a risk that no method has yet", "{risk: dangerous, decision: deny}", ""},
		{"a rule that only allows", "{tool: cloc, decision: allow}", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "vcp.yaml")
			require.NoError(t, os.WriteFile(path, []byte("approveRules:\n- "+tt.rule+"\n"), 0o600))
			s := modelserver.Start(t, modelserver.Text("Hello."))
			o := ask(t, s, invocation{args: []string{"--config", path, "hi"}})
			require.Equal(t, cli.ExitOK, o.status, o.stderr)
			require.Contains(t, o.stderr, tt.want)
			require.Equal(t, tt.want == "", o.stderr == "", o.stderr)
		})
	}
}

func TestRuleThatNeedsATerminalIsNamed(t *testing.T) {
	for _, tt := range []struct {
		name, rules string
		args, want  []string
	}{
		{
			"a rule of the method wins over --approve", "[{method: files_read, decision: ask}]",
			[]string{"chat", "--approve", "all", "hi"},
			[]string{
				"files_read", "approveRules[0] (method: files_read, decision: ask)", "rules.yaml",
				"rules win over --approve", "remove this rule",
			},
		},
		{
			"the narrowest rule is named",
			"[{tool: files, decision: allow}, {tool: clock, decision: allow}, {tool: files, risk: read, decision: ask}]",
			[]string{"chat", "hi"},
			[]string{"approveRules[2]"},
		},
		{
			"vcp call names the rule", "[{tool: clock, decision: ask}]",
			[]string{"call", "--approve", "all", "clock_now"},
			[]string{"clock_now", "approveRules[0]", "rules.yaml"},
		},
		{
			"if no rule matches the method, the error names --approve", "[{tool: files, decision: allow}]",
			[]string{"call", "--approve", "ask", "clock_now"},
			[]string{"clock_now", "say with --approve what may run"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "rules.yaml")
			require.NoError(t, os.WriteFile(path, []byte("approveRules: "+tt.rules+"\n"), 0o600))
			o := runArgs(t, append(tt.args, "--config", path)...)
			require.Equal(t, cli.ExitUsage, o.status)
			for _, part := range tt.want {
				require.Contains(t, o.stderr, part)
			}
		})
	}
}
