package main

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/vcpgo/vcp/internal/modelserver"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// When a prompt appears, Ctrl-C must already be a key, not a signal. The line editor's library
// makes it a key only after it has shown the prompt, and a person may press Ctrl-C in between.
func TestAtAPromptCtrlCIsAKey(t *testing.T) {
	s := modelserver.Start(t)
	p := talk(t, s, invocation{})
	for range 50 {
		p.expect("> ")
		mode, err := unix.IoctlGetTermios(int(p.tty.Fd()), unix.TCGETS)
		require.NoError(t, err)
		require.Zero(t, mode.Lflag&unix.ISIG)
		p.types("\r")
	}
	p.expect("> ")
	p.types(ctrlC + ctrlC)
	p.exits(cli.ExitOK)
}
