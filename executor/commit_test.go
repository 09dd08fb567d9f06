package executor_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/tool"
)

// steps records what Execute does, in order. A step "commit" without an id is the commit before a
// wait.
type steps struct {
	mu      sync.Mutex
	list    []string
	commits int
	fail    int // the number of the commit that fails, from 1; 0 means none
}

func (s *steps) add(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, fmt.Sprintf(format, args...))
}

func (s *steps) observer() executor.Observer {
	return executor.Observer{
		Commit: func(starting []executor.Start, asking *executor.Question) error {
			line := "commit"
			for i := range starting {
				line += " " + starting[i].Request.ID
			}
			if asking != nil {
				line += " ?" + asking.ID
			}
			s.add("%s", line)
			if s.commits++; s.commits == s.fail {
				return errors.New("disk full")
			}
			return nil
		},
		Asked: func(r executor.Request, _ executor.Question) { s.add("asked %s", r.ID) },
		Answered: func(r executor.Request, _ executor.Question, d executor.Decision) {
			s.add("answered %s %s", r.ID, d.Verdict)
		},
		Started: func(r executor.Request, _ *tool.Entry, _ json.RawMessage) { s.add("started %s", r.ID) },
		Done:    func(r *executor.Result) { s.add("%s", strings.TrimRight("done "+r.ID+" "+r.ErrorType, " ")) },
	}
}

func TestEffectsFollowTheirCommit(t *testing.T) {
	for _, tt := range []struct {
		name     string
		requests string // ids and methods
		parallel bool
		fail     int // the number of the commit that fails, from 1; 0 means none
		want     string
	}{
		{"a call starts after its commit", "1 runs", false, 0, "commit 1, started 1, commit, runs 1, done 1"},
		{
			"calls that run in turn start with one commit each", "1 runs, 2 runs", false, 0,
			"commit 1, started 1, commit, runs 1, done 1, commit 2, started 2, commit, runs 2, done 2",
		},
		{
			"calls that run at once start with one commit", "1 runs, 2 runs", true, 0,
			"commit 1 2, started 1, started 2, commit, runs 1, done 1, commit, runs 2, done 2",
		},
		{
			"a question is asked after its commit", "1 asks", false, 0,
			"commit ?1, asked 1, commit, answered 1 allow, commit 1, started 1, commit, runs 1, done 1",
		},
		{
			"a call does not wait for an answer about another", "1 runs, 2 asks", true, 0,
			"commit 1, started 1, commit ?2, asked 2, commit, runs 1, done 1, commit, answered 2 allow, " +
				"commit 2, started 2, commit, runs 2, done 2",
		},
		{
			"a denied call does not start", "1 denies", false, 0,
			"commit ?1, asked 1, commit, answered 1 deny, done 1 permission_denied",
		},
		{"a refused request needs no commit", "1 none", false, 0, "done 1 method_not_found"},
		{
			"a call does not start if its commit fails", "1 runs, 2 runs", false, 1,
			"commit 1, done 1 canceled, done 2 canceled",
		},
		{
			"no call starts if the commit of several fails", "1 runs, 2 runs", true, 1,
			"commit 1 2, done 1 canceled, done 2 canceled",
		},
		{
			"a question is not asked if its commit fails", "1 asks, 2 asks", false, 1,
			"commit ?1, done 1 canceled, done 2 canceled",
		},
		{
			"a call that has started ends, although a later commit fails", "1 runs, 2 runs", false, 2,
			"commit 1, started 1, commit, runs 1, done 1, done 2 canceled",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &steps{fail: tt.fail}
				h := func(_ context.Context, c *tool.Call) (tool.Output, error) {
					time.Sleep(time.Duration(c.ID[0]) * time.Second) // 49 s for "1", 50 s for "2"
					s.add("runs %s", c.ID)
					return tool.Output{}, nil
				}
				slow := tool.Timeout(time.Hour)
				reg := registry(t, method(t, "runs", h, slow, tool.WithRisk(tool.RiskRead)),
					method(t, "asks", h, slow), method(t, "denies", h, slow))
				o := executor.Options{
					Parallel: tt.parallel, Logger: quiet, Policy: policy.Policy{Approve: policy.ApproveRead},
					Approver: func(_ context.Context, q executor.Question) (executor.Answer, error) {
						time.Sleep(time.Minute)
						if q.Method.Method.Name == "denies" {
							return q.Deny(""), nil
						}
						return q.Allow(), nil
					},
				}
				var list []executor.Request
				for line := range strings.SplitSeq(tt.requests, ", ") {
					id, name, _ := strings.Cut(line, " ")
					list = append(list, request(id, "t_"+name))
				}
				results := executor.New(reg, o).Execute(t.Context(), allVisible(), s.observer(), list)
				require.Len(t, results, len(list))
				if diff := cmp.Diff(strings.Split(tt.want, ", "), s.list); diff != "" {
					t.Errorf("steps (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// A result that is stored as JSON can be read back, without its secrets.
func TestKeptResultsAreReadBack(t *testing.T) {
	type details struct {
		Lines int `json:"lines"`
	}
	pay := method(t, "pay", func(context.Context, *tool.Call) (tool.Output, error) {
		return tool.Output{
			Text: "paid\xff", Details: details{3},
			Files: []tool.File{{Name: "a.txt", Data: []byte("data")}},
		}, nil
	}, tool.SecretParameters("text"))
	bad := method(t, "bad", func(context.Context, *tool.Call) (tool.Output, error) {
		return tool.Output{Details: func() {}, Files: []tool.File{{Name: "big", Data: make([]byte, 17<<20)}}}, nil
	})
	x := executor.New(registry(t, pay, bad), executor.Options{Logger: quiet})
	for name, req := range map[string]executor.Request{
		"a secret argument": request("1", "t_pay", "text", "my password"),
		"details that do not encode, and a file of over 16 MiB": request("1", "t_bad"),
		"a misspelled secret argument":                          request("1", "t_pay", "txt", "my password"),
		"a method that does not exist":                          request("1", "t_none"),
	} {
		t.Run(name, func(t *testing.T) {
			result := execute(t, x, req)
			kept := result.Kept()
			text, err := json.Marshal(kept)
			require.NoError(t, err)
			require.NotContains(t, string(text), "my password")
			require.Less(t, len(text), 1<<20)
			var read executor.Result
			require.NoError(t, json.Unmarshal(text, &read))
			again, err := json.Marshal(read)
			require.NoError(t, err)
			require.JSONEq(t, string(text), string(again))
			require.Equal(t, result.ToolResult, read.ToolResult)
			want, called := result.Digest()
			got, calledToo := read.Digest()
			require.Equal(t, called, calledToo)
			require.Equal(t, want, got, "the digest covers the secrets")
		})
	}
}

func TestInterruptedCallsAreUnknown(t *testing.T) {
	unknown := request("1", "t_pay").Unknown("shop_pay", json.RawMessage(`{"pin":"[secret]"}`), "abc")
	require.Equal(t, outcome{
		"1", "shop_pay", "error", "unknown",
		"shop_pay had started when the program was interrupted. It may or may not have happened.",
	}, outcomes([]executor.Result{unknown})[0])
	digest, ok := unknown.Digest()
	require.True(t, ok)
	require.Equal(t, executor.Digest("abc"), digest)
}

func TestARequestWithoutItsSecretsDoesNotRun(t *testing.T) {
	masked := request("2", "t_pay")
	masked.Masked = true
	ran := &runs{}
	x := executor.New(registry(t, method(t, "pay", ran.handle)), executor.Options{Logger: quiet})
	results := executeAll(t, x, masked, request("3", "t_pay"))
	require.Equal(t, []string{executor.ErrorCanceled, ""}, errorTypes(results))
	require.Len(t, ran.list, 1)
}

// An Observer that overwrites the JSON that it receives changes neither the question nor the call.
func TestAnObserverOwnsItsArguments(t *testing.T) {
	overwrite := func(b []byte) {
		for i := range b {
			b[i] = 'x'
		}
	}
	var shown, ran string
	m, err := tool.Raw("m", "Does.", json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}}}`),
		func(_ context.Context, c *tool.Call) (tool.Output, error) {
			ran = string(c.Arguments)
			return tool.Output{Text: "done"}, nil
		}, tool.AgentCallable())
	require.NoError(t, err)
	x := executor.New(registry(t, m), askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
		shown = string(q.Arguments)
		return q.Edit(json.RawMessage(`{"a":"c"}`)), nil
	}))
	observer := executor.Observer{
		Commit: func(_ []executor.Start, asking *executor.Question) error {
			if asking != nil {
				overwrite(asking.Arguments)
			}
			return nil
		},
		Asked: func(_ executor.Request, q executor.Question) { overwrite(q.Arguments) },
		Answered: func(_ executor.Request, q executor.Question, d executor.Decision) {
			overwrite(q.Arguments)
			overwrite(d.Arguments)
		},
		Started: func(_ executor.Request, _ *tool.Entry, arguments json.RawMessage) { overwrite(arguments) },
	}
	x.Execute(t.Context(), allVisible(), observer, []executor.Request{request("1", "t_m", "a", "b")})
	require.Equal(t, []string{`{"a":"b"}`, `{"a":"c"}`}, []string{shown, ran})
}
