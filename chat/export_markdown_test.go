package chat

import (
	"bufio"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAFenceIsLongerThanTheBackticksInTheCode(t *testing.T) {
	for _, tt := range []struct{ name, code, want string }{
		{"no backticks", "x\n", "\n```\nx\n```\n"},
		{"short runs", "`a``", "\n```\n`a``\n```\n"},
		{"long runs", "```` a `````\n``", "\n``````\n```` a `````\n``\n``````\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			w := bufio.NewWriter(&b)
			writeFence(w, "", tt.code)
			require.NoError(t, w.Flush())
			require.Equal(t, tt.want, b.String())
		})
	}
	code := strings.Repeat("`", 10_000)
	allocations := testing.AllocsPerRun(1, func() { writeFence(bufio.NewWriter(io.Discard), "", code) })
	require.Less(t, allocations, 100.0, "the fence is made once")
}
