//go:build !(linux || darwin || dragonfly || freebsd || netbsd || openbsd)

package terminal

// disableInterrupt does nothing on this system. Ctrl-C interrupts the program until the line editor
// changes that, a moment after it shows the prompt.
func disableInterrupt() {}
