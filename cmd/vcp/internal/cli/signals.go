package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// EndSignals returns the signals that ask the program to end: Ctrl-C, the end of the terminal and
// the request of another program. The program then ends its child processes, which would otherwise
// keep running. SIGHUP is omitted if it was ignored when the program started, as under nohup.
func EndSignals() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}
