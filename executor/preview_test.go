package executor_test

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

type preview = func(context.Context, json.RawMessage) (string, error)

// previewed runs one call of a method with the preview p, and returns its result. It counts the
// runs of the handler in ran.
func previewed(t *testing.T, p preview, o executor.Options, ran *int) executor.Result {
	t.Helper()
	m, err := tool.Raw("m", "Does.", json.RawMessage(`{"type":"object","properties":{"key":{"type":"string"}}}`),
		func(context.Context, *tool.Call) (tool.Output, error) { *ran++; return tool.Output{Text: "done"}, nil },
		tool.AgentCallable(), tool.SecretParameters("key"))
	require.NoError(t, err)
	m.Preview = p
	return execute(t, executor.New(registry(t, m), o), request("1", "t_m", "key", "hunter22hunter"))
}

func TestPreviewIsPartOfTheQuestion(t *testing.T) {
	for _, tt := range []struct {
		name    string
		preview preview
		shown   string // "" if nobody is asked
		errType string // "" if the call runs
	}{
		{
			"a question shows the preview",
			func(context.Context, json.RawMessage) (string, error) { return "+new", nil }, "+new", "",
		},
		{
			"a preview shows no secret",
			func(_ context.Context, a json.RawMessage) (string, error) { return string(a), nil },
			`{"key":"` + tool.Masked + `"}`, "",
		},
		{"a long preview is shortened", func(context.Context, json.RawMessage) (string, error) {
			return strings.Repeat("x", 1<<20), nil
		}, strings.Repeat("x", 16<<10-len("…")) + "…", ""},
		{"a shortened preview shows no part of a secret", func(context.Context, json.RawMessage) (string, error) {
			return strings.Repeat("x", 16<<10-len("hunter2…")) + "hunter22hunter and more", nil
		}, strings.Repeat("x", 16<<10-len("hunter2…")) + "[secret…", ""},
		{"a long preview that is not UTF-8 is made valid before it is shortened", func(context.Context, json.RawMessage) (string, error) {
			return strings.Repeat("\xffx", 1<<20), nil
		}, strings.Repeat("\uFFFDx", (16<<10-len("…"))/len("\uFFFDx")) + "…", ""},
		{"a preview that fails makes the call fail", func(context.Context, json.RawMessage) (string, error) {
			return "", errors.New("there is no such line")
		}, "", executor.ErrorExecutionFailed},
		{
			"a preview that panics makes the call fail", func(context.Context, json.RawMessage) (string, error) { panic("no") }, "",
			executor.ErrorExecutionFailed,
		},
		{"a preview that ends its goroutine makes the call fail", func(context.Context, json.RawMessage) (string, error) {
			runtime.Goexit()
			return "", nil
		}, "", executor.ErrorExecutionFailed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ran, shown := 0, ""
			o := askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
				shown = q.Preview
				require.Equal(t, q.Preview, q.Pending().Preview)
				return q.Allow(), nil
			})
			got := previewed(t, tt.preview, o, &ran)
			require.Equal(t, tt.errType, got.ErrorType)
			require.Equal(t, tt.shown, shown)
			if tt.errType == "" {
				require.Equal(t, 1, ran)
			} else {
				require.Zero(t, ran)
			}
		})
	}
}

func TestACallRunsOnlyIfItDoesWhatWasShown(t *testing.T) {
	ran, effect := 0, "+one"
	p := func(context.Context, json.RawMessage) (string, error) { return effect, nil }
	changes := func(_ context.Context, q executor.Question) (executor.Answer, error) {
		effect = "+two"
		return q.Allow(), nil
	}
	got := previewed(t, p, askOptions(changes), &ran)
	require.Equal(t, executor.ErrorPermissionDenied, got.ErrorType)
	require.Zero(t, ran)
}

// An approved call does what its preview showed, whatever answers led to the approval.
func TestAnEditApprovesOnlyWhatWasShown(t *testing.T) {
	const original = "hunter22hunter" // the argument of the model's request
	for _, tt := range []struct {
		name      string
		edits     []string // the answers before the last one, which allows
		changes   bool     // the effect changes while the last question is open
		questions int      // how many are asked
		runs      bool     // whether the call runs
	}{
		{"an edit without a change allows", []string{original}, false, 1, true},
		{"an edit without a change allows only what was shown", []string{original}, true, 1, false},
		{"an edited call is shown before it runs", []string{"other"}, false, 2, true},
		{"an edit of an edit is shown, too", []string{"other", "third"}, false, 3, true},
		{"an edited call does only what was shown", []string{"other"}, true, 2, false},
		{"an edit back to the model's arguments is no edit", []string{"other", original}, false, 3, true},
		{"the fifth edit denies", []string{"a", "b", "c", "d", "e"}, false, 5, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ran, effect, questions := 0, "one", 0
			p := func(_ context.Context, a json.RawMessage) (string, error) { return effect + string(a), nil }
			asks := func(_ context.Context, q executor.Question) (executor.Answer, error) {
				require.Empty(t, q.Problem)
				require.Contains(t, q.Preview, "one")
				if questions++; tt.changes && questions == tt.questions {
					effect = "two"
				}
				if questions > len(tt.edits) {
					return q.Allow(), nil
				}
				return q.Edit(json.RawMessage(`{"key":"` + tt.edits[questions-1] + `"}`)), nil
			}
			got := previewed(t, p, askOptions(asks), &ran)
			require.Equal(t, tt.questions, questions)
			require.Equal(t, tt.runs, ran == 1)
			require.Equal(t, tt.runs, got.Status == protocol.StatusSuccess, got.Result)
			edited := tt.edits[len(tt.edits)-1] != original
			require.Equal(t, edited, got.Edited)
			require.Equal(t, edited, strings.Contains(got.ToolResult.Result, "The user changed the arguments"))
		})
	}
}

func TestNothingIsPreviewedWithoutAQuestion(t *testing.T) {
	ran, previews := 0, 0
	p := func(context.Context, json.RawMessage) (string, error) { previews++; return "", nil }
	got := previewed(t, p, executor.Options{Policy: policy.Policy{Approve: policy.ApproveAll}, Logger: quiet}, &ran)
	require.Equal(t, protocol.StatusSuccess, got.Status)
	require.Equal(t, []int{1, 0}, []int{ran, previews})
}

func TestAPreviewThatHangsFailsTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		ran, begin := 0, time.Now()
		got := previewed(t, func(context.Context, json.RawMessage) (string, error) { <-release; return "", nil },
			askOptions(allows), &ran)
		require.Equal(t, executor.ErrorExecutionFailed, got.ErrorType)
		require.Equal(t, 10*time.Second, time.Since(begin))
		require.Zero(t, ran)
	})
}
