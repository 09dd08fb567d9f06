// Package processtest has helpers for tests that start programs.
package processtest

import (
	"os"
	"os/exec"
	"testing"
)

// Missing skips a test that needs a program which is not installed. If VCP_TEST_ALL_PROGRAMS is
// set, as in continuous integration, it fails the test instead.
func Missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv("VCP_TEST_ALL_PROGRAMS") != "" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// Needs calls Missing unless all of the programs are installed.
func Needs(t testing.TB, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			Missing(t, "%s is not installed", name)
		}
	}
}
