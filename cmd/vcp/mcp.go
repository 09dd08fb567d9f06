package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os/signal"
	"time"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/loopback"
	"github.com/vcpgo/vcp/mcpserver"
	"github.com/vcpgo/vcp/tool"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
	"github.com/vcpgo/vcp/cmd/vcp/internal/workspace"
)

const (
	// elicitationTime is how long a person at an MCP client may take to answer a question.
	elicitationTime = 10 * time.Minute
	// closeTime is how long HTTP responses may take after Ctrl-C.
	closeTime = 2 * time.Second
)

func newMCPServer(std cli.Streams) *cobra.Command {
	var (
		flags       configuration.Flags
		addr, audit string
	)
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Offer the tools to any MCP client",
		Long: `mcp offers the methods that a model may call, from all sources, to an MCP client: on standard input and output, or with
--http over streamable HTTP. Calls pass through the same checks, approvals and audit as those of vcp chat. A call that needs approval is
shown to the person at the client by an elicitation; if the client supports none, the call is denied with the reason. Results are whole,
unless --result-tokens is given.

With --http it listens only on this machine's loopback address, refuses web pages of other origins, and serves until Ctrl-C. It has no
users and passwords: any program on this machine can call the methods.`,
		Example: `  vcp mcp
  vcp mcp --root ~/notes --approve read
  vcp mcp --http 127.0.0.1:8118 --audit calls.jsonl`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), cli.EndSignals()...)
			defer stop()
			record, closeAudit, err := workspace.OpenAudit(audit)
			if err != nil {
				return err
			}
			defer closeAudit()
			space, err := workspace.Open(ctx, &flags, std)
			if err != nil {
				return err
			}
			defer space.Close()
			space.Protect(audit)
			e, err := space.Engine(std, engine.Options{
				Approver: mcpserver.Approve, ApprovalTimeout: elicitationTime,
				Middlewares: []tool.Middleware{mcpserver.Progress}, Audit: record,
			})
			if err != nil {
				return err
			}
			server, err := mcpserver.New(mcpserver.Options{
				Engine: e, Registry: space.Registry, Version: version(), Logger: terminal.NewLogger(std.Err),
			})
			if err != nil {
				return err
			}
			defer server.Close()
			if addr != "" {
				return serveHTTP(ctx, server, addr, std)
			}
			if err := server.ServeStreams(ctx, io.NopCloser(std.In), nopWriteCloser{std.Out}); err != nil {
				return fmt.Errorf("the connection to the MCP client failed; standard input and output carry "+
					"one JSON-RPC message per line: %w", err)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&addr, "http", "",
		"serve streamable HTTP at the `HOST:PORT`, such as 127.0.0.1:8118; port 0 means any free port")
	cmd.Flags().StringVar(&audit, "audit", "",
		"append a record of each tool call to `FILE`, a regular file, as lines of JSON")
	flags.AddForCalls(cmd.Flags())
	return cmd
}

// serveHTTP serves until ctx ends or the server fails.
func serveHTTP(ctx context.Context, server *mcpserver.Server, addr string, std cli.Streams) error {
	mux := http.NewServeMux()
	mux.Handle("/mcp", server.Handler())
	refuse := func(w http.ResponseWriter, code, message string) {
		http.Error(w, code+": "+message, http.StatusForbidden)
	}
	s, err := loopback.Start(loopback.Options{
		Addr: addr, Handler: mux, Connections: mcpserver.MaxConnections, Refuse: refuse,
	})
	if err != nil {
		return addressError("http", err)
	}
	defer func() {
		server.Close() // ends the streams of events
		limited, cancel := context.WithTimeout(context.Background(), closeTime)
		defer cancel()
		_ = s.Close(limited) // a response that takes longer is truncated
	}()
	if err := cli.Write(std.Out, "The MCP server is at http://"+s.Addr()+"/mcp"); err != nil {
		return err
	}
	return s.Wait(ctx)
}

// nopWriteCloser is a stream that stays open when the connection that uses it is closed.
type nopWriteCloser struct{ io.Writer }

// Close implements io.Closer.
func (nopWriteCloser) Close() error { return nil }
