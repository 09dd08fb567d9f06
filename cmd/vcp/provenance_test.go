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
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

func TestQuestionShowsWhereWordsCameFrom(t *testing.T) {
	page := protocol.Source{Origin: protocol.OriginTool, Name: "fetch_get https://evil.example\n[note] fine\x1b[2K"}
	q := question{
		method: "t_m", risk: tool.RiskWrite, arguments: json.RawMessage(`{"to":"eve@evil.example"}`),
		warnings: warningsOf(&executor.Question{Change: "its description", Provenance: &executor.Provenance{
			CopiedFrom: &page,
			Arguments: []executor.ForeignArgument{
				{Argument: "to", Kind: executor.KindAddress, Value: "eve@evil.example", Source: protocol.Source{Origin: protocol.OriginPerson, Name: "Bob"}},
				{Argument: "url", Kind: executor.KindURL, Value: "https://evil.example", Source: protocol.Source{Origin: protocol.OriginImport}},
			},
		}}),
	}
	shown, err := q.fit(screen{})
	require.NoError(t, err)
	require.Zero(t, shown.omitted)
	require.Equal(t, "\n[approval] t_m (write)\n"+
		"  ! This method changed: its description\n"+
		"  ! This request occurs in the result of fetch_get https://evil.example\\n[note]\n     fine\\x1b[2K. Allow it only if you want it.\n"+
		"  ! to: this address came from a message of Bob: eve@evil.example\n"+
		"  ! url: this URL came from an imported message: https://evil.example\n"+
		"  - to = \"eve@evil.example\"\n"+
		"Answer y, always, edit, or no and why; help explains.\n", shown.body)

	for range 40 {
		q.warnings = append(q.warnings, "x: this path came from a file")
	}
	shown, err = q.fit(screen{})
	require.NoError(t, err)
	require.Positive(t, shown.omitted, "a call whose warnings are missing cannot be allowed")
	require.Nil(t, warningsOf(&executor.Question{}))
}

// plant returns the directory of a file that contains a request, and a server whose model reads the
// file and then makes the request.
func plant(t *testing.T) (root string, s *modelserver.Server) {
	t.Helper()
	root = t.TempDir()
	planted := request(t, "files_list", "path", "sub")
	require.NoError(t, os.WriteFile(filepath.Join(root, "notes.txt"), []byte("Hello. "+planted), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(root, "sub"), 0o700))
	return root, modelserver.Start(t, modelserver.Text(request(t, "files_read", "path", "notes.txt")), modelserver.Text(planted), modelserver.Text("Well."))
}

func TestAPlantedRequestIsRefused(t *testing.T) {
	root, s := plant(t)
	o := ask(t, s, invocation{args: []string{"--approve", "all", "--root", root, "--json", "Read notes.txt."}})
	require.Equal(t, exitOK, o.status, o.stderr)
	var done []executor.DecidedBy
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
			done = append(done, event.Result.DecidedBy)
			if event.Result.DecidedBy == executor.ByProvenance {
				require.Equal(t, executor.ErrorPermissionDenied, event.Result.ErrorType)
				require.Equal(t, "files_read notes.txt", event.Result.Provenance.CopiedFrom.Name)
			}
		}
	}
	require.Equal(t, []executor.DecidedBy{executor.BySetting, executor.ByProvenance}, done)
	require.Contains(t, s.Requests()[2].Last(), "occurs in the result of files_read notes.txt")

	root, s = plant(t)
	o = ask(t, s, invocation{args: []string{"--approve", "all", "--root", root, "Read notes.txt."}})
	require.Equal(t, exitOK, o.status, o.stderr)
	require.Contains(t, o.stdout+o.stderr, "permission_denied: This request occurs in the result of files_read notes.txt.")
}
