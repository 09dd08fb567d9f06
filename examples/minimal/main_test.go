package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/exampletest"
	"github.com/vcpgo/vcp/internal/modelserver"
)

func TestMain(m *testing.M) { exampletest.Main(m, main) }

func TestTheModelReadsTheResult(t *testing.T) {
	models := modelserver.Start(t,
		modelserver.Text("<<<[TOOL_REQUEST]>>>\ntool_name:「始」weather_now「末」,\ncity:「始」Rome「末」\n<<<[END_TOOL_REQUEST]>>>"),
		modelserver.Func(func(r modelserver.Request) modelserver.Reply {
			require.Contains(t, r.Last(), "sunny in Rome")
			return modelserver.Text("It is sunny.")
		}))
	out, err := exampletest.Command(t, os.Args[0], "", models, "How", "is", "it?").CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, "It is sunny.\n", string(out))
	require.Contains(t, models.Requests()[0].Last(), "How is it?")
}
