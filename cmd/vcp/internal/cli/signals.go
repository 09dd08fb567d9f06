package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// EndSignals returns the signals that ask the program to end: Ctrl-C, the end of the terminal and
// the request of another program. The program then ends its child processes, which would otherwise
// go on. SIGHUP is not among them if the program was started with it ignored, as by nohup.
func EndSignals() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}
