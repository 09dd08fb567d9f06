//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// ownGroup makes the child the leader of a process group.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends the child and all processes of its group. It may be called again.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
