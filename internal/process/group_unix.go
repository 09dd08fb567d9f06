//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// OwnGroup makes the child the leader of a process group. It must be called before the child
// starts.
func OwnGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// KillGroup ends the child and all processes of its group. It may be called again.
func KillGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// TerminateGroup asks the child and all processes of its group to end.
func TerminateGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
