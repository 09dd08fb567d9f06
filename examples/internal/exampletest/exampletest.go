// Package exampletest runs the programs of the examples with a scripted model.
package exampletest

import (
	"net"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/modelserver"
)

// programVariable is the environment variable that makes a test binary run the program instead of
// the tests.
const programVariable = "VCP_RUN_EXAMPLE"

// Main runs the program itself if Command started the test binary, and the tests otherwise. A test
// package calls it from TestMain.
func Main(m *testing.M, program func()) {
	if os.Getenv(programVariable) != "" {
		program()
		return
	}
	os.Exit(m.Run())
}

// Command returns a command that runs the program in the directory dir, with models as its model
// server. path is the program, or the test binary of a package that calls Main.
func Command(t testing.TB, path, dir string, models *modelserver.Server, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), programVariable+"=1", "OPENAI_BASE_URL="+models.URL, "OPENAI_MODEL=scripted")
	return cmd
}

// Server is a program that serves HTTP as a process of its own. It is killed at the end of the
// test.
type Server struct {
	Address string
	Kill    func() // ends the program; further calls do nothing

	t       testing.TB
	command func(address string) *exec.Cmd
}

// StartServer chooses a free address, starts the program that command returns for it, and waits
// until the program listens there.
func StartServer(t testing.TB, command func(address string) *exec.Cmd) *Server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	s := &Server{Address: l.Addr().String(), t: t, command: command}
	s.run()
	return s
}

// Restart kills the program and starts it again at the same address.
func (s *Server) Restart() {
	s.t.Helper()
	s.Kill()
	s.run()
}

// run starts the program and waits until it listens.
func (s *Server) run() {
	s.t.Helper()
	cmd := s.command(s.Address)
	cmd.Stderr = os.Stderr
	require.NoError(s.t, cmd.Start())
	s.Kill = sync.OnceFunc(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	s.t.Cleanup(s.Kill)
	require.Eventually(s.t, func() bool {
		c, err := net.Dial("tcp", s.Address)
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	}, time.Minute, 10*time.Millisecond)
}

// StartWebChat starts the program examples/webchat, which is at path, with an empty store. Restart
// keeps the store.
func StartWebChat(t testing.TB, path string, models *modelserver.Server) *Server {
	t.Helper()
	dir := t.TempDir()
	return StartServer(t, func(address string) *exec.Cmd {
		cmd := Command(t, path, dir, models)
		cmd.Env = append(cmd.Env, "WEBCHAT_ADDRESS="+address)
		return cmd
	})
}
