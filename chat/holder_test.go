package chat

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A holder that runs keeps its lease, whatever numbers and names it shares with other processes.
func TestOnlyAnEndedProcessOfTheSameScopeIsGone(t *testing.T) {
	own := processName()
	pid, scope, ok := readHolder(own)
	require.True(t, ok)
	require.Equal(t, os.Getpid(), pid)
	if scope == unknownScope {
		t.Skip("this system has no scope of process IDs")
	}
	ended := exec.Command("true")
	require.NoError(t, ended.Run())
	host, err := os.Hostname()
	require.NoError(t, err)
	name := func(pid int, scope string) string {
		return fmt.Sprintf("process %d on %s (%s-ABCDEFGH)", pid, strings.ReplaceAll(host, " ", "_"), scope)
	}
	for _, tt := range []struct {
		name   string
		holder string
		want   bool
	}{
		{"this process", own, false},
		{"an earlier process with this ID", name(pid, scope), true},
		{"a process with this ID in another container or before a restart", name(pid, scopeName("other")), false},
		{"a process with this ID in an unknown scope", name(pid, unknownScope), false},
		{"a process that has ended", name(ended.Process.Pid, scope), true},
		{"a process that has ended or runs in another container", name(ended.Process.Pid, scopeName("other")), false},
		{"a process that runs", name(os.Getppid(), scope), false},
		{"a process that names no scope", fmt.Sprintf("process %d on %s (ABCDEFGH)", ended.Process.Pid, host), false},
		{"a holder of another program", "worker 7", false},
	} {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, isGone(tt.holder)) })
	}
}

// A supervisor may start a process again before it asks for the status of the one that was killed.
func TestAZombieIsGone(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux says whether a process is a zombie")
	}
	zombie := exec.Command("true")
	require.NoError(t, zombie.Start())
	t.Cleanup(func() { require.NoError(t, zombie.Wait()) })
	require.Eventually(t, func() bool { return processGone(zombie.Process.Pid) }, 30*time.Second, 5*time.Millisecond)
}

func TestScopesHaveDifferentNames(t *testing.T) {
	require.NotEqual(t, scopeName("boot pid:[1]"), scopeName("boot pid:[2]"))
	require.Equal(t, unknownScope, scopeName(""))
}
