package executor_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema"
)

// echoMethod returns a method that returns its arguments as text.
func echoMethod(t testing.TB, parameters string, opts ...tool.Option) tool.Method {
	t.Helper()
	h := func(_ context.Context, call *tool.Call) (tool.Output, error) {
		return tool.Output{Text: string(call.Arguments)}, nil
	}
	m, err := tool.Raw("list", "lists files", json.RawMessage(parameters), h, append(opts, tool.AgentCallable())...)
	require.NoError(t, err)
	return m
}

func TestReadsDropUnknownArguments(t *testing.T) {
	const (
		unspecified = `{"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer"}}}`
		closed      = `{"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer"}},
			"additionalProperties":false}`
		pattern = `{"type":"object","properties":{"path":{"type":"string"}},
			"patternProperties":{"^x-":{"type":"integer"}}}`
		dropped = "[Dropped unknown arguments: \"verbosity\". t_list takes path (string), limit (integer).]\n"
	)
	repaired := func(names ...string) (list []schema.Repaired) {
		for _, name := range names {
			list = append(list, schema.Repaired{Repair: schema.UnknownArgument, Path: name})
		}
		return list
	}
	for _, tt := range []struct {
		name, parameters string
		risk             tool.Risk
		req              executor.Request
		repaired         []schema.Repaired // the repairs of the result and of its audit record
		text             string            // of the result; "" if the call is refused
		nearest          string            // the name that the last problem suggests
	}{
		{
			"a method that reads drops an unknown argument", unspecified, tool.RiskRead,
			request("1", "t_list", "path", "a", "verbosity", "high"),
			repaired("verbosity"), dropped + `{"path":"a"}`, "",
		},
		{
			"each dropped argument is named once", unspecified, tool.RiskRead,
			request("1", "t_list", "verbosity", "high", "mode", "x", "mode", "y"),
			repaired("verbosity", "mode", "mode"),
			"[Dropped unknown arguments: \"verbosity\", \"mode\". t_list takes path (string), limit (integer).]\n{}", "",
		},
		{
			"a method that writes refuses an unknown argument", unspecified, tool.RiskWrite,
			request("1", "t_list", "path", "a", "dry_run", "true"), nil, "", "",
		},
		{
			"a dangerous method refuses an unknown argument", unspecified, tool.RiskDangerous,
			request("1", "t_list", "dry_run", "true"), nil, "", "",
		},
		{
			"a method that writes suggests a similar name", unspecified, tool.RiskWrite,
			request("1", "t_list", "file_path", "a"), nil, "", "path",
		},
		{
			"a method that reads suggests a similar name", unspecified, tool.RiskRead,
			request("1", "t_list", "file_path", "a"), nil, "", "path",
		},
		{
			"the right name of a misspelled argument is suggested", unspecified, tool.RiskRead,
			request("1", "t_list", "limti", "1"), nil, "", "limit",
		},
		{
			"an unknown argument is dropped if the argument with the similar name is given, too",
			unspecified, tool.RiskRead,
			request("1", "t_list", "path", "a", "file_path", "b"),
			repaired("file_path"),
			"[Dropped unknown arguments: \"file_path\". t_list takes path (string), limit (integer).]\n" + `{"path":"a"}`, "",
		},
		{
			"an unknown argument is refused if another argument is wrong", unspecified, tool.RiskRead,
			request("1", "t_list", "limit", "many", "verbosity", "x"), nil, "", "",
		},
		{
			"an unknown argument is refused if the schema forbids it", closed, tool.RiskRead,
			request("1", "t_list", "verbosity", "high"), nil, "", "",
		},
		{
			"an unknown argument is passed on if a pattern matches", pattern, tool.RiskRead,
			request("1", "t_list", "x-n", "1"),
			repaired(), `{"x-n":1}`, "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var record executor.AuditRecord
			x := executor.New(registry(t, echoMethod(t, tt.parameters, tool.WithRisk(tt.risk))), executor.Options{
				Policy: policy.Policy{Approve: policy.ApproveAll}, Logger: quiet,
				Audit: func(_ context.Context, r executor.AuditRecord) error { record = r; return nil },
			})
			r := execute(t, x, tt.req)
			if tt.text == "" {
				require.Equal(t, executor.ErrorInvalidArguments, r.ErrorType)
				require.Equal(t, tt.nearest, r.Problems[len(r.Problems)-1].Nearest)
				require.True(t, r.Problems[len(r.Problems)-1].Unknown())
				return
			}
			require.Equal(t, tt.text, r.ToolResult.Result)
			require.Empty(t, cmp.Diff(tt.repaired, r.Repaired))
			require.Empty(t, cmp.Diff(tt.repaired, record.Repaired))
		})
	}
}

func TestUnknownArgumentsAreNotDropped(t *testing.T) {
	const parameters = `{"type":"object","properties":{"path":{"type":"string"}}}`
	t.Run("in a request of a program, which would read the note as data", func(t *testing.T) {
		x := executor.New(registry(t, echoMethod(t, parameters, tool.WithRisk(tool.RiskRead))),
			executor.Options{Logger: quiet})
		req := request("1", "t_list", "verbosity", "high")
		req.Whole = true
		r := execute(t, x, req)
		require.Equal(t, executor.ErrorInvalidArguments, r.ErrorType)
	})
	t.Run("in a request that a person edited", func(t *testing.T) {
		var problems []string
		x := executor.New(registry(t, echoMethod(t, parameters, tool.WithRisk(tool.RiskRead))), executor.Options{
			Policy: askAll, Logger: quiet,
			Approver: func(_ context.Context, q executor.Question) (executor.Answer, error) {
				problems = append(problems, q.Problem)
				if len(problems) > 1 {
					return q.Deny(""), nil
				}
				return q.Edit(json.RawMessage(`{"path":"a","verbosity":"high"}`)), nil
			},
		})
		executeAll(t, x, request("1", "t_list"))
		require.Len(t, problems, 2)
		require.NotEmpty(t, problems[1])
	})
}

func TestNotesAndProblemsAreInTheLanguageOfThePrompt(t *testing.T) {
	x := executor.New(registry(t, echoMethod(t, `{"type":"object","properties":{"path":{}}}`, tool.WithRisk(tool.RiskRead))),
		executor.Options{Logger: quiet})
	conversation := allVisible()
	conversation.Language = func() string { return "zh" }
	r := executeIn(t, x, conversation, request("1", "t_list", "verbosity", "high"))
	require.Equal(t, "[已忽略未知参数：\"verbosity\"。t_list 的参数：path。]\n{}", r.ToolResult.Result)
	wrong := executeIn(t, x, conversation, request("1", "t_list", "paths", "a"))
	require.Equal(t, "参数无效：paths：未知参数（是否应为 path？）", wrong.ToolResult.Result)
}
