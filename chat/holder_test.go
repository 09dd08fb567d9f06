package chat

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

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

func TestScopesHaveDifferentNames(t *testing.T) {
	require.NotEqual(t, scopeName("boot pid:[1]"), scopeName("boot pid:[2]"))
	require.Equal(t, unknownScope, scopeName(""))
}
