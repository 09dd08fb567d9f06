package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/examples/internal/exampletest"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/internal/requesttest"
	"github.com/vcpgo/vcp/protocol/vcp"
)

func TestMain(m *testing.M) { exampletest.Main(m, main) }

func TestTheModelReadsTheResult(t *testing.T) {
	models := modelserver.Start(t,
		modelserver.Text(requesttest.Text(t, vcp.Protocol{}, "weather_now", "city", "Rome")),
		modelserver.Func(func(r modelserver.Request) modelserver.Reply {
			require.Contains(t, r.Last(), "sunny in Rome")
			return modelserver.Text("It is sunny.")
		}))
	out, err := exampletest.Command(t, os.Args[0], "", models, "How", "is", "it?").CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, "It is sunny.\n", string(out))
	require.Contains(t, models.Requests()[0].Last(), "How is it?")
}
