package script_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/script"
)

func TestCallsRunInParallel(t *testing.T) {
	var mu sync.Mutex
	arrived, all := 0, make(chan struct{})
	out, _, err := run(t.Context(), t, `return (await Promise.all([0, 1, 2].map((i) => t_echo({i})))).join()`, func(o *script.Options) {
		o.Call = func(ctx context.Context, _ *tool.Call, _ string, arguments json.RawMessage) (string, error) {
			mu.Lock()
			if arrived++; arrived == 3 {
				close(all)
			}
			mu.Unlock()
			select {
			case <-all: // each call waits until all have begun
				return string(arguments), nil
			case <-ctx.Done():
				return "", ctx.Err()
			}
		}
	})
	require.NoError(t, err)
	assert.Equal(t, "{\"i\":0},{\"i\":1},{\"i\":2}\n", out.Text)
}

func TestTheEndOfTheContextEndsAScript(t *testing.T) {
	for name, code := range map[string]string{
		"a script that computes": "await t_echo({}); for (;;) {}",
		"a script that waits":    "await t_echo({wait: true})",
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			stopped := errors.New("stopped")
			_, _, err := run(ctx, t, code, func(o *script.Options) {
				o.Call = func(ctx context.Context, _ *tool.Call, _ string, arguments json.RawMessage) (string, error) {
					cancel(stopped)
					if bytes.Contains(arguments, []byte("wait")) {
						<-ctx.Done()
					}
					return "", ctx.Err()
				}
			})
			require.ErrorIs(t, err, stopped)
		})
	}
}

func TestABrokenWorkerIsAnError(t *testing.T) {
	for _, c := range []struct {
		name   string
		worker []string
		want   string
	}{
		{"no program", []string{"/does/not/exist"}, "does not start"},
		{"a program that fails", []string{"/bin/sh", "-c", "echo broken >&2; exit 3"}, "broken"},
		{"a program that prints something else", []string{"/bin/sh", "-c", "echo hello; cat"}, "stopped"},
		{"a program that prints without end", []string{"/bin/sh", "-c", "exec cat /dev/zero"}, "stopped"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := run(t.Context(), t, "return 1", func(o *script.Options) { o.Worker = c.worker })
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestEachOfManyCallsGetsItsResult(t *testing.T) {
	out, recorded, err := run(t.Context(), t, `const all = await Promise.all(Array.from({length: 150}, (_, i) => t_echo({i})))
		return all.map(JSON.parse).map((x) => x.i).join()`)
	require.NoError(t, err)
	var want []string
	for i := range 150 {
		want = append(want, strconv.Itoa(i))
	}
	assert.Equal(t, strings.Join(want, ",")+"\n", out.Text)
	slices.Sort(recorded.made)
	assert.Len(t, slices.Compact(recorded.made), 150)
}
