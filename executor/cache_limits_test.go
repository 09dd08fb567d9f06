package executor_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/tool"
)

func TestUnracedCacheIsLimited(t *testing.T) {
	longtest.SkipIfRaced(t)
	ran := map[string]int{}
	h := func(_ context.Context, c *tool.Call) (tool.Output, error) {
		ran[string(c.Arguments)]++
		return tool.Output{Text: strings.Repeat("x", 10)}, nil
	}
	methods := []tool.Method{method(t, "tool", h, tool.Cacheable(time.Hour))}
	for name, out := range map[string]tool.Output{
		"big":      {Files: []tool.File{{Data: make([]byte, 7<<20)}}},
		"detailed": {Details: make([]byte, 5<<20)}, // 6.7 MiB as JSON
		"named":    {Files: []tool.File{{Name: strings.Repeat("x", 7<<20)}}},
	} {
		methods = append(methods, method(t, name, func(_ context.Context, c *tool.Call) (tool.Output, error) {
			ran[string(c.Arguments)]++
			return out, nil
		}, tool.Cacheable(time.Hour)))
	}
	x := executor.New(registry(t, methods...), executor.Options{Logger: quiet})
	t.Run("by the number of results, over all owners", func(t *testing.T) {
		call := func(text any) { succeed(t, x, ownedBy("ann"), request("1", "t_tool", "text", fmt.Sprint(text))) }
		for i := range 2000 {
			call(i)
		}
		call(0)               // used again
		for i := range 2095 { // 4,095 results in all; the limit is 4,096
			succeed(t, x, ownedBy("eve"), request("1", "t_tool", "text", fmt.Sprint("eve", i)))
		}
		call("new")
		call("newer") // evicts the result of 1
		call(0)
		require.Equal(t, 1, ran[`{"text":"0"}`])
		call(1)
		require.Equal(t, 2, ran[`{"text":"1"}`])
	})
	for name, what := range map[string]string{"big": "files", "detailed": "details", "named": "names of files"} {
		t.Run("by the bytes of "+what, func(t *testing.T) {
			call := func(owner string, i int) {
				succeed(t, x, ownedBy(owner), request("1", "t_"+name, "text", fmt.Sprint(name, owner, i)))
			}
			for i := range 2 {
				call("ann", i)
			}
			for i := range 3 { // together over 32 MiB, so the oldest result is dropped
				call("eve", i)
			}
			call("ann", 1)
			require.Equal(t, 1, ran[`{"text":"`+name+`ann1"}`])
			call("ann", 0)
			require.Equal(t, 2, ran[`{"text":"`+name+`ann0"}`])
		})
	}
}
