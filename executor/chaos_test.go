package executor_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/tool"
)

// chaos contains handlers that behave well or as badly as code can. All of them end within an hour.
var chaos = map[string]tool.Handler{
	"works":   says("fine"),
	"fails":   func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, errors.New("boom") },
	"panics":  func(context.Context, *tool.Call) (tool.Output, error) { panic("boom") },
	"exits":   func(context.Context, *tool.Call) (tool.Output, error) { runtime.Goexit(); return tool.Output{}, nil },
	"hangs":   workFor(time.Hour),
	"ignores": ignoreContextFor(time.Hour),
	"quick":   workFor(time.Second),
	"busy": func(context.Context, *tool.Call) (tool.Output, error) {
		return tool.Output{}, tool.Retryable(errors.New("busy"))
	},
	"nil error": func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, (*brokenError)(nil) },
	"huge":      says(strings.Repeat("x", 1<<20)),
	"nothing":   func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, nil },
	"binary":    says("\xff\x00\xfe"),
	"late panic": func(ctx context.Context, _ *tool.Call) (tool.Output, error) {
		<-ctx.Done()
		panic(ctx.Err())
	},
	"own goroutine": func(ctx context.Context, c *tool.Call) (tool.Output, error) {
		go func() {
			for range 10 {
				c.Progress("\xff still here")
				time.Sleep(time.Second)
			}
		}()
		time.Sleep(time.Second)
		return tool.Output{Text: "back"}, nil
	},
}

var approvers = map[string]executor.Approver{
	"none":   nil,
	"allows": allows,
	"always": func(_ context.Context, q executor.Question) (executor.Answer, error) {
		return q.AllowForConversation(), nil
	},
	"edits": func(_ context.Context, q executor.Question) (executor.Answer, error) {
		return q.Edit(json.RawMessage(`{"text":"x"}`)), nil
	},
	"denies": func(_ context.Context, q executor.Question) (executor.Answer, error) { return q.Deny(""), nil },
	"panics": func(context.Context, executor.Question) (executor.Answer, error) { panic("boom") },
	"exits": func(_ context.Context, q executor.Question) (executor.Answer, error) {
		runtime.Goexit()
		return q.Allow(), nil
	},
	"ignores": func(_ context.Context, q executor.Question) (executor.Answer, error) {
		time.Sleep(time.Hour)
		return q.Allow(), nil
	},
}

var summarizers = map[string]func(context.Context, executor.FullResult, int) (string, error){
	"none":   nil,
	"works":  func(context.Context, executor.FullResult, int) (string, error) { return "in short\xff", nil },
	"fails":  func(context.Context, executor.FullResult, int) (string, error) { return "in short", errors.New("boom") },
	"panics": func(context.Context, executor.FullResult, int) (string, error) { panic("boom") },
	"exits": func(context.Context, executor.FullResult, int) (string, error) {
		runtime.Goexit()
		return "in short", nil
	},
	"ignores": func(context.Context, executor.FullResult, int) (string, error) {
		time.Sleep(time.Hour)
		return "in short", nil
	},
}

// declarations are options of methods.
var declarations = map[string]tool.Option{
	"idempotent": tool.Idempotent(), "cacheable": tool.Cacheable(time.Minute), "concurrency": tool.Concurrency(1),
	"resource": tool.Uses("disk"), "dangerous": tool.WithRisk(tool.RiskDangerous),
}

// chaosRegistry returns a registry with a tool for each handler in chaos, and the tool "host".
// Calls of "host" are host-run, and nobody completes them. The method of each tool is called run.
func chaosRegistry(t testing.TB, concurrency int, declared ...tool.Option) *tool.Registry {
	t.Helper()
	reg := tool.NewRegistry()
	for name, h := range chaos {
		m := method(t, "run", h, declared...)
		id := strings.ReplaceAll(name, " ", "-")
		require.NoError(t, reg.Register(tool.Tool{ID: id, Concurrency: concurrency, Methods: []tool.Method{m}}))
	}
	host, err := tool.HostRun("run", "waits",
		json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`),
		slices.Concat(declared, []tool.Option{tool.AgentCallable()})...)
	require.NoError(t, err)
	require.NoError(t, reg.Register(tool.Tool{ID: "host", Methods: []tool.Method{host}}))
	return reg
}

// TestEachModeHasOneResultPerRequest runs each tool of chaosRegistry, and a tool with a huge
// output, twice in each mode.
func TestEachModeHasOneResultPerRequest(t *testing.T) {
	huge := says(strings.Repeat(outputLine, hugeOutput()/len(outputLine)))
	always := func(_ context.Context, q executor.Question) (executor.Answer, error) {
		return q.AllowForConversation(), nil
	}
	for _, mode := range []struct {
		name     string
		options  executor.Options
		declared []tool.Option
	}{
		{"sequential", executor.Options{}, nil},
		{"parallel", executor.Options{Parallel: true}, nil},
		{"with approval", executor.Options{Policy: askAll, Approver: always}, nil},
		{"with approval, in parallel", executor.Options{Parallel: true, Policy: askAll, Approver: always}, nil},
		{"cached", executor.Options{}, []tool.Option{tool.Cacheable(time.Hour)}},
		{"retried", executor.Options{Parallel: true}, []tool.Option{tool.Idempotent()}},
		{
			"limited",
			executor.Options{Parallel: true, MaxConcurrent: 2, MaxAbandoned: 1},
			[]tool.Option{tool.Concurrency(1)},
		},
		{"with a shared resource", executor.Options{Parallel: true}, []tool.Option{tool.Uses("disk")}},
		{
			"with a limit on results", executor.Options{
				Parallel: true, ResultLimit: executor.ResultLimit{Tokens: executor.DefaultResultTokens},
			}, nil,
		},
	} {
		t.Run(mode.name, func(t *testing.T) {
			reg := chaosRegistry(t, 0, mode.declared...)
			m := method(t, "run", huge, mode.declared...)
			require.NoError(t, reg.Register(tool.Tool{ID: "enormous", Methods: []tool.Method{m}}))
			var reqs []executor.Request
			for range 2 {
				for _, e := range reg.Entries() {
					reqs = append(reqs, request(fmt.Sprint(len(reqs)), e.FullName))
				}
			}
			synctest.Test(t, func(t *testing.T) {
				mode.options.Logger = quiet
				done := map[string]int{}
				x := executor.New(reg, mode.options)
				results := x.Execute(t.Context(), allVisible(),
					executor.Observer{Done: func(r *executor.Result) { done[r.ID]++ }}, reqs)
				time.Sleep(24 * time.Hour) // until all handlers have returned
				require.Empty(t, brokenRule(reqs, results, done))
				require.Empty(t, x.Abandoned())
			})
		})
	}
}

// Execute returns one result for each request, whatever handlers, approvers and summarizers do, and
// whenever the run is canceled. (A law is a property that rapid checks with generated inputs.)
func TestLawEachRequestHasExactlyOneResult(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var declared []tool.Option
		for _, name := range slices.Sorted(maps.Keys(declarations)) {
			if rapid.Bool().Draw(rt, name) {
				declared = append(declared, declarations[name])
			}
		}
		reg := chaosRegistry(t, rapid.IntRange(0, 2).Draw(rt, "calls of a tool at once"), declared...)
		names := []string{"no_such", ""}
		for _, e := range reg.Entries() {
			names = append(names, e.FullName)
		}
		reqs := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) executor.Request {
			r := request("", rapid.SampledFrom(names).Draw(rt, "name"))
			if rapid.IntRange(0, 9).Draw(rt, "malformed") == 0 {
				r.Err = &scan.RequestError{Code: scan.CodeBadKey, Message: "bad"}
			}
			return r
		}), 0, 8).Draw(rt, "requests")
		for i := range reqs {
			reqs[i].ID = fmt.Sprint(i)
		}
		options := executor.Options{
			Parallel: rapid.Bool().Draw(rt, "parallel"),
			Policy: policy.Policy{
				Approve: rapid.SampledFrom([]policy.Approve{policy.ApproveAsk, policy.ApproveAll}).Draw(rt, "approve"),
			},
			Approver: approvers[rapid.SampledFrom(slices.Sorted(maps.Keys(approvers))).Draw(rt, "approver")],
			Logger:   quiet,

			MaxConcurrent:   rapid.IntRange(0, 2).Draw(rt, "calls at once"),
			MaxAbandoned:    rapid.IntRange(0, 2).Draw(rt, "abandoned calls"),
			ApprovalTimeout: rapid.SampledFrom([]time.Duration{0, time.Minute}).Draw(rt, "time to approve"),
			ResultLimit: executor.ResultLimit{
				Tokens:    rapid.SampledFrom([]int{0, 1, 300}).Draw(rt, "budget"),
				Summarize: summarizers[rapid.SampledFrom(slices.Sorted(maps.Keys(summarizers))).Draw(rt, "summarizer")],
			},
		}
		cancelAt := time.Duration(rapid.IntRange(0, 100).Draw(rt, "cancel after, in seconds")) * time.Second
		var fault string
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			time.AfterFunc(cancelAt, cancel)
			done := map[string]int{}
			start := time.Now()
			x := executor.New(reg, options)
			results := x.Execute(ctx, allVisible(),
				executor.Observer{Done: func(r *executor.Result) { done[r.ID]++ }}, reqs)
			if late := time.Since(start) - cancelAt; late > 2*time.Second { // the time in which canceled tools may return
				fault = fmt.Sprintf("returned %v after the cancel", late)
			}
			time.Sleep(24 * time.Hour) // until all handlers have returned
			if f := brokenRule(reqs, results, done); f != "" {
				fault = f
			}
			if left := x.Abandoned(); len(left) > 0 {
				fault = fmt.Sprintf("%d calls are abandoned forever", len(left))
			}
			for i, r := range results {
				if options.ResultLimit.Tokens >= executor.MinResultTokens && r.Tokens > options.ResultLimit.Tokens {
					fault = fmt.Sprintf("result %d costs %d tokens", i, r.Tokens)
				}
			}
		})
		if fault != "" {
			rt.Fatal(fault)
		}
	})
}

// brokenRule says how the results break a rule of Execute, or returns "".
func brokenRule(reqs []executor.Request, results []executor.Result, done map[string]int) string {
	if len(results) != len(reqs) || len(done) != len(reqs) {
		return fmt.Sprintf("%d requests, %d results, %d done", len(reqs), len(results), len(done))
	}
	for i, r := range results {
		switch {
		case r.ID != reqs[i].ID:
			return fmt.Sprintf("result %d is of request %q", i, r.ID)
		case done[r.ID] != 1:
			return fmt.Sprintf("request %d was done %d times", i, done[r.ID])
		case r.Status != protocol.StatusSuccess && r.Status != protocol.StatusError:
			return fmt.Sprintf("result %d has status %q", i, r.Status)
		case (r.Status == protocol.StatusError) != (r.ErrorType != ""), (r.ErrorType != "") != (r.Suggestion != ""):
			return fmt.Sprintf("result %d has status %q, error type %q, suggestion %q",
				i, r.Status, r.ErrorType, r.Suggestion)
		case !utf8.ValidString(r.ToolResult.Result):
			return fmt.Sprintf("result %d is not UTF-8", i)
		case r.Started.IsZero() || r.Duration < 0:
			return fmt.Sprintf("result %d started %v and took %v", i, r.Started, r.Duration)
		}
	}
	return ""
}
