//go:build !unix

package process

import "os/exec"

// OwnGroup does nothing: this system has no process groups.
func OwnGroup(*exec.Cmd) {}

// KillGroup ends the child, and not what it has started.
func KillGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

// TerminateGroup ends the child: it cannot be asked to end by itself.
func TerminateGroup(cmd *exec.Cmd) { KillGroup(cmd) }
