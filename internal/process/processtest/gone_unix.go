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

// patience limits how long a process may take to end after it was told to. A test that reaches it
// fails.
const patience = 30 * time.Second

// RequireGone waits until a process has ended: a signal takes a moment to have its effect. The text
// is its id.
func RequireGone(t testing.TB, id string) {
	t.Helper()
	pid, err := strconv.Atoi(strings.TrimSpace(id))
	if err != nil {
		t.Fatalf("%q is not the id of a process", id)
	}
	for deadline := time.Now().Add(patience); Alive(pid); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the process %d has not ended within %v", pid, patience)
		}
	}
}

// Alive reports whether a process exists and is not a zombie, which has ended and only its parent
// has not noticed.
func Alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return true
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}
