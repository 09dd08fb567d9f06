package terminal

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLoggerWritesLinesForPeople(t *testing.T) {
	var out strings.Builder
	logger := NewLogger(&out).With("a", 1).WithGroup("g")
	logger.Info("not shown")
	logger.Warn("odd\x1b\n", "b", "x y")
	require.Equal(t, "vcp: odd (a: 1, g.b: x y)\n", out.String())
}
