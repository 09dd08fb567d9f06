package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/modelserver"
)

// TestMain runs the program itself if a test started it as a process of its own.
func TestMain(m *testing.M) {
	if os.Getenv("RUN_EXAMPLE") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func TestTheProgram(t *testing.T) {
	for _, tt := range []struct{ name, file, answer, status string }{
		{"allowed", "poem.txt", "y\n", "success"},
		{"denied", "poem.txt", "n\n", "error"},
		{"no answer", "poem.txt", "", "error"},
		{"outside of the directory", "../poem.txt", "y\n", "error"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			models := modelserver.Start(t,
				modelserver.Text("<<<[TOOL_REQUEST]>>>\ntool_name:「始」notes_write「末」,\nname:「始」"+tt.file+"「末」,\ntext:「始」Roses.「末」\n<<<[END_TOOL_REQUEST]>>>"),
				modelserver.Text("Well."))
			parent := t.TempDir()
			cmd := exec.CommandContext(t.Context(), os.Args[0], "Write.")
			cmd.Dir, cmd.Stdin = filepath.Join(parent, "dir"), strings.NewReader(tt.answer)
			require.NoError(t, os.Mkdir(cmd.Dir, 0o700))
			cmd.Env = append(os.Environ(), "RUN_EXAMPLE=1", "OPENAI_BASE_URL="+models.URL, "OPENAI_MODEL=scripted")
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, string(out))
			require.Contains(t, string(out), `Run notes_write "{\"name\":`)
			require.Contains(t, string(out), "[notes_write: "+tt.status+"]\nWell.\n")
			text, _ := os.ReadFile(filepath.Join(cmd.Dir, tt.file))
			require.Equal(t, tt.status == "success", string(text) == "Roses.")
		})
	}
}
