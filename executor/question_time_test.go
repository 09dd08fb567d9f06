package executor_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

func TestApprovalTimeIsNotToolTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
			time.Sleep(time.Hour)
			return q.Allow(), nil
		})
		o.Timeout = 2 * time.Second
		x := executor.New(registry(t, method(t, "tool", workFor(time.Second))), o)
		r := execute(t, x, request("1", "t_tool"))
		require.Equal(t, protocol.StatusSuccess, r.Status, r.ToolResult.Result)
		require.Equal(t, time.Second, r.Duration)
	})
}

func TestLateAnswerDenies(t *testing.T) {
	for _, tt := range []struct {
		name     string
		approver executor.Approver
		took     time.Duration // until the result comes
		wantType string
	}{
		{"an answer in time counts", func(_ context.Context, q executor.Question) (executor.Answer, error) {
			time.Sleep(time.Minute - 1)
			return q.Allow(), nil
		}, time.Minute - 1, ""},
		{
			"an approver that ignores its context is not waited for",
			func(_ context.Context, q executor.Question) (executor.Answer, error) {
				time.Sleep(time.Hour)
				return q.Allow(), nil
			}, time.Minute, executor.ErrorPermissionDenied,
		},
		{
			"an approver that allows after the timeout is too late",
			func(ctx context.Context, q executor.Question) (executor.Answer, error) {
				<-ctx.Done()
				return q.Allow(), nil
			}, time.Minute, executor.ErrorPermissionDenied,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var ran runs
				o := askOptions(tt.approver)
				o.ApprovalTimeout = time.Minute
				start := time.Now()
				r := execute(t, executor.New(registry(t, method(t, "tool", ran.handle)), o), request("1", "t_tool"))
				require.Equal(t, tt.wantType, r.ErrorType)
				require.Equal(t, tt.took, time.Since(start))
				time.Sleep(2 * time.Hour)
				require.Equal(t, tt.wantType == "", len(ran.list) == 1)
			})
		})
	}
}

func TestToolsRunDuringQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		open := 0
		o := askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
			open++
			defer func() { open-- }()
			require.Equal(t, 1, open)
			time.Sleep(time.Second)
			return q.Allow(), nil
		})
		o.Parallel = true
		x := executor.New(registry(t, method(t, "tool", workFor(10*time.Second))), o)
		start := time.Now()
		results := executeAll(t, x, request("1", "t_tool"), request("2", "t_tool"), request("3", "t_tool"))
		require.Equal(t, 13*time.Second, time.Since(start),
			"3 questions of a second each, then 10 seconds of the last tool")
		for _, r := range results {
			require.Equal(t, protocol.StatusSuccess, r.Status)
		}
	})
}

func TestOneQuestionIsOpenAtATime(t *testing.T) {
	// ask executes one request in each conversation, and returns how long they took together.
	ask := func(t *testing.T, a executor.Approver, conversations ...*executor.Conversation) time.Duration {
		x := executor.New(registry(t, method(t, "tool", says(""))), askOptions(a))
		start := time.Now()
		var wg sync.WaitGroup
		for i, conversation := range conversations {
			wg.Go(func() {
				r := executeIn(t, x, conversation, request(fmt.Sprint(i), "t_tool"))
				require.Equal(t, protocol.StatusSuccess, r.Status, r.ToolResult.Result)
			})
		}
		wg.Wait()
		return time.Since(start)
	}
	slowly := func(verdict func(executor.Question) executor.Answer) executor.Approver {
		return func(_ context.Context, q executor.Question) (executor.Answer, error) {
			time.Sleep(time.Second)
			return verdict(q), nil
		}
	}
	t.Run("questions of one conversation wait for each other", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			conversation := allVisible()
			took := ask(t, slowly(executor.Question.Allow), conversation, conversation, conversation)
			require.Equal(t, 3*time.Second, took)
		})
	})
	t.Run("questions of several conversations do not wait for each other", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			require.Equal(t, time.Second,
				ask(t, slowly(executor.Question.Allow), allVisible(), allVisible(), allVisible()))
		})
	})
	t.Run("a call that the answer to an earlier question covers is not asked about", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			conversation := allVisible()
			took := ask(t, slowly(executor.Question.AllowForConversation), conversation, conversation, conversation)
			require.Equal(t, time.Second, took)
		})
	})
	t.Run("a run that ends stops waiting", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			conversation := allVisible()
			x := executor.New(registry(t, method(t, "tool", says(""))),
				askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
					time.Sleep(time.Minute)
					return q.Allow(), nil
				}))
			go x.Execute(t.Context(), conversation, executor.Observer{}, []executor.Request{request("1", "t_tool")})
			synctest.Wait()
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			start := time.Now()
			r := x.Execute(ctx, conversation, executor.Observer{}, []executor.Request{request("2", "t_tool")})[0]
			require.Equal(t, executor.ErrorCanceled, r.ErrorType)
			require.Equal(t, time.Second, time.Since(start))
			r = executeIn(t, x, conversation, request("3", "t_tool"))
			require.Equal(t, protocol.StatusSuccess, r.Status)
			require.Equal(t, 2*time.Minute, time.Since(start))
		})
	})
}

func TestCanceledRunEndsTheQuestion(t *testing.T) {
	for _, tt := range []struct {
		name     string
		approver executor.Approver
		wait     time.Duration // from the end of the run to the result
	}{
		{"an approver that obeys its context", func(ctx context.Context, _ executor.Question) (executor.Answer, error) {
			<-ctx.Done()
			return executor.Answer{}, ctx.Err()
		}, 0},
		{"an approver that allows too late", func(ctx context.Context, q executor.Question) (executor.Answer, error) {
			<-ctx.Done()
			return q.Allow(), nil
		}, 0},
		{"an approver that ignores its context", func(_ context.Context, q executor.Question) (executor.Answer, error) {
			time.Sleep(time.Hour)
			return q.Allow(), nil
		}, 2 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
				defer cancel()
				x := executor.New(registry(t, method(t, "tool", says("ran"))), askOptions(tt.approver))
				start := time.Now()
				r := x.Execute(ctx, allVisible(), executor.Observer{}, []executor.Request{request("1", "t_tool")})[0]
				require.Equal(t, executor.ErrorCanceled, r.ErrorType)
				require.Equal(t, 5*time.Second+tt.wait, time.Since(start))
				time.Sleep(2 * time.Hour)
			})
		})
	}
}

func TestTheTimeoutOfAQuestionDoesNotEndTheNextQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ran runs
		busy := method(t, "busy", func(_ context.Context, c *tool.Call) (tool.Output, error) {
			time.Sleep(time.Millisecond)
			c.Progress("working")
			return tool.Output{}, nil
		}, tool.WithRisk(tool.RiskRead))
		x := executor.New(registry(t, busy, method(t, "write", ran.handle)), executor.Options{
			Policy: policy.Policy{Approve: policy.ApproveRead}, Approver: executor.AwaitDecision,
			ApprovalTimeout: time.Second, Parallel: true, Logger: quiet,
		})
		conversation := allVisible()
		decide := func(d executor.Decision) {
			p := conversation.Pending()[0]
			require.NoError(t, conversation.Decide(p.RequestID, p.Digest, d))
		}
		questions := 0
		results := x.Execute(t.Context(), conversation, executor.Observer{
			Asked: func(executor.Request, executor.Question) {
				if questions++; questions == 2 {
					time.AfterFunc(time.Millisecond, func() { decide(executor.Decision{Verdict: executor.VerdictAllow}) })
				}
			},
			Progress: func(string, string) { // the decision and the approval timeout come while this function runs
				decide(executor.Decision{Verdict: executor.VerdictEdit, Arguments: []byte(`{"text": 1}`)})
				time.Sleep(2 * time.Second)
			},
		}, []executor.Request{request("1", "t_busy"), request("2", "t_write", "text", "x")})
		require.Equal(t, 2, questions)
		require.Equal(t, protocol.StatusSuccess, results[1].Status, results[1].Result)
	})
}
