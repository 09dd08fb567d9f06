package main

import (
	"errors"
	"fmt"
	"os/signal"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/internal/demomodel"
	"github.com/vcpgo/vcp/internal/loopback"
	"github.com/vcpgo/vcp/protocol"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
	"github.com/vcpgo/vcp/cmd/vcp/internal/modelclient"
)

func newDemoModel(std cli.Streams) *cobra.Command {
	var (
		addr  string
		proto protocol.Protocol
	)
	cmd := &cobra.Command{
		Use:   "demo-model",
		Short: "Serve the demo model, a small rule-based planner",
		Long: `demo-model serves what vcp chat uses if no model server is named: a small rule-based planner behind an OpenAI-compatible
server (/v1/models and /v1/chat/completions). It is not a language model. It reads the tool definitions in the
system message, picks methods by the words of the question, writes requests, and answers from their results. It listens only on
this machine's loopback address, refuses web pages of other origins, needs no API key, and serves until Ctrl-C.`,
		Example: `  vcp demo-model --addr 127.0.0.1:8117
  vcp chat --base-url http://127.0.0.1:8117/v1 "What is 17*23?"`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), cli.EndSignals()...)
			defer stop()
			server, err := demomodel.Start(demomodel.Options{Protocol: proto, Addr: addr, Pause: modelclient.DemoPause})
			if err != nil {
				return addressError("addr", err)
			}
			defer modelclient.CloseDemo(server)
			ready := fmt.Sprintf("The demo model %s, a small rule-based planner, serves at %s",
				demomodel.ModelID, server.URL())
			if err := cli.Write(std.Out, ready); err != nil {
				return err
			}
			return server.Wait(ctx)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:0", "the `HOST:PORT` to listen on; port 0 means any free port")
	configuration.AddProtocol(cmd.Flags(), &proto)
	return cmd
}

// addressError returns err, the error of starting a server. It returns a UsageError instead if the
// value of the flag is not an address of this machine.
func addressError(flag string, err error) error {
	if bad, ok := errors.AsType[*loopback.AddrError](err); ok && bad.Err == nil {
		return cli.Usagef("--%s: %v", flag, err)
	}
	return err
}
