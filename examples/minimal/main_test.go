package main

import (
	"os"
	"os/exec"
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
	models := modelserver.Start(t,
		modelserver.Text("<<<[TOOL_REQUEST]>>>\ntool_name:「始」weather_now「末」,\ncity:「始」Rome「末」\n<<<[END_TOOL_REQUEST]>>>"),
		modelserver.Func(func(r modelserver.Request) modelserver.Reply {
			require.Contains(t, r.Last(), "sunny in Rome")
			return modelserver.Text("It is sunny.")
		}))
	cmd := exec.CommandContext(t.Context(), os.Args[0], "How", "is", "it?")
	cmd.Env = append(os.Environ(), "RUN_EXAMPLE=1", "OPENAI_BASE_URL="+models.URL, "OPENAI_MODEL=scripted")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, "It is sunny.\n", string(out))
	require.Contains(t, models.Requests()[0].Last(), "How is it?")
}
