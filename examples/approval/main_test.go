package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/examples/internal/exampletest"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/internal/requesttest"
	"github.com/vcpgo/vcp/protocol/vcp"
)

func TestMain(m *testing.M) { exampletest.Main(m, main) }

func TestAFileIsWrittenOnlyAfterApproval(t *testing.T) {
	for _, tt := range []struct{ name, file, answer, status string }{
		{"allowed", "poem.txt", "y\n", "success"},
		{"denied", "poem.txt", "n\n", "error"},
		{"no answer", "poem.txt", "", "error"},
		{"outside of the directory", "../poem.txt", "y\n", "error"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			models := modelserver.Start(t,
				modelserver.Text(requesttest.Text(t, vcp.Protocol{}, "notes_write", "name", tt.file, "text", "Roses.")),
				modelserver.Text("Well."))
			cmd := exampletest.Command(t, os.Args[0], filepath.Join(t.TempDir(), "dir"), models, "Write.")
			cmd.Stdin = strings.NewReader(tt.answer)
			require.NoError(t, os.Mkdir(cmd.Dir, 0o700))
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, string(out))
			require.Contains(t, string(out), `Run notes_write "{\"name\":`)
			require.Contains(t, string(out), "[notes_write: "+tt.status+"]\nWell.\n")
			text, _ := os.ReadFile(filepath.Join(cmd.Dir, tt.file))
			require.Equal(t, tt.status == "success", string(text) == "Roses.")
		})
	}
}
