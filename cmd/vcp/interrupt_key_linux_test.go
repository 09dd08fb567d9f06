package main

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/vcpgo/vcp/internal/modelserver"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// At a prompt, Ctrl-C must already be a key. As a signal it would end the command while the
// terminal's mode changes.
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
