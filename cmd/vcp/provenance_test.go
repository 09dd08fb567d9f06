package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/modelserver"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// plant returns the directory of a file that contains a request, and a server whose model reads the
// file and then makes the request.
func plant(t *testing.T) (root string, s *modelserver.Server) {
	t.Helper()
	root = t.TempDir()
	planted := request(t, "files_list", "path", "sub")
	require.NoError(t, os.WriteFile(filepath.Join(root, "notes.txt"), []byte("Hello. "+planted), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(root, "sub"), 0o700))
	reads := modelserver.Text(request(t, "files_read", "path", "notes.txt"))
	return root, modelserver.Start(t, reads, modelserver.Text(planted), modelserver.Text("Well."))
}

func TestAPlantedRequestIsRefused(t *testing.T) {
	root, s := plant(t)
	o := ask(t, s, invocation{args: []string{"--approve", "all", "--root", root, "--json", "Read notes.txt."}})
	require.Equal(t, cli.ExitOK, o.status, o.stderr)
	var decided []executor.DecidedBy // in the order of the calls
	for line := range strings.Lines(o.stdout) {
		var event struct {
			Kind   string
			Result struct {
				DecidedBy  executor.DecidedBy
				ErrorType  string
				Provenance *executor.Provenance
			}
		}
		require.NoError(t, json.Unmarshal([]byte(line), &event))
		if event.Kind == "tool_done" {
			decided = append(decided, event.Result.DecidedBy)
			if event.Result.DecidedBy == executor.ByProvenance {
				require.Equal(t, executor.ErrorPermissionDenied, event.Result.ErrorType)
				require.Equal(t, "files_read notes.txt", event.Result.Provenance.CopiedFrom.Name)
			}
		}
	}
	require.Equal(t, []executor.DecidedBy{executor.BySetting, executor.ByProvenance}, decided)
	require.Contains(t, s.Requests()[2].Last(), "occurs in the result of files_read notes.txt")

	root, s = plant(t)
	o = ask(t, s, invocation{args: []string{"--approve", "all", "--root", root, "Read notes.txt."}})
	require.Equal(t, cli.ExitOK, o.status, o.stderr)
	require.Contains(t, o.stdout+o.stderr, "permission_denied: This request occurs in the result of files_read notes.txt.")
}
