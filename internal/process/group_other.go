//go:build !unix

package process

import "os/exec"

// ownGroup does nothing: this system has no process groups.
func ownGroup(*exec.Cmd) {}

// killGroup ends the child, and not what it has started.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
