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
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// chaos are handlers that behave as badly as code can; hours is when the last of them is over.
var chaos = map[string]tool.Handler{
	"works":   says("fine"),
	"fails":   func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, errors.New("boom") },
	"panics":  func(context.Context, *tool.Call) (tool.Output, error) { panic("boom") },
	"exits":   func(context.Context, *tool.Call) (tool.Output, error) { runtime.Goexit(); return tool.Output{}, nil },
	"hangs":   takes(time.Hour),
	"ignores": ignores(time.Hour),
	"quick":   takes(time.Second),
	"huge":    says(strings.Repeat("x", 1<<20)),
	"nothing": func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, nil },
	"binary":  says("\xff\x00\xfe"),
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
	"allows": approver(allows),
	"always": approver(func(_ context.Context, a executor.Approval) (executor.Answer, error) {
		return a.AllowForConversation(), nil
	}),
	"edits": approver(func(_ context.Context, a executor.Approval) (executor.Answer, error) {
		return a.Edit(json.RawMessage(`{"text":"x"}`)), nil
	}),
	"denies": approver(func(_ context.Context, a executor.Approval) (executor.Answer, error) { return a.Deny(""), nil }),
	"panics": approver(func(context.Context, executor.Approval) (executor.Answer, error) { panic("boom") }),
	"exits": approver(func(_ context.Context, a executor.Approval) (executor.Answer, error) {
		runtime.Goexit()
		return a.Allow(), nil
	}),
	"ignores": approver(func(_ context.Context, a executor.Approval) (executor.Answer, error) {
		time.Sleep(time.Hour)
		return a.Allow(), nil
	}),
}

var summarizers = map[string]executor.SummarizeFunc{
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

// TestEachRequestHasExactlyOneResult is the law of Execute: whatever tools, hooks and callers do.
func TestEachRequestHasExactlyOneResult(t *testing.T) {
	reg := tool.NewRegistry()
	names := []string{"no_such", ""}
	for name, h := range chaos {
		name = strings.ReplaceAll(name, " ", "-")
		require.NoError(t, reg.Register(tool.Tool{ID: name, Methods: []tool.Method{method(t, "run", h)}}))
		names = append(names, name+"_run")
	}
	rapid.Check(t, func(rt *rapid.T) {
		reqs := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) executor.Request {
			r := request("", rapid.SampledFrom(names).Draw(rt, "name"))
			if rapid.IntRange(0, 9).Draw(rt, "malformed") == 0 {
				r.Err = &protocol.RequestError{Code: protocol.ErrBadKey, Message: "bad"}
			}
			return r
		}), 0, 8).Draw(rt, "requests")
		for i := range reqs {
			reqs[i].ID = fmt.Sprint(i)
		}
		options := executor.Options{
			Parallel: rapid.Bool().Draw(rt, "parallel"),
			Policy:   executor.Policy{Approve: rapid.SampledFrom([]executor.Approve{executor.ApproveAsk, executor.ApproveAll}).Draw(rt, "approve")},
			Approver: approvers[rapid.SampledFrom(slices.Sorted(maps.Keys(approvers))).Draw(rt, "approver")],
			Logger:   quiet,
			Size: executor.Size{
				Tokens:    rapid.SampledFrom([]int{0, 1, 300}).Draw(rt, "budget"),
				Summarize: summarizers[rapid.SampledFrom([]string{"none", "works", "fails", "panics", "exits", "ignores"}).Draw(rt, "summarizer")],
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
			results := executor.New(reg, options).Execute(ctx, all{}, executor.Observer{Done: func(r executor.Result) { done[r.ID]++ }}, reqs)
			if late := time.Since(start) - cancelAt; late > 2*time.Second {
				fault = fmt.Sprintf("returned %v after the cancel", late)
			}
			time.Sleep(24 * time.Hour)
			if f := lawful(reqs, results, done); f != "" {
				fault = f
			}
			for i, r := range results {
				if options.Size.Tokens >= executor.MinResultTokens && r.Tokens > options.Size.Tokens {
					fault = fmt.Sprintf("result %d costs %d tokens", i, r.Tokens)
				}
			}
		})
		if fault != "" {
			rt.Fatal(fault)
		}
	})
}

// lawful says how results break the law, "" where they do not.
func lawful(reqs []executor.Request, results []executor.Result, done map[string]int) string {
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
		case (r.Status == protocol.StatusError) != (r.ErrorType != "") || (r.Status == protocol.StatusError) != (r.Suggestion != ""):
			return fmt.Sprintf("result %d has status %q, error type %q, suggestion %q", i, r.Status, r.ErrorType, r.Suggestion)
		case !utf8.ValidString(r.ToolResult.Result):
			return fmt.Sprintf("result %d is not UTF-8", i)
		case r.Started.IsZero() || r.Duration < 0:
			return fmt.Sprintf("result %d started %v and took %v", i, r.Started, r.Duration)
		}
	}
	return ""
}
