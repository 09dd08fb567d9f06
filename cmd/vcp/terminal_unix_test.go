//go:build unix

package main

import "syscall"

// ownTerminal makes standard input the controlling terminal, so that Ctrl-C reaches the command and nobody else.
func ownTerminal() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true, Setctty: true} }
