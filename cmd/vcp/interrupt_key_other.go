//go:build !(linux || darwin || dragonfly || freebsd || netbsd || openbsd)

package main

// makeCtrlCAKey does nothing: the library for lines does it a moment after the prompt.
func makeCtrlCAKey() {}
