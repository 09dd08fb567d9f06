package executor_test

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/memorytest"
	"github.com/vcpgo/vcp/tool"
)

// observed runs a tool that reports "begun" and then calls report. The observer does not return
// from the update "begun" until the tool has reported everything, and it has called whileWaiting.
// observed returns the updates after "begun" that the observer gets.
func observed(t *testing.T, report func(progress func(string)), whileWaiting func()) (texts []string) {
	reported := make(chan struct{})
	reg := registry(t, method(t, "tool", func(_ context.Context, c *tool.Call) (tool.Output, error) {
		c.Progress("begun")
		report(c.Progress)
		close(reported)
		return tool.Output{Text: "done"}, nil
	}))
	x := executor.New(reg, executor.Options{Logger: quiet})
	r := x.Execute(t.Context(), allVisible(), executor.Observer{Progress: func(_, text string) {
		if len(texts) == 0 {
			<-reported
			whileWaiting()
		}
		texts = append(texts, text)
	}}, []executor.Request{request("1", "t_tool")})
	require.Equal(t, "done", r[0].ToolResult.Result)
	return texts[1:]
}

func TestProgressBacklogIsLimited(t *testing.T) {
	for _, tt := range []struct {
		name     string
		text     string
		times    int // how often the tool reports the text
		maxTexts int // how many updates the observer gets at most
	}{
		{"long texts, of which 64 KiB each are kept", strings.Repeat("x", 1<<20), 1000, 16},
		{"texts of a kilobyte", strings.Repeat("x", 1<<10), 10_000, 1 << 10},
		{"empty texts, which count as 256 bytes each", "", 100_000, 1 << 12},
	} {
		t.Run(tt.name, func(t *testing.T) {
			texts := observed(t, func(progress func(string)) {
				for range tt.times {
					progress(tt.text)
				}
			}, func() {})
			require.NotEmpty(t, texts)
			require.LessOrEqual(t, len(texts), tt.maxTexts)
			require.LessOrEqual(t, len(strings.Join(texts, "")), 1<<20)
		})
	}
	t.Run("a text that is too long is shortened between two characters", func(t *testing.T) {
		texts := observed(t, func(progress func(string)) { progress("x" + strings.Repeat("字", 1<<20)) }, func() {})
		require.Len(t, texts, 1)
		require.LessOrEqual(t, len(texts[0]), 64<<10+len("…"))
		require.True(t, strings.HasSuffix(texts[0], "字…"))
	})
	t.Run("a text that is not UTF-8 is not longer than others", func(t *testing.T) {
		texts := observed(t, func(progress func(string)) { progress(strings.Repeat("\xffx", 1<<20)) }, func() {})
		require.Len(t, texts, 1)
		require.LessOrEqual(t, len(texts[0]), 64<<10+len("…"))
	})
	t.Run("a short part of a long text does not keep the long text in memory", func(t *testing.T) {
		var withoutUpdates, withUpdates runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&withoutUpdates)
		observed(t, func(progress func(string)) {
			for range 100 {
				progress(strings.Repeat("x", 1<<20)[:10])
			}
		}, func() {
			runtime.GC()
			runtime.ReadMemStats(&withUpdates)
		})
		require.Less(t, int(withUpdates.HeapAlloc)-int(withoutUpdates.HeapAlloc), 16<<20) // the long texts have 100 MiB
	})
}

func TestUnracedDroppedProgressIsNotCopied(t *testing.T) {
	longtest.SkipIfRaced(t)
	long := strings.Repeat("x", 60<<10)
	var bytes int
	observed(t, func(progress func(string)) {
		for range 20 { // over 1 MiB, so further updates are dropped
			progress(long)
		}
		bytes = memorytest.Allocated(func() {
			for range 1000 {
				progress(long)
			}
		})
	}, func() {})
	require.Less(t, bytes, 1<<20)
}
