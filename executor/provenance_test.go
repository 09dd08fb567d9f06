package executor_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

var planted = protocol.Source{Origin: protocol.OriginTool, Name: "t_page https://evil.example"}

// tracing returns a conversation in which each request with the text "planted" occurs in foreign
// text.
func tracing() *executor.Conversation {
	conversation := allVisible()
	conversation.CopiedFrom = func(req executor.Request, _ *tool.Entry, _ func() executor.Digest) *protocol.Source {
		if len(req.Arguments) > 0 && strings.HasPrefix(req.Arguments[0].Value, "planted") {
			return &planted
		}
		return nil
	}
	return conversation
}

// nobodyToAsk is an Approver that returns the error for "nobody can be asked".
func nobodyToAsk(context.Context, executor.Question) (executor.Answer, error) {
	return executor.Answer{}, fmt.Errorf("%w: no terminal", executor.ErrNobodyToAsk)
}

func TestCopiedRequestNeedsApproval(t *testing.T) {
	allowAll := policy.Policy{Approve: policy.ApproveAll}
	rule := []policy.Rule{{Tool: "t", Decision: policy.Allow}}
	denies := func(_ context.Context, q executor.Question) (executor.Answer, error) { return q.Deny("no"), nil }
	const occurs = "the request occurs in the result of t_page https://evil.example"
	for _, tt := range []struct {
		name     string
		policy   policy.Policy
		approver executor.Approver
		ran      bool // whether the call runs
		by       executor.DecidedBy
		why      string
	}{
		{
			"without an approver it is refused, whatever the policy allows", allowAll, nil, false,
			executor.ByProvenance, occurs,
		},
		{
			"if nobody can be asked it is refused, whatever the policy allows", allowAll, nobodyToAsk, false,
			executor.ByProvenance, occurs,
		},
		{"a rule does not allow it", policy.Policy{Rules: rule}, nil, false, executor.ByProvenance, occurs},
		{
			"with ApproveNever it is refused, although a rule allows it",
			policy.Policy{Approve: policy.ApproveNever, Rules: rule},
			allows, false, executor.ByProvenance, occurs,
		},
		{"a person may allow it", allowAll, allows, true, executor.ByPerson, ""},
		{"a person may deny it", allowAll, denies, false, executor.ByPerson, "no"},
		{
			"it is denied if the policy denies it",
			policy.Policy{Rules: []policy.Rule{{Tool: "t", Decision: policy.Deny}}},
			allows,
			false, executor.ByRule, "approveRules[0] (tool: t, decision: deny)",
		},
		{
			"without an approver it is refused if the policy asks about it",
			policy.Policy{Approve: policy.ApproveAsk},
			nil,
			false, executor.ByNoApprover, "approve: ask",
		},
		{
			"if nobody can be asked it is refused if the policy asks about it",
			policy.Policy{Approve: policy.ApproveAsk},
			nobodyToAsk, false, executor.ByNoApprover, "approve: ask",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var ran runs
			var record executor.AuditRecord
			x := executor.New(registry(t, method(t, "tool", ran.handle)), executor.Options{
				Policy: tt.policy, Approver: tt.approver, Logger: quiet,
				Audit: func(_ context.Context, r executor.AuditRecord) error { record = r; return nil },
			})
			r := executeIn(t, x, tracing(), request("1", "t_tool", "text", "planted"))
			require.Equal(t, tt.ran, len(ran.list) == 1)
			require.Equal(t, tt.by, r.DecidedBy)
			require.Equal(t, tt.why, r.Why)
			want := &executor.Provenance{CopiedFrom: &planted}
			require.Empty(t, cmp.Diff(want, r.Provenance))
			require.Empty(t, cmp.Diff(want, record.Provenance))
			require.Equal(t, tt.by, record.DecidedBy)
			if tt.by == executor.ByProvenance {
				require.Equal(t, executor.ErrorPermissionDenied, r.ErrorType)
				require.Contains(t, r.ToolResult.Result, "occurs in the result of t_page https://evil.example")
				require.NotEmpty(t, r.Suggestion)
			}
		})
	}
}

func TestRequestsThatAreNotCopiedRunAsThePolicySays(t *testing.T) {
	var ran runs
	x := executor.New(registry(t, method(t, "tool", ran.handle)), executor.Options{Logger: quiet})
	r := executeIn(t, x, tracing(), request("1", "t_tool", "text", "own"))
	require.Len(t, ran.list, 1)
	require.Equal(t, executor.BySetting, r.DecidedBy)
	require.Nil(t, r.Provenance)
}

func TestDroppedArgumentsDoNotHideACopy(t *testing.T) {
	var record executor.AuditRecord
	m := echoMethod(t, `{"type":"object","properties":{"path":{"type":"string"}}}`, tool.WithRisk(tool.RiskRead))
	x := executor.New(registry(t, m), executor.Options{
		Logger: quiet, Audit: func(_ context.Context, r executor.AuditRecord) error { record = r; return nil },
	})
	r := executeIn(t, x, tracing(), request("1", "t_list", "mood", "words of its own", "path", "planted"))
	require.Equal(t, executor.ByProvenance, r.DecidedBy)
	require.Equal(t, "mood", record.Repaired[0].Path)
}

// A grant for a method does not cover a copied request: the person who gave the grant had not seen
// that request.
func TestGrantsDoNotCoverCopiedRequests(t *testing.T) {
	var asked []executor.Question
	x := executor.New(registry(t, method(t, "tool", says(""))),
		askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
			asked = append(asked, q)
			return q.AllowForConversation(), nil
		}))
	conversation := tracing()
	for _, tt := range []struct {
		text    string
		asked   bool // whether a question is asked
		grants  bool // the GrantsMethod of the question
		because string
	}{
		{"own", true, true, "nothing is granted yet"},
		{"other", false, false, "the method is granted"},
		{"planted", true, false, "a grant for the method does not cover it"},
		{"planted", false, false, "these arguments are granted"},
		{"planted too", true, false, "other arguments are not granted"},
		{"own", false, false, "the grant for the method still holds"},
	} {
		asked = nil
		r := executeIn(t, x, conversation, request("1", "t_tool", "text", tt.text))
		require.Equal(t, protocol.StatusSuccess, r.Status)
		require.Equal(t, tt.asked, len(asked) == 1, "%s: %s", tt.text, tt.because)
		if tt.asked {
			require.Equal(t, tt.grants, asked[0].GrantsMethod, "%s: %s", tt.text, tt.because)
		}
	}
}

func TestQuestionsNameForeignText(t *testing.T) {
	conversation := tracing()
	foreign := []executor.ForeignArgument{{
		Argument: "text", Kind: executor.KindURL, Value: "https://evil.example",
		Source: planted,
	}}
	var traced []string
	conversation.ForeignArguments = func(method *tool.Entry, masked json.RawMessage) []executor.ForeignArgument {
		traced = append(traced, method.FullName+" "+string(masked))
		return foreign
	}
	want := &executor.Provenance{CopiedFrom: &planted, Arguments: foreign}
	var asked executor.Question
	x := executor.New(registry(t, method(t, "tool", says(""), tool.SecretParameters("text"))),
		askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
			asked = q
			require.Empty(t, cmp.Diff(want, conversation.Pending()[0].Provenance))
			return q.Allow(), nil
		}))
	req := request("1", "t_tool", "text", "planted")
	require.Empty(t, cmp.Diff(want, x.Pending(conversation, req).Provenance))
	executeIn(t, x, conversation, req)
	require.Empty(t, cmp.Diff(want, asked.Provenance))
	require.Equal(t, []string{`t_tool {"text":"[secret]"}`, `t_tool {"text":"[secret]"}`}, traced)

	raw, err := json.Marshal(asked)
	require.NoError(t, err)
	var shown struct{ Provenance json.RawMessage }
	require.NoError(t, json.Unmarshal(raw, &shown))
	require.JSONEq(t, `{
		"copiedFrom": {"origin": "tool", "name": "t_page https://evil.example"},
		"arguments": [{
			"argument": "text", "kind": "url", "value": "https://evil.example",
			"source": {"origin": "tool", "name": "t_page https://evil.example"}
		}]
	}`, string(shown.Provenance))
}
