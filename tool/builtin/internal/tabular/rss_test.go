//go:build linux || darwin

package tabular_test

import (
	"os"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// maxRSS returns the peak of the memory (resident set size) of a process that has ended, in bytes.
func maxRSS(t *testing.T, s *os.ProcessState) int64 {
	t.Helper()
	usage, ok := s.SysUsage().(*syscall.Rusage)
	require.True(t, ok)
	if runtime.GOOS == "linux" {
		return usage.Maxrss << 10 // Linux counts in KiB, and Darwin in bytes
	}
	return usage.Maxrss
}
