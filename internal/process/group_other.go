//go:build !unix

package process

import "os/exec"

// OwnGroup does nothing: process groups are used on Unix only.
func OwnGroup(*exec.Cmd) {}

// KillGroup ends the child, but not the processes that it has started.
func KillGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

// TerminateGroup kills the child: only on Unix is it asked to end.
func TerminateGroup(cmd *exec.Cmd) { KillGroup(cmd) }
