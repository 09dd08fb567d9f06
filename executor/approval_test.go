package executor_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/tool"
)

func TestApproval(t *testing.T) {
	for _, tt := range []struct {
		name     string
		approver executor.Approver
		wantType string
		wantText string
	}{
		{"an approver that allows lets the call run", approver(allows), "", "ran"},
		{"a missing approver denies", nil, executor.ErrorPermissionDenied, "needs the user's approval"},
		{"an approver that is a nil function denies", approver(nil), executor.ErrorPermissionDenied, "needs the user's approval"},
		{"an approver that denies gives its reason to the model", approver(func(_ context.Context, a executor.Question) (executor.Answer, error) {
			return a.Deny("not on a Friday"), nil
		}), executor.ErrorPermissionDenied, "The user did not allow this call. Reason: not on a Friday"},
		{"an approver that returns no answer denies", approver(func(context.Context, executor.Question) (executor.Answer, error) {
			return executor.Answer{}, nil
		}), executor.ErrorPermissionDenied, "needs the user's approval"},
		{"a failing approver denies, whatever it decided", approver(func(_ context.Context, a executor.Question) (executor.Answer, error) {
			return a.Allow(), errors.New("secret: no terminal")
		}), executor.ErrorPermissionDenied, "needs the user's approval"},
		{"an approver whose error panics denies", approver(func(_ context.Context, a executor.Question) (executor.Answer, error) {
			return a.Allow(), (*brokenError)(nil)
		}), executor.ErrorPermissionDenied, "needs the user's approval"},
		{"an approver that panics denies", approver(func(context.Context, executor.Question) (executor.Answer, error) {
			panic("secret")
		}), executor.ErrorPermissionDenied, "needs the user's approval"},
		{"an approver that ends its goroutine denies", approver(func(_ context.Context, a executor.Question) (executor.Answer, error) {
			runtime.Goexit()
			return a.Allow(), nil
		}), executor.ErrorPermissionDenied, "needs the user's approval"},
		{"an answer to another request denies", approver(func(_ context.Context, a executor.Question) (executor.Answer, error) {
			a.ID = "2"
			return a.Allow(), nil
		}), executor.ErrorPermissionDenied, "needs the user's approval"},
		{"an answer by the model's own id denies", approver(func(_ context.Context, a executor.Question) (executor.Answer, error) {
			a.ID = "label"
			return a.Allow(), nil
		}), executor.ErrorPermissionDenied, "needs the user's approval"},
		{"an answer to other arguments denies", approver(func(_ context.Context, a executor.Question) (executor.Answer, error) {
			a.Digest = "x" + a.Digest[1:]
			return a.Allow(), nil
		}), executor.ErrorPermissionDenied, "needs the user's approval"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var ran runs
			x := executor.New(registry(t, method(t, "tool", ran.handle)), asking(tt.approver))
			req := request("1", "t_tool")
			req.Label = "label"
			r := x.Execute(t.Context(), all(), executor.Observer{}, []executor.Request{req})[0]
			require.Equal(t, tt.wantType, r.ErrorType)
			require.Contains(t, r.ToolResult.Result, tt.wantText)
			require.NotContains(t, r.ToolResult.Result+r.Suggestion, "secret")
			require.Equal(t, tt.wantType == "", len(ran.list) == 1)
		})
	}
}

// counting is a context that never ends, and counts its children that are not done.
type counting struct {
	context.Context
	done     chan struct{}
	children int
}

func (c *counting) Done() <-chan struct{} { return c.done }

// AfterFunc is what the context package calls for each child of a foreign context.
func (c *counting) AfterFunc(func()) (stop func() bool) {
	c.children++
	return func() bool {
		c.children--
		return true
	}
}

func TestAnsweredQuestionFreesItsContext(t *testing.T) {
	for name, limit := range map[string]time.Duration{"without a timeout": 0, "with a timeout": time.Hour} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			o := asking(approver(func(_ context.Context, a executor.Question) (executor.Answer, error) {
				asked++
				return a.Edit(json.RawMessage(`{"text":7}`)), nil // the schema refuses this, so the question is asked again
			}))
			o.ApprovalTimeout = limit
			run := &counting{Context: context.Background(), done: make(chan struct{})}
			executor.New(registry(t, method(t, "tool", says("ran"))), o).
				Execute(run, all(), executor.Observer{}, []executor.Request{request("1", "t_tool")})
			require.Equal(t, 5, asked)
			require.Zero(t, run.children)
		})
	}
}

func TestMissingApproverIsLogged(t *testing.T) {
	var log strings.Builder
	o := asking(nil)
	o.Logger = slog.New(slog.NewTextHandler(&log, nil))
	x := executor.New(registry(t, method(t, "tool", says(""))), o)
	x.Execute(t.Context(), all(), executor.Observer{}, []executor.Request{request("1", "t_tool")})
	require.Contains(t, log.String(), "set engine.Options.Approver")
}

func TestOnlyValidCallsAreAsked(t *testing.T) {
	var asked []string
	hidden, err := tool.Raw("hidden", "for the application", nil, says(""))
	require.NoError(t, err)
	x := executor.New(registry(t, method(t, "tool", says("")), method(t, "off", says("")), hidden), asking(approver(func(_ context.Context, a executor.Question) (executor.Answer, error) {
		asked = append(asked, a.ID+" "+a.Method.FullName+" "+string(a.Arguments))
		return a.Allow(), nil
	})))
	x.Execute(t.Context(), except("t_off"), executor.Observer{}, []executor.Request{
		request("1", "t_nothing"), request("2", "t_tool", "color", "red"), request("3", "t_tool", "text", "hi"), request("4", "t_off"),
		request("5", "t_hidden"),
		{ID: "6", Err: &scan.RequestError{Code: scan.CodeNoFields, Message: "There is no field."}},
	})
	require.Equal(t, []string{`3 t_tool {"text":"hi"}`}, asked)
}

func TestApprovalIgnoresLabels(t *testing.T) {
	var ran runs
	x := executor.New(registry(t, method(t, "tool", ran.handle)), asking(approver(func(_ context.Context, a executor.Question) (executor.Answer, error) {
		if a.ID == "1.1" {
			return a.Allow(), nil
		}
		return a.Deny(""), nil
	})))
	one, two := request("1.1", "t_tool"), request("1.2", "t_tool")
	one.Label, two.Label = "same", "same"
	results := x.Execute(t.Context(), all(), executor.Observer{}, []executor.Request{one, two})
	require.Equal(t, []string{"1.1 {}"}, ran.list)
	require.Equal(t, protocol.StatusSuccess, results[0].Status)
	require.Equal(t, executor.ErrorPermissionDenied, results[1].ErrorType)
}

func TestChangedCallIsNotApproved(t *testing.T) {
	change := func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (tool.Output, error) {
			other := *c
			other.Arguments = json.RawMessage(`{"text":"rm"}`)
			return next(ctx, &other)
		}
	}
	t.Run("a middleware changes the arguments", func(t *testing.T) {
		var ran runs
		o := asking(approver(allows))
		o.Middlewares = []tool.Middleware{change}
		x := executor.New(registry(t, method(t, "tool", ran.handle)), o)
		r := x.Execute(t.Context(), all(), executor.Observer{}, []executor.Request{request("1", "t_tool", "text", "ls")})[0]
		require.Empty(t, ran.list)
		require.Equal(t, executor.ErrorPermissionDenied, r.ErrorType)
		require.Contains(t, r.ToolResult.Result, "changed after the user had allowed it")
	})
	t.Run("a middleware changes the arguments of a dangerous call that was allowed for the conversation", func(t *testing.T) {
		var ran runs
		o := asking(approver(func(_ context.Context, a executor.Question) (executor.Answer, error) {
			return a.AllowForConversation(), nil
		}))
		reg := registry(t, method(t, "tool", ran.handle, tool.WithRisk(tool.RiskDangerous)))
		conversation := all()
		executor.New(reg, o).Execute(t.Context(), conversation, executor.Observer{}, []executor.Request{request("1", "t_tool", "text", "ls")})
		o.Middlewares = []tool.Middleware{change}
		r := executor.New(reg, o).Execute(t.Context(), conversation, executor.Observer{}, []executor.Request{request("2", "t_tool", "text", "ls")})[0]
		require.Equal(t, []string{`1 {"text":"ls"}`}, ran.list)
		require.Equal(t, executor.ErrorPermissionDenied, r.ErrorType)
	})
	t.Run("a middleware writes the same arguments in another form", func(t *testing.T) {
		var ran runs
		o := asking(approver(allows))
		o.Middlewares = []tool.Middleware{func(next tool.Handler) tool.Handler {
			return func(ctx context.Context, c *tool.Call) (tool.Output, error) {
				other := *c
				other.Arguments = json.RawMessage(`{ "text" : "\u006cs" }`)
				return next(ctx, &other)
			}
		}}
		x := executor.New(registry(t, method(t, "tool", ran.handle)), o)
		r := x.Execute(t.Context(), all(), executor.Observer{}, []executor.Request{request("1", "t_tool", "text", "ls")})[0]
		require.Equal(t, protocol.StatusSuccess, r.Status, r.ToolResult.Result)
	})
	for _, tt := range []struct {
		name     string
		approver executor.Approver
		observer executor.Observer
	}{
		{"an approver writes into its copy", approver(func(_ context.Context, a executor.Question) (executor.Answer, error) {
			copy(a.Arguments, `{"text":"rm"}`)
			return a.Allow(), nil
		}), executor.Observer{}},
		{"an observer writes into its copy", approver(allows), executor.Observer{
			Started: func(_ executor.Request, _ *tool.Entry, arguments json.RawMessage) { copy(arguments, `{"text":"rm"}`) },
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var ran runs
			x := executor.New(registry(t, method(t, "tool", ran.handle)), asking(tt.approver))
			r := x.Execute(t.Context(), all(), tt.observer, []executor.Request{request("1", "t_tool", "text", "ls")})[0]
			require.Equal(t, []string{`1 {"text":"ls"}`}, ran.list)
			require.JSONEq(t, `{"text":"ls"}`, string(r.Arguments))
		})
	}
}

// TestRecheckAfterApproval covers the second check of a call, right before it runs.
func TestRecheckAfterApproval(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(t *testing.T, reg *tool.Registry, conversation *executor.Conversation)
		want   string
	}{
		{"a method that is switched off meanwhile does not run", func(_ *testing.T, _ *tool.Registry, conversation *executor.Conversation) {
			conversation.Visible = nil
		}, executor.ErrorToolDisabled},
		{"a method that is unregistered meanwhile does not run", func(_ *testing.T, reg *tool.Registry, _ *executor.Conversation) {
			reg.Unregister("t")
		}, executor.ErrorToolNotFound},
		{"a method that is replaced meanwhile does not run", func(t *testing.T, reg *tool.Registry, _ *executor.Conversation) {
			reg.Unregister("t")
			require.NoError(t, reg.Register(tool.Tool{ID: "t", Methods: []tool.Method{method(t, "tool", says("other"))}}))
		}, executor.ErrorToolNotFound},
		{"a method that another tool's registration does not touch runs", func(t *testing.T, reg *tool.Registry, _ *executor.Conversation) {
			require.NoError(t, reg.Register(tool.Tool{ID: "u", Methods: []tool.Method{method(t, "tool", says("other"))}}))
		}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			conversation := all()
			reg := registry(t, method(t, "tool", says("ran")))
			x := executor.New(reg, asking(approver(func(_ context.Context, a executor.Question) (executor.Answer, error) {
				tt.change(t, reg, conversation)
				return a.Allow(), nil
			})))
			r := x.Execute(t.Context(), conversation, executor.Observer{}, []executor.Request{request("1", "t_tool")})[0]
			require.Equal(t, tt.want, r.ErrorType)
		})
	}
}

func TestApprovalTimeIsNotToolTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := asking(approver(func(_ context.Context, a executor.Question) (executor.Answer, error) {
			time.Sleep(time.Hour)
			return a.Allow(), nil
		}))
		o.Timeout = 2 * time.Second
		x := executor.New(registry(t, method(t, "tool", takes(time.Second))), o)
		r := x.Execute(t.Context(), all(), executor.Observer{}, []executor.Request{request("1", "t_tool")})[0]
		require.Equal(t, protocol.StatusSuccess, r.Status, r.ToolResult.Result)
		require.Equal(t, time.Second, r.Duration)
	})
}

func TestLateAnswerDenies(t *testing.T) {
	for _, tt := range []struct {
		name     string
		approver approver
		want     time.Duration
		wantType string
	}{
		{"an answer in time counts", func(_ context.Context, a executor.Question) (executor.Answer, error) {
			time.Sleep(time.Minute - 1)
			return a.Allow(), nil
		}, time.Minute - 1, ""},
		{"an approver that ignores its context is not waited for", func(_ context.Context, a executor.Question) (executor.Answer, error) {
			time.Sleep(time.Hour)
			return a.Allow(), nil
		}, time.Minute, executor.ErrorPermissionDenied},
		{"an approver that allows after its time denies", func(ctx context.Context, a executor.Question) (executor.Answer, error) {
			<-ctx.Done()
			return a.Allow(), nil
		}, time.Minute, executor.ErrorPermissionDenied},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var ran runs
				o := asking(tt.approver)
				o.ApprovalTimeout = time.Minute
				start := time.Now()
				r := executor.New(registry(t, method(t, "tool", ran.handle)), o).Execute(t.Context(), all(), executor.Observer{}, []executor.Request{request("1", "t_tool")})[0]
				require.Equal(t, tt.wantType, r.ErrorType)
				require.Equal(t, tt.want, time.Since(start))
				time.Sleep(2 * time.Hour)
				require.Equal(t, tt.wantType == "", len(ran.list) == 1)
			})
		})
	}
}

func TestToolsRunDuringQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		open := 0
		o := asking(approver(func(_ context.Context, a executor.Question) (executor.Answer, error) {
			open++
			defer func() { open-- }()
			require.Equal(t, 1, open)
			time.Sleep(time.Second)
			return a.Allow(), nil
		}))
		o.Parallel = true
		x := executor.New(registry(t, method(t, "tool", takes(10*time.Second))), o)
		start := time.Now()
		results := x.Execute(t.Context(), all(), executor.Observer{}, []executor.Request{request("1", "t_tool"), request("2", "t_tool"), request("3", "t_tool")})
		require.Equal(t, 13*time.Second, time.Since(start), "3 questions of a second each, then 10 seconds of the last tool")
		for _, r := range results {
			require.Equal(t, protocol.StatusSuccess, r.Status)
		}
	})
}

func TestOneQuestionAtATime(t *testing.T) {
	ask := func(t *testing.T, scopes []*executor.Conversation, a executor.Approver) (asked time.Duration) {
		x := executor.New(registry(t, method(t, "tool", says(""))), asking(a))
		start := time.Now()
		var wg sync.WaitGroup
		for i, s := range scopes {
			wg.Go(func() {
				r := x.Execute(t.Context(), s, executor.Observer{}, []executor.Request{request(fmt.Sprint(i), "t_tool")})[0]
				require.Equal(t, protocol.StatusSuccess, r.Status, r.ToolResult.Result)
			})
		}
		wg.Wait()
		return time.Since(start)
	}
	slowly := func(open *atomic.Int32, verdict func(executor.Question) executor.Answer) approver {
		return func(_ context.Context, a executor.Question) (executor.Answer, error) {
			open.Add(1)
			defer open.Add(-1)
			time.Sleep(time.Second)
			return verdict(a), nil
		}
	}
	t.Run("questions of one conversation wait for each other, also those of different runs", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			conversation := all()
			var open atomic.Int32
			require.Equal(t, 3*time.Second, ask(t, []*executor.Conversation{conversation, conversation, conversation}, slowly(&open, executor.Question.Allow)))
		})
	})
	t.Run("questions of several conversations do not wait for each other", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var open atomic.Int32
			require.Equal(t, time.Second, ask(t, []*executor.Conversation{all(), all(), all()}, slowly(&open, executor.Question.Allow)))
		})
	})
	t.Run("a question that an earlier answer has settled is not asked", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			conversation := all()
			var open atomic.Int32
			require.Equal(t, time.Second, ask(t, []*executor.Conversation{conversation, conversation, conversation}, slowly(&open, executor.Question.AllowForConversation)))
		})
	})
	t.Run("a run that ends stops waiting", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			conversation := all()
			x := executor.New(registry(t, method(t, "tool", says(""))), asking(approver(func(_ context.Context, a executor.Question) (executor.Answer, error) {
				time.Sleep(time.Minute)
				return a.Allow(), nil
			})))
			go x.Execute(t.Context(), conversation, executor.Observer{}, []executor.Request{request("1", "t_tool")})
			synctest.Wait()
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			start := time.Now()
			r := x.Execute(ctx, conversation, executor.Observer{}, []executor.Request{request("2", "t_tool")})[0]
			require.Equal(t, executor.ErrorCanceled, r.ErrorType)
			require.Equal(t, time.Second, time.Since(start))
			r = x.Execute(t.Context(), conversation, executor.Observer{}, []executor.Request{request("3", "t_tool")})[0]
			require.Equal(t, protocol.StatusSuccess, r.Status)
			require.Equal(t, 2*time.Minute, time.Since(start))
		})
	})
}

func TestAllowForConversation(t *testing.T) {
	for _, tt := range []struct {
		name  string
		risk  tool.Risk
		after func(t *testing.T, reg *tool.Registry, m tool.Method)
		args  []string // of the second call; the first has the text "a"
		same  bool     // the second call is in the same conversation
		asked int
	}{
		{"all calls of the method are allowed", tool.RiskWrite, nil, []string{"text", "b"}, true, 1},
		{"the same call of a dangerous method is allowed", tool.RiskDangerous, nil, []string{"text", "a"}, true, 1},
		{"another call of a dangerous method is asked about", tool.RiskDangerous, nil, []string{"text", "b"}, true, 2},
		{"a call in another conversation is asked about", tool.RiskRead, nil, []string{"text", "a"}, false, 2},
		{"a call of a method that replaced another is asked about", tool.RiskRead, func(t *testing.T, reg *tool.Registry, m tool.Method) {
			reg.Unregister("t")
			require.NoError(t, reg.Register(tool.Tool{ID: "t", Methods: []tool.Method{m}}))
		}, []string{"text", "a"}, true, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var asked []executor.Question
			m := method(t, "tool", says(""), tool.WithRisk(tt.risk))
			reg := registry(t, m)
			x := executor.New(reg, asking(approver(func(_ context.Context, a executor.Question) (executor.Answer, error) {
				asked = append(asked, a)
				return a.AllowForConversation(), nil
			})))
			conversation := all()
			x.Execute(t.Context(), conversation, executor.Observer{}, []executor.Request{request("1", "t_tool", "text", "a")})
			if tt.after != nil {
				tt.after(t, reg, m)
			}
			if !tt.same {
				conversation = all()
			}
			r := x.Execute(t.Context(), conversation, executor.Observer{}, []executor.Request{request("2", "t_tool", tt.args...)})[0]
			require.Equal(t, protocol.StatusSuccess, r.Status)
			require.Len(t, asked, tt.asked)
			require.Equal(t, tt.risk != tool.RiskDangerous, asked[0].GrantsMethod)
		})
	}
	t.Run("a call that a rule denies is denied", func(t *testing.T) {
		reg, conversation := registry(t, method(t, "tool", says(""))), all()
		o := asking(approver(func(_ context.Context, a executor.Question) (executor.Answer, error) {
			return a.AllowForConversation(), nil
		}))
		executor.New(reg, o).Execute(t.Context(), conversation, executor.Observer{}, []executor.Request{request("1", "t_tool")})
		o.Policy.Rules = []policy.Rule{{Method: "t_tool", Decision: policy.Deny}}
		r := executor.New(reg, o).Execute(t.Context(), conversation, executor.Observer{}, []executor.Request{request("2", "t_tool")})[0]
		require.Equal(t, executor.ErrorPermissionDenied, r.ErrorType)
		require.Contains(t, r.ToolResult.Result, "settings")
	})
}

func TestEditedArguments(t *testing.T) {
	type in struct {
		Path  string `json:"path"`
		Depth int    `json:"depth,omitempty" default:"3"`
		Key   string `json:"key,omitempty"`
	}
	for _, tt := range []struct {
		name    string
		edits   []string
		ran     string // the arguments with which the call ran; "" if it did not run
		text    string // the beginning of what the model reads
		problem string // a part of the Problem of the last question
	}{
		{"arguments that fit run, and the model is told", []string{`{"path":"b","depth":1}`}, `{"path":"b","depth":1}`, "[The user changed the arguments of this call to {\"path\":\"b\",\"depth\":1}]\nread b", ""},
		{"arguments in another spelling, without a default", []string{`{"Path":"b"}`}, `{"path":"b","depth":3}`, "[The user changed the arguments of this call to {\"path\":\"b\",\"depth\":3}]\nread b", ""},
		{"arguments that the schema refuses", []string{`{"depth":1}`, `{"path":"c"}`}, `{"path":"c","depth":3}`, "[The user changed", "path"},
		{"arguments that are not an object", []string{`["b"]`, `{"path":"c"}`}, `{"path":"c","depth":3}`, "[The user changed", "not a JSON object"},
		{"arguments that are two objects", []string{`{"path":"b"}{}`, `{"path":"c"}`}, `{"path":"c","depth":3}`, "[The user changed", "not a JSON object"},
		{"arguments that are never valid", []string{`{}`, `{}`, `{}`, `{}`, `{}`}, "", "This call needs the user's approval, which is unavailable.", "path"},
		{"arguments with a secret", []string{`{"path":"b","key":"hush"}`}, `{"path":"b","depth":3,"key":"hush"}`, "[The user changed the arguments of this call to {\"path\":\"b\",\"depth\":3,\"key\":\"[secret]\"}]\nread b", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ran := ""
			m, err := tool.New("read", "Reads.", func(_ context.Context, in in) (string, error) {
				text, err := json.Marshal(in)
				ran = string(text)
				return "read " + in.Path, err
			}, tool.AgentCallable(), tool.SecretParameters("key"))
			require.NoError(t, err)
			edits, problem := tt.edits, ""
			o := asking(approver(func(_ context.Context, a executor.Question) (executor.Answer, error) {
				edit := edits[0]
				edits, problem = edits[1:], a.Problem
				return a.Edit(json.RawMessage(edit)), nil
			}))
			r := executor.New(registry(t, m), o).Execute(t.Context(), all(), executor.Observer{}, []executor.Request{request("1", "t_read", "path", "a")})[0]
			require.Equal(t, tt.ran, ran)
			require.Truef(t, strings.HasPrefix(r.ToolResult.Result, tt.text), "the model reads %q", r.ToolResult.Result)
			require.Contains(t, problem, tt.problem)
			require.Empty(t, edits)
			require.Equal(t, tt.ran != "", r.Edited)
			if tt.ran != "" {
				require.JSONEq(t, tt.ran, string(r.Arguments))
			}
		})
	}
	t.Run("arguments with the same meaning are not a change", func(t *testing.T) {
		x := executor.New(registry(t, method(t, "tool", says("ran"))), asking(approver(func(_ context.Context, a executor.Question) (executor.Answer, error) {
			return a.Edit(json.RawMessage(`{ "text" : "\u0061" }`)), nil
		})))
		r := x.Execute(t.Context(), all(), executor.Observer{}, []executor.Request{request("1", "t_tool", "text", "a")})[0]
		require.Equal(t, "ran", r.ToolResult.Result)
		require.False(t, r.Edited)
	})
	t.Run("arguments of a call that fails", func(t *testing.T) {
		x := executor.New(registry(t, method(t, "tool", func(context.Context, *tool.Call) (tool.Output, error) {
			return tool.Output{}, errors.New("no such text")
		})), asking(approver(func(_ context.Context, a executor.Question) (executor.Answer, error) {
			return a.Edit(json.RawMessage(`{"text":"b"}`)), nil
		})))
		r := x.Execute(t.Context(), all(), executor.Observer{}, []executor.Request{request("1", "t_tool", "text", "a")})[0]
		require.Equal(t, "[The user changed the arguments of this call to {\"text\":\"b\"}]\nno such text", r.ToolResult.Result)
	})
}

func TestDigest(t *testing.T) {
	digest := func(t *testing.T, name string, args ...string) (d executor.Digest) {
		schema := json.RawMessage(`{"type":"object","properties":{"a":{},"b":{"type":["object","number"]}},"additionalProperties":true}`)
		var methods []tool.Method
		for _, name := range []string{"one", "two"} {
			m, err := tool.Raw(name, name, schema, says(""), tool.AgentCallable())
			require.NoError(t, err)
			methods = append(methods, m)
		}
		req := request("1", name)
		for i := 0; i < len(args); i += 2 {
			req.Arguments = append(req.Arguments, protocol.Argument{Name: args[i], Value: args[i+1], Form: protocol.FormJSON})
		}
		r := executor.New(registry(t, methods...), asking(approver(func(_ context.Context, a executor.Question) (executor.Answer, error) {
			d = a.Digest
			return a.Allow(), nil
		}))).Execute(t.Context(), all(), executor.Observer{}, []executor.Request{req})[0]
		require.Equal(t, protocol.StatusSuccess, r.Status, r.ToolResult.Result)
		return d
	}
	base := digest(t, "t_one", "x", "1", "y", `{"k":1,"l":[2]}`)
	require.Regexp(t, `^[a-z2-7]{26}$`, string(base))
	require.Equal(t, base, digest(t, "t_one", "y", `{ "l":[2], "k":1 }`, "x", "1"), "the order of members does not matter")
	for name, other := range map[string]executor.Digest{
		"another method": digest(t, "t_two", "x", "1", "y", `{"k":1,"l":[2]}`),
		"another value":  digest(t, "t_one", "x", "2", "y", `{"k":1,"l":[2]}`),
		"another type":   digest(t, "t_one", "x", `"1"`, "y", `{"k":1,"l":[2]}`),
		"a longer list":  digest(t, "t_one", "x", "1", "y", `{"k":1,"l":[2,2]}`),
		"more digits":    digest(t, "t_one", "x", "1.00000000000000000001", "y", `{"k":1,"l":[2]}`),
	} {
		require.NotEqual(t, base, other, name)
	}
	big := digest(t, "t_one", "x", "9007199254740993")
	require.NotEqual(t, big, digest(t, "t_one", "x", "9007199254740992"), "numbers keep all digits")
}

func TestCancelDuringApproval(t *testing.T) {
	for _, tt := range []struct {
		name     string
		approver approver
		wait     time.Duration
	}{
		{"an approver that obeys its context", func(ctx context.Context, _ executor.Question) (executor.Answer, error) {
			<-ctx.Done()
			return executor.Answer{}, ctx.Err()
		}, 0},
		{"an approver that allows too late", func(ctx context.Context, a executor.Question) (executor.Answer, error) {
			<-ctx.Done()
			return a.Allow(), nil
		}, 0},
		{"an approver that ignores its context", func(_ context.Context, a executor.Question) (executor.Answer, error) {
			time.Sleep(time.Hour)
			return a.Allow(), nil
		}, 2 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
				defer cancel()
				x := executor.New(registry(t, method(t, "tool", says("ran"))), asking(tt.approver))
				start := time.Now()
				r := x.Execute(ctx, all(), executor.Observer{}, []executor.Request{request("1", "t_tool")})[0]
				require.Equal(t, executor.ErrorCanceled, r.ErrorType)
				require.Equal(t, 5*time.Second+tt.wait, time.Since(start))
				time.Sleep(2 * time.Hour)
			})
		})
	}
}
