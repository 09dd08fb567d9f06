package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/loopback"
	"github.com/vcpgo/vcp/mcpserver"
	"github.com/vcpgo/vcp/tool"
)

const (
	// elicitationTime is how long a person at an MCP client may take to answer a question.
	elicitationTime = 10 * time.Minute
	// closeTime is how long calls under way may take after Ctrl-C.
	closeTime = 2 * time.Second
)

func newMCPServer(std streams) *cobra.Command {
	var (
		flags       configFlags
		addr, audit string
	)
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Offer the tools to any MCP client",
		Long: `mcp offers the methods that a model may call, from all sources, to an MCP client: on standard input and output, or with
--http over streamable HTTP. Calls pass through the same checks, approvals and audit as those of vcp chat. A call that needs approval is
shown to the person at the client by an elicitation; if the client has none, the call is denied with the reason. Results are whole,
unless --result-tokens is given.

With --http it listens on this machine's loopback only, answers programs and no web pages of other origins, knows no users, and serves
until Ctrl-C: any program on this machine can call the methods.`,
		Example: `  vcp mcp
  vcp mcp --root ~/notes --approve read
  vcp mcp --http 127.0.0.1:8118 --audit calls.jsonl`,
		Args: none,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			record, closeAudit, err := openAudit(audit)
			if err != nil {
				return err
			}
			defer closeAudit()
			space, err := flags.open(ctx, std)
			if err != nil {
				return err
			}
			defer space.close()
			if !space.fromFlag("resultTokens") {
				space.ResultTokens = 0
			}
			e, err := space.engine(std, engine.Options{
				Approver: mcpserver.Approve, ApprovalTimeout: elicitationTime, Middlewares: []tool.Middleware{mcpserver.Progress}, Audit: record,
			})
			if err != nil {
				return err
			}
			server, err := mcpserver.New(mcpserver.Options{Engine: e, Registry: space.registry, Version: version(), Logger: newLogger(std.err)})
			if err != nil {
				return err
			}
			defer server.Close()
			if addr != "" {
				return serveHTTP(ctx, server, addr, std)
			}
			return server.ServeStreams(ctx, io.NopCloser(std.in), nopWriteCloser{std.out})
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVar(&addr, "http", "", "serve streamable HTTP at the `HOST:PORT`, such as 127.0.0.1:8118; port 0 is any free one")
	cmd.Flags().StringVar(&audit, "audit", "", "append a record of each tool call to `FILE`, a regular file, as lines of JSON")
	flags.add(cmd.Flags(), callFields...)
	withDefault(cmd.Flags(), "result-tokens", "0") // clients have limits of their own
	return cmd
}

// serveHTTP serves until ctx ends.
func serveHTTP(ctx context.Context, server *mcpserver.Server, addr string, std streams) error {
	mux := http.NewServeMux()
	mux.Handle("/mcp", server.Handler())
	refuse := func(w http.ResponseWriter, code, message string) {
		http.Error(w, code+": "+message, http.StatusForbidden)
	}
	s, err := loopback.Start(loopback.Options{Addr: addr, Handler: mux, Refuse: refuse, Logger: slog.New(slog.DiscardHandler)})
	if bad := (*loopback.AddrError)(nil); errors.As(err, &bad) && bad.Err == nil {
		return usagef("--http: %w", err)
	}
	if err != nil {
		return err
	}
	defer func() {
		server.Close() // ends the streams of events
		limited, cancel := context.WithTimeout(context.Background(), closeTime)
		defer cancel()
		_ = s.Close(limited) // what is still written then is of no use
	}()
	if err := write(std.out, "The MCP server is at http://"+s.Addr()+"/mcp"); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
	case <-s.Done():
	}
	if err := s.Err(); err != nil {
		return fmt.Errorf("the server ended: %w", err)
	}
	return nil
}

// nopWriteCloser is a stream that outlives the connection on it.
type nopWriteCloser struct{ io.Writer }

// Close implements io.Closer.
func (nopWriteCloser) Close() error { return nil }
