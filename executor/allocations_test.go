package executor_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/tool"
)

// Unlike the time, which BenchmarkExecute measures, allocations do not depend on the machine.
func TestACallAllocatesLittle(t *testing.T) {
	for _, tt := range []struct {
		name    string
		options executor.Options
		method  []tool.Option
		limit   float64 // of the allocations of one call: somewhat more than today's number
	}{
		{"plain", executor.Options{}, nil, 18},
		{"with a resource", executor.Options{}, []tool.Option{tool.Uses("disk", "text")}, 38},
		{"cached", executor.Options{}, []tool.Option{tool.Cacheable(time.Hour)}, 30},
		{"approved", askOptions(allows), nil, 66},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.options.Logger = quiet
			x := executor.New(registry(t, method(t, "nop", nop, tt.method...)), tt.options)
			reqs, scope := []executor.Request{request("1", "t_nop")}, allVisible()
			allocations := testing.AllocsPerRun(100,
				func() { x.Execute(t.Context(), scope, executor.Observer{}, reqs) })
			t.Logf("%.1f allocations", allocations)
			require.LessOrEqual(t, allocations, tt.limit)
		})
	}
}
