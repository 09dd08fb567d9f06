package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/memorytest"
)

// bomb returns a short document whose aliases expand to 10^levels values.
func bomb(levels int) string {
	var b strings.Builder
	b.WriteString("mode:\n- &a0 [x,x,x,x,x,x,x,x,x,x]\n")
	for i := 1; i < levels; i++ {
		fmt.Fprintf(&b, "- &a%d [%s]\n", i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 10), ","))
	}
	return b.String()
}

func TestUnracedHostileConfigurationsAreRefusedWithLittleMemory(t *testing.T) {
	longtest.SkipIfRaced(t) // because of the prefix TestUnraced, "make test" runs this test without the race detector
	for _, tt := range []struct{ name, text, want string }{
		// More levels would exhaust the machine if the check failed.
		{"aliases that multiply", bomb(6), "anchor"},
		{"an anchor", "mode: &a auto", "anchor"},
		{"lists in lists", "toolToggles: " + strings.Repeat("[", 100_000), "max depth"},
		{"lists in lists without brackets", "mode:\n  " + strings.Repeat("- ", 5000), "nested"},
		{"many blank lines in a block of text", "mode: |\n" + strings.Repeat(" \n", 30_000), "mode is"},
		{"a very long name", "? " + strings.Repeat("x", 500_000) + "\n: 1", "there is no field"},
		{"a name of many lines", `"a\nb\x1b[2J": 1`, `"a\nb\x1b[2J"`},
		{"a toggle of many lines", `toolToggles: {"a\nb\x1b[2J": 1}`, `"a\nb\x1b[2J"`},
		{"a very long decision", "approveRules: [{decision: " + strings.Repeat("x", 500_000) + "}]", "decision is"},
		{"a very long duration", "timeout: " + strings.Repeat("9", 500_000), "timeout is"},
		{"50,000 names", "toolToggles:\n" + toggles(50_000), "entries"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var err error
			allocated := memorytest.Allocated(func() { _, err = engine.ReadConfig(strings.NewReader(tt.text)) })
			require.ErrorContains(t, err, tt.want)
			require.Less(t, len(err.Error()), 1000)
			require.NotContains(t, err.Error(), "\n")
			require.Less(t, allocated, 1000*len(tt.text)+16<<20) // a multiple of the length, and a constant
		})
	}
}

// toggles returns the YAML text of n toggles.
func toggles(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "  t%d: true\n", i)
	}
	return b.String()
}
