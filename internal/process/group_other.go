//go:build !unix

package process

import "os/exec"

// OwnGroup does nothing: this system has no process groups.
func OwnGroup(*exec.Cmd) {}

// KillGroup ends the child, but not the processes that it has started.
func KillGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

// TerminateGroup kills the child, since this system cannot ask a process to end.
func TerminateGroup(cmd *exec.Cmd) { KillGroup(cmd) }
