package demomodel_test

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/demomodel"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/qwencoder"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// TestAnEngineAnswersWithThePlanner runs an engine with all real parts: the client, the server with
// the planner, and the tools.
func TestAnEngineAnswersWithThePlanner(t *testing.T) {
	tests := []struct {
		name       string
		question   string
		iterations int
		stop       engine.StopReason
		tools      []string
		says       []string
	}{
		{
			"calls, then the answer", "What is 17*23, and which Go files are in protocol/?", 10, engine.StopDone,
			[]string{"calculator_evaluate", "files_list"},
			[]string{"17*23 = 391.", "(path: `protocol`, glob: `*.go`)", "message.go", "tool.go"},
		},
		{
			"at the limit, the answer is the results so far", "What is 17*23?", 1, engine.StopMaxIterations,
			[]string{"calculator_evaluate"},
			[]string{"No tools are available any more", "391"},
		},
		{
			"a failure is reported", "Read no/such/file.txt", 10, engine.StopDone,
			[]string{"files_read"},
			[]string{"did not work", "no/such/file.txt"},
		},
		{"a question that no tool answers", "Who wrote Hamlet?", 10, engine.StopDone, nil, []string{"small rule-based planner"}},
	}
	for _, proto := range []protocol.Protocol{vcp.Protocol{}, hermes.Protocol{}, qwencoder.Protocol{}} {
		for _, tt := range tests {
			t.Run(proto.ID()+"/"+tt.name, func(t *testing.T) {
				registry := tool.NewRegistry()
				require.NoError(t, registry.Register(builtinTools(t, "../..")...))
				client, err := model.New(model.Options{BaseURL: startServer(t, demomodel.Options{Protocol: proto}).URL()})
				require.NoError(t, err)
				t.Cleanup(client.Close)
				config := engine.DefaultConfig()
				config.MaxIterations = tt.iterations
				e, err := engine.New(engine.Options{
					Registry: registry, Protocols: []protocol.Protocol{proto}, Model: client, Config: config,
					Logger: slog.New(slog.DiscardHandler),
				})
				require.NoError(t, err)

				var called []string
				answer := ""
				var stop engine.StopReason
				for event, err := range e.NewSession("s").Run(t.Context(), []protocol.Message{asked(tt.question)}) {
					require.NoError(t, err)
					switch event.Kind {
					case engine.EventToolStarted:
						called = append(called, event.Method.FullName)
					case engine.EventIterationDone:
						answer = event.Iteration.Reply.Text.String()
						require.NotNil(t, event.Iteration.Usage)
					case engine.EventRunDone:
						stop = event.Stop
					}
				}
				require.Equal(t, tt.stop, stop)
				require.Equal(t, tt.tools, called)
				for _, part := range tt.says {
					require.Contains(t, answer, part)
				}
			})
		}
	}
}
