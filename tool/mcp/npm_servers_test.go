package mcp_test

import (
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/mcp"
)

const (
	everything = "@modelcontextprotocol/server-everything/dist/index.js"
	filesystem = "@modelcontextprotocol/server-filesystem/dist/index.js"
)

// httpServer runs the npm package server-everything as a server over HTTP. Tests kill it and start
// it again on the same port.
type httpServer struct {
	*testing.T
	port int
	cmd  *exec.Cmd
}

func startHTTPServer(t *testing.T) *httpServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &httpServer{T: t, port: l.Addr().(*net.TCPAddr).Port}
	require.NoError(t, l.Close())
	s.start()
	t.Cleanup(s.kill)
	return s
}

func (s *httpServer) url() string { return "http://127.0.0.1:" + strconv.Itoa(s.port) + "/mcp" }

func (s *httpServer) start() {
	s.Helper()
	argv := npmServer(s.T, everything)
	s.cmd = exec.Command(argv[0], append(argv[1:], "streamableHttp")...)
	s.cmd.Env = append(os.Environ(), "PORT="+strconv.Itoa(s.port))
	require.NoError(s, s.cmd.Start())
	require.Eventually(s, func() bool {
		r, err := http.Get(s.url())
		if err == nil {
			_ = r.Body.Close()
		}
		return err == nil
	}, time.Minute, 20*time.Millisecond)
	http.DefaultClient.CloseIdleConnections()
}

func (s *httpServer) kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

// TestManyKindsOfContentAreRead uses tools, prompts and resources of the npm package
// server-everything over both transports.
func TestManyKindsOfContentAreRead(t *testing.T) {
	for transport, config := range map[string]func(t *testing.T) mcp.Config{
		"stdio": func(t *testing.T) mcp.Config { return mcp.Config{Command: npmServer(t, everything)} },
		"http":  func(t *testing.T) mcp.Config { return mcp.Config{URL: startHTTPServer(t).url()} },
	} {
		t.Run(transport, func(t *testing.T) {
			c := config(t)
			c.Name, c.Prompts, c.Resources = "everything", true, true
			w := start(t, c)
			require.Equal(t, tool.ProviderState{
				Source: "mcp everything", Name: "everything", Health: tool.HealthUp, Tools: []string{"everything"},
			}, w.state())
			require.Equal(t, "Echo: 你好", w.says("everything/echo", "message", `"你好"`))
			require.Contains(t, w.says("everything/get-sum", "a", "2", "b", "40"), "42")

			require.Equal(t, executor.ErrorInvalidArguments, w.call("everything/get-sum", "a", `"two"`).ErrorType,
				"vcp checks the schema")
			gzip := w.entry("everything/gzip-file-as-resource")
			require.Equal(t, []string{"name", "data", "outputType"}, parameters(gzip), "the order is the server's")

			r := w.call("everything/get-tiny-image")
			require.Len(t, r.Files, 1)
			require.Equal(t, "image/png", r.Files[0].MediaType)
			require.Equal(t, "image-1.png", r.Files[0].Name)
			require.Equal(t, "\x89PNG", string(r.Files[0].Data[:4]))
			require.Contains(t, r.ToolResult.Result, "[image image-1.png, image/png, ")

			r = w.call("everything/get-structured-content", "location", `"Chicago"`)
			require.Contains(t, r.Details.(mcp.Details).Structured, "temperature")

			r = w.call("everything/get-resource-reference", "resourceType", `"Blob"`, "resourceId", "1")
			require.Len(t, r.Files, 1)
			require.Equal(t, r.Files[0].Name, r.Details.(mcp.Details).Resources[0].File)

			r = w.call("everything/get-resource-links", "count", "2")
			require.Len(t, r.Details.(mcp.Details).Resources, 2)

			require.Contains(t, w.says("everything/prompt:args-prompt", "city", `"Köln"`), "Köln")
			listed := w.says("everything/resources:list")
			uri, _, _ := strings.Cut(listed, ",")
			require.NotEmpty(t, w.says("everything/resources:read", "uri", strconv.Quote(uri)))
			r = w.call("everything/resources:read", "uri", `"demo://nothing"`)
			require.Equal(t, executor.ErrorExecutionFailed, r.ErrorType)
			require.Contains(t, r.ToolResult.Result, "answered with the error")
		})
	}
}

// TestTheChildProcessOfASource uses one child process for all cases, because starting it takes
// long.
func TestTheChildProcessOfASource(t *testing.T) {
	t.Setenv("OTHERS_TOKEN", "secret-of-another")
	file := filepath.Join(t.TempDir(), "pid")
	command := append([]string{"sh", "-c", `echo $$ >"$0"; exec "$@"`, file}, npmServer(t, everything)...)
	w := start(t, mcp.Config{Name: "everything", Command: command, Env: map[string]string{"OWN": "value"}})

	t.Run("gets only its own variables", func(t *testing.T) {
		env := w.says("everything/get-env")
		require.NotContains(t, env, "secret-of-another")
		require.Contains(t, env, `"OWN": "value"`)
		require.Contains(t, env, `"PATH"`)
	})
	t.Run("reports the progress of a call", func(t *testing.T) {
		var reports []string
		obs := executor.Observer{Progress: func(_, text string) { reports = append(reports, text) }}
		r := w.callIn(t.Context(), obs, "everything/trigger-long-running-operation", "duration", "0.2", "steps", "2")
		require.Empty(t, r.ErrorType, r.ToolResult.Result)
		require.NotEmpty(t, reports)
		require.Equal(t, "1 of 2", reports[0], "other reports may come after the result")
	})
	t.Run("is started again after it was killed", func(t *testing.T) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		require.NoError(t, err)
		require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
		w.eventually("the server is back",
			func() bool { return w.call("everything/echo", "message", `"x"`).ErrorType == "" })
		require.Equal(t, tool.HealthUp, w.state().Health)
	})
}

// parameters returns the names of a method's parameters, in the order of its schema.
func parameters(e *tool.Entry) (names []string) {
	for _, p := range e.Method.Parameters.Properties() {
		names = append(names, p.Name)
	}
	return names
}

func TestTheFilesystemServerReadsAndWrites(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	file := filepath.Join(dir, "notes.txt")
	require.NoError(t, os.WriteFile(file, []byte("tea and 茶\n"), 0o600))
	w := start(t, mcp.Config{Name: "fs", Command: append(npmServer(t, filesystem), dir)})
	require.Equal(t, tool.HealthUp, w.state().Health)
	require.Equal(t, "tea and 茶\n", w.says("fs/read_text_file", "path", strconv.Quote(file)))
	w.says("fs/write_file", "path", strconv.Quote(file), "content", `"new"`)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "new", string(text))
	r := w.call("fs/read_text_file", "path", `"/etc/passwd"`)
	require.Equal(t, executor.ErrorExecutionFailed, r.ErrorType)
	require.Contains(t, r.ToolResult.Result, "outside allowed directories")
}

// TestARestartedHTTPServerIsUsedAgain kills and restarts a server that the source did not start.
func TestARestartedHTTPServerIsUsedAgain(t *testing.T) {
	s := startHTTPServer(t)
	w := start(t, mcp.Config{Name: "everything", URL: s.url()})
	require.Equal(t, "Echo: 1", w.says("everything/echo", "message", `"1"`))

	running := make(chan executor.Result, 1)
	begun := make(chan struct{}, 100)
	go func() {
		obs := executor.Observer{Progress: func(string, string) { begun <- struct{}{} }}
		running <- w.callIn(t.Context(), obs, "everything/trigger-long-running-operation", "duration", "60", "steps", "600")
	}()
	<-begun
	s.kill()
	r := <-running
	require.Equal(t, executor.ErrorExecutionFailed, r.ErrorType)
	require.Contains(t, r.ToolResult.Result, "may or may not have been carried out")
	w.eventually("the server is known to be down", func() bool { return w.state().Health == tool.HealthDown })
	r = w.call("everything/echo", "message", `"2"`)
	require.Equal(t, executor.ErrorExecutionFailed, r.ErrorType)
	require.Contains(t, r.ToolResult.Result, "nothing was done")
	require.Contains(t, w.names(), "everything/echo", "the method is still offered")

	s.start()
	w.eventually("the server is back", func() bool { return w.state().Health == tool.HealthUp })
	require.Equal(t, "Echo: 3", w.says("everything/echo", "message", `"3"`))
}
