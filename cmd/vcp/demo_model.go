package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/internal/demomodel"
	"github.com/vcpgo/vcp/internal/loopback"
	"github.com/vcpgo/vcp/protocol"
)

// demoPause is the wait between two pieces of the demo model's replies, so that people see them
// stream.
const demoPause = 5 * time.Millisecond

func newDemoModel(std streams) *cobra.Command {
	var (
		addr  string
		proto protocol.Protocol
	)
	cmd := &cobra.Command{
		Use:   "demo-model",
		Short: "Serve the demo model, a small rule-based planner",
		Long: `demo-model serves what vcp chat uses if no model server is named: a small rule-based planner behind an OpenAI-compatible
server (/v1/models and /v1/chat/completions). It is no language model. It reads the tool definitions in the
system message, picks methods by the words of the question, writes requests, and answers from their results. It listens on this
machine's loopback only, answers programs and no web pages of other origins, knows no keys, and serves until Ctrl-C.`,
		Example: `  vcp demo-model --addr 127.0.0.1:8117
  vcp chat --base-url http://127.0.0.1:8117/v1 "What is 17*23?"`,
		Args: none,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			server, err := startDemo(demomodel.Options{Protocol: proto, Addr: addr, Pause: demoPause})
			if err != nil {
				return err
			}
			if err := write(std.out, fmt.Sprintf("The demo model %s, a small rule-based planner, serves at %s", demomodel.ModelID, server.URL())); err != nil {
				closeDemo(server)
				return err
			}
			select {
			case <-ctx.Done():
			case <-server.Done():
			}
			closeDemo(server)
			if err := server.Err(); err != nil {
				return fmt.Errorf("the server ended: %w", err)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:0", "the `HOST:PORT` to listen on; port 0 is any free one")
	addProtocol(cmd.Flags(), &proto)
	return cmd
}

func startDemo(o demomodel.Options) (*demomodel.Server, error) {
	server, err := demomodel.Start(o)
	if bad := (*loopback.AddrError)(nil); errors.As(err, &bad) && bad.Err == nil {
		return nil, usagef("--addr: %w", err)
	}
	return server, err
}

// closeDemo closes the server, and gives open replies a moment to end.
func closeDemo(server *demomodel.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = server.Close(ctx) // a reply that takes longer is truncated
}
