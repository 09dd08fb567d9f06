//go:build !(linux || darwin || dragonfly || freebsd || netbsd || openbsd)

package terminal

// makeCtrlCAKey does nothing: the line editor makes Ctrl-C a key a moment after it shows the
// prompt.
func makeCtrlCAKey() {}
