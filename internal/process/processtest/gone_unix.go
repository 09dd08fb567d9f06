//go:build unix

package processtest

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// goneTimeout is how long RequireGone waits before it fails the test.
const goneTimeout = 30 * time.Second

// RequireGone fails the test unless the process with the id has ended or ends soon: a signal takes
// effect a moment later.
func RequireGone(t testing.TB, id string) {
	t.Helper()
	pid, err := strconv.Atoi(strings.TrimSpace(id))
	if err != nil {
		t.Fatalf("%q is not an id of a process", id)
	}
	for deadline := time.Now().Add(goneTimeout); Alive(pid); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the process %d has not ended within %v", pid, goneTimeout)
		}
	}
}

// Alive reports whether a process exists and is not a zombie. A zombie has ended, but its parent
// has not asked for its status. On a system without /proc, a zombie counts as alive.
func Alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return true
	}
	_, state, _ := strings.Cut(string(stat), ") ") // "123 (sh) Z …"
	return !strings.HasPrefix(state, "Z")
}
