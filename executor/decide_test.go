package executor_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/tool"
)

// awaiting executes a request in the background until its question is open. It returns the
// conversation, and a function that waits for the result.
func awaiting(
	t *testing.T, m tool.Method, o executor.Options, req executor.Request,
) (*executor.Conversation, func() executor.Result) {
	t.Helper()
	conversation, result := allVisible(), make(chan executor.Result, 1)
	x := executor.New(registry(t, m), o)
	go func() {
		result <- executeIn(t, x, conversation, req)
	}()
	synctest.Wait()
	return conversation, func() executor.Result { return <-result }
}

// openCall is a call that waits for the answer to its question.
type openCall struct {
	ran          runs
	conversation *executor.Conversation
	pending      executor.PendingCall
	result       func() executor.Result // waits for the result
}

// decide answers the question.
func (call *openCall) decide(d executor.Decision) error {
	return call.conversation.Decide(call.pending.RequestID, call.pending.Digest, d)
}

func TestDecideAnswersTheOpenQuestion(t *testing.T) {
	allow, deny := executor.Decision{Verdict: executor.VerdictAllow}, executor.Decision{Verdict: executor.VerdictDeny}
	test := func(name string, f func(t *testing.T, call *openCall)) {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				call := &openCall{}
				m := method(t, "tool", call.ran.handle, tool.SecretParameters("text"))
				call.conversation, call.result = awaiting(t, m, askOptions(executor.AwaitDecision),
					request("1", "t_tool", "text", "hush"))
				require.Len(t, call.conversation.Pending(), 1)
				call.pending = call.conversation.Pending()[0]
				f(t, call)
			})
		})
	}
	test("Pending shows the method, its risk and masked arguments", func(t *testing.T, call *openCall) {
		require.Equal(t, executor.PendingCall{
			RequestID: "1", Digest: call.pending.Digest, ToolName: "t_tool", Method: "t_tool", Risk: tool.RiskWrite,
			Arguments: json.RawMessage(`{"text":"[secret]"}`), GrantsMethod: true,
		}, call.pending)
		require.NoError(t, call.decide(allow))
		call.result()
	})
	test("Decide allows once, from another goroutine", func(t *testing.T, call *openCall) {
		require.NoError(t, call.decide(allow))
		require.Error(t, call.decide(deny))
		require.Equal(t, executor.ByPerson, call.result().DecidedBy)
		require.Equal(t, []string{`1 {"text":"hush"}`}, call.ran.list)
		require.Empty(t, call.conversation.Pending())
	})
	test("Decide denies with a reason", func(t *testing.T, call *openCall) {
		require.NoError(t, call.decide(executor.Decision{Verdict: executor.VerdictDeny, Reason: "not now"}))
		r := call.result()
		require.Contains(t, r.ToolResult.Result, "not now")
		require.Equal(t, "not now", r.Why)
		require.Empty(t, call.ran.list)
	})
	test("an edit keeps a masked secret", func(t *testing.T, call *openCall) {
		require.NoError(t,
			call.decide(executor.Decision{Verdict: executor.VerdictEdit, Arguments: call.pending.Arguments}))
		require.False(t, call.result().Edited)
		require.Equal(t, []string{`1 {"text":"hush"}`}, call.ran.list)
	})
	test("Decide refuses a decision about another call or without a valid verdict", func(t *testing.T, call *openCall) {
		id, digest := call.pending.RequestID, call.pending.Digest
		for name, err := range map[string]error{
			"another id":                       call.conversation.Decide("2", digest, allow),
			"another digest":                   call.conversation.Decide(id, "x"+digest[1:], allow),
			"no digest":                        call.conversation.Decide(id, "", allow),
			"no verdict":                       call.decide(executor.Decision{}),
			"an unknown verdict":               call.decide(executor.Decision{Verdict: "maybe"}),
			"the call of another conversation": allVisible().Decide(id, digest, allow),
		} {
			var bad *executor.DecisionError
			require.ErrorAs(t, err, &bad, name)
		}
		require.Len(t, call.conversation.Pending(), 1)
		require.NoError(t, call.decide(deny))
		call.result()
		require.Empty(t, call.ran.list)
	})
}

func TestDecideAfterATimeoutFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := askOptions(executor.AwaitDecision)
		o.ApprovalTimeout = time.Minute
		conversation, result := awaiting(t, method(t, "tool", says("")), o, request("1", "t_tool"))
		p := conversation.Pending()[0]
		r := result()
		require.Equal(t, executor.ByTimeout, r.DecidedBy)
		require.Error(t, conversation.Decide(p.RequestID, p.Digest, executor.Decision{Verdict: executor.VerdictAllow}))
	})
}

// Either the answer of Decide counts or the answer of the Approver, never both.
func TestOnlyOneAnswerCounts(t *testing.T) {
	for range 200 { // the two answers race
		var ran runs
		conversation := allVisible()
		asked, decided := make(chan executor.Question, 1), make(chan error, 1)
		x := executor.New(registry(t, method(t, "tool", ran.handle)),
			askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
				asked <- q
				return q.Deny("approver"), nil
			}))
		var wg sync.WaitGroup
		wg.Go(func() {
			q := <-asked
			decided <- conversation.Decide(q.ID, q.Digest, executor.Decision{Verdict: executor.VerdictAllow})
		})
		r := executeIn(t, x, conversation, request("1", "t_tool"))
		wg.Wait()
		require.Equal(t, <-decided == nil, r.Decision == policy.Allow,
			"Decide must return an error if and only if the Approver's answer counts")
		require.Equal(t, r.Decision == policy.Allow, len(ran.list) == 1)
	}
}

func TestObserverMayDecide(t *testing.T) {
	conversation := allVisible()
	x := executor.New(registry(t, method(t, "tool", says("ran"))), askOptions(executor.AwaitDecision))
	r := x.Execute(t.Context(), conversation, executor.Observer{Asked: func(_ executor.Request, q executor.Question) {
		require.NoError(t, conversation.Decide(q.ID, q.Digest, executor.Decision{Verdict: executor.VerdictAllow}))
	}}, []executor.Request{request("1", "t_tool")})[0]
	require.Equal(t, "ran", r.ToolResult.Result)
}

func TestApprovedRequestRunsWithoutAQuestion(t *testing.T) {
	otherArguments := func(r *executor.Request) { r.Arguments[0].Value = "rm" }
	for _, tt := range []struct {
		name    string
		approve policy.Approve
		change  func(*executor.Request) // after the approval; nil changes nothing
		by      executor.DecidedBy
		runs    bool // whether the call runs
	}{
		{"runs without a question", policy.ApproveAsk, nil, executor.ByPerson, true},
		{"runs if the policy allows it anyway", policy.ApproveAll, nil, executor.ByPerson, true},
		{"does not run if the policy denies it", policy.ApproveNever, nil, executor.BySetting, false},
		{"does not run with other arguments", policy.ApproveAsk, otherArguments, executor.ByPerson, false},
		{
			"does not run with other arguments, even if the policy allows those",
			policy.ApproveAll, otherArguments, executor.ByPerson, false,
		},
		{"does not run with another digest", policy.ApproveAsk, func(r *executor.Request) {
			r.Approved = "x" + r.Approved[1:]
		}, executor.ByPerson, false},
		{"does not run if it names another method", policy.ApproveAsk, func(r *executor.Request) {
			r.ToolName = "t_other"
		}, executor.ByPerson, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var ran runs
			x := executor.New(registry(t, method(t, "tool", ran.handle), method(t, "other", ran.handle)),
				executor.Options{Policy: policy.Policy{Approve: tt.approve}, Logger: quiet})
			req := request("1", "t_tool", "text", "ls")
			req.Approved = x.Pending(allVisible(), req).Digest
			if tt.change != nil {
				tt.change(&req)
			}
			r := execute(t, x, req)
			require.Equal(t, tt.runs, len(ran.list) == 1)
			require.Equal(t, tt.runs, r.Decision == policy.Allow)
			require.Equal(t, tt.by, r.DecidedBy)
		})
	}
}

func TestPendingDescribesTheCall(t *testing.T) {
	m := method(t, "tool", says(""), tool.WithRisk(tool.RiskDangerous), tool.SecretParameters("text"))
	x := executor.New(registry(t, m), executor.Options{})
	conversation := allVisible()
	p := x.Pending(conversation, request("1", "t_tool", "text", "hush"))
	require.Equal(t, executor.PendingCall{
		RequestID: "1", Digest: p.Digest, ToolName: "t_tool", Method: "t_tool", Risk: tool.RiskDangerous,
		Arguments: json.RawMessage(`{"text":"[secret]"}`),
	}, p)
	digests := map[executor.Digest]bool{p.Digest: true}
	for _, req := range []executor.Request{
		request("1", "t_tool", "color", "red"), request("1", "t_tool", "color", "blue"), request("1", "nothing"),
		{ID: "1", Err: &scan.RequestError{Code: scan.CodeNoFields, Message: "There is no field."}},
	} {
		p := x.Pending(conversation, req)
		require.NotEmpty(t, p.Problem)
		require.False(t, digests[p.Digest], "each request that means no call must have its own digest: %v", req)
		digests[p.Digest] = true
	}
	denied := executor.New(registry(t, method(t, "off", says(""))),
		executor.Options{Policy: policy.Policy{Rules: []policy.Rule{{Method: "t_off", Decision: policy.Deny}}}})
	require.Contains(t, denied.Pending(conversation, request("1", "t_off")).Problem, "approveRules[0]")
}

// TestRefusalSaysWhoAndWhy tests the result and the audit record of calls that are denied before
// they run.
func TestRefusalSaysWhoAndWhy(t *testing.T) {
	late := func(ctx context.Context, q executor.Question) (executor.Answer, error) {
		<-ctx.Done()
		return q.Allow(), nil
	}
	denies := func(_ context.Context, q executor.Question) (executor.Answer, error) { return q.Deny("too risky"), nil }
	panics := func(context.Context, executor.Question) (executor.Answer, error) { panic("oh") }
	ask, never := policy.Policy{Approve: policy.ApproveAsk}, policy.Policy{Approve: policy.ApproveNever}
	rule := policy.Policy{Rules: []policy.Rule{
		{Tool: "x", Decision: policy.Allow}, {Tool: "t", Risk: tool.RiskWrite, Decision: policy.Deny},
	}}
	hides := allVisibleExcept("t_tool")
	hides.WhyHidden = func(*tool.Entry) string { return "toolToggles: t is false" }
	for _, tt := range []struct {
		name         string
		conversation *executor.Conversation
		options      executor.Options
		by           executor.DecidedBy
		why, text    string
	}{
		{
			"a rule", allVisible(),
			executor.Options{Policy: rule},
			executor.ByRule, "approveRules[1] (tool: t, risk: write, decision: deny)",
			"The settings do not allow this call: approveRules[1] (tool: t, risk: write, decision: deny).",
		},
		{
			"a setting", allVisible(),
			executor.Options{Policy: never},
			executor.BySetting, "approve: never",
			"The settings do not allow this call: approve: never.",
		},
		{
			"a switched-off method", hides,
			executor.Options{},
			executor.BySetting, "toolToggles: t is false",
			"t_tool is switched off (toolToggles: t is false).",
		},
		{
			"a person", allVisible(),
			executor.Options{Policy: ask, Approver: denies},
			executor.ByPerson, "too risky",
			"The user did not allow this call. Reason: too risky",
		},
		{
			"a timeout", allVisible(),
			executor.Options{Policy: ask, Approver: late, ApprovalTimeout: time.Second},
			executor.ByTimeout, "approval timeout: 1s",
			"This call needs the user's approval, and nobody answered within 1s.",
		},
		{
			"no approver", allVisible(),
			executor.Options{Policy: ask},
			executor.ByNoApprover, "approve: ask",
			"This call needs the user's approval (approve: ask), and there is nobody to ask.",
		},
		{
			"an approver that fails", allVisible(),
			executor.Options{Policy: ask, Approver: panics},
			executor.ByApprover, "panic: oh",
			"This call needs the user's approval, which is unavailable.",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var audit records
				tt.options.Logger, tt.options.Audit = quiet, audit.take
				x := executor.New(registry(t, method(t, "tool", says(""))), tt.options)
				r := executeIn(t, x, tt.conversation, request("1", "t_tool"))
				require.Equal(t, tt.text, r.ToolResult.Result)
				require.Equal(t, []any{policy.Deny, tt.by, tt.why}, []any{r.Decision, r.DecidedBy, r.Why})
				a := audit.list[0]
				require.Equal(t, []any{policy.Deny, tt.by, tt.why}, []any{a.Decision, a.DecidedBy, a.Why})
			})
		})
	}
}
