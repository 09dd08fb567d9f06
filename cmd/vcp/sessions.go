package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/protocol"
)

// sessions are the flags that all commands of vcp sessions share.
type sessions struct {
	std    streams
	file   string
	asJSON bool
	limit  count
}

func newSessions(std streams) *cobra.Command {
	s := &sessions{std: std, limit: 50}
	cmd := &cobra.Command{
		Use:   "sessions",
		Short: "List, show, search, export, import and delete conversations",
		Long: `sessions works on the conversations that vcp chat has kept: those in the user's own store, or in the file that --store
names. docs/conversations.md describes the store and the format of exports.`,
		Example: `  vcp sessions list
  vcp sessions show 2026-03-01-0930-k3x7qa
  vcp sessions search invoice
  vcp sessions export 2026-03-01-0930-k3x7qa > chat.json
  vcp sessions delete --older-than 720h`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("there is no action %q; the actions are %s", args[0], strings.Join(commandNames(cmd), ", "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usagef("name an action: %s", strings.Join(commandNames(cmd), ", "))
		},
	}
	cmd.AddCommand(s.list(), s.show(), s.search(), s.export(), s.importing(), s.delete())
	for _, action := range cmd.Commands() {
		action.Flags().SortFlags = false
		addStore(action.Flags(), &s.file)
		action.Flags().Lookup("store").Usage = "the `FILE` that the conversations are in, in place of the user's own store"
	}
	return cmd
}

// with opens the store for an action.
func (s *sessions) with(cmd *cobra.Command, f func(context.Context, chat.Store) error) error {
	if s.file != "" && cmd.Name() != "import" {
		if _, err := os.Stat(s.file); err != nil {
			return fmt.Errorf("--store: %w", err) // opening it would make an empty one
		}
	}
	store, err := openStore(cmd.Context(), s.file, false)
	if err != nil {
		return err
	}
	err = f(cmd.Context(), store)
	if errors.Is(err, chat.ErrNoConversation) {
		err = fmt.Errorf("%w; vcp sessions list shows them", err)
	}
	return errors.Join(err, store.Close())
}

func (s *sessions) addPage(cmd *cobra.Command, what string) {
	cmd.Flags().Var(&s.limit, "limit", "show at most this many "+what)
	cmd.Flags().BoolVar(&s.asJSON, "json", false, "print one JSON object a line; none if there is nothing to show")
}

func (s *sessions) show() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show NAME",
		Short: "Show the newest messages of a conversation",
		Args:  exactlyOne("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.with(cmd, func(ctx context.Context, store chat.Store) error {
				m, err := store.Metadata(ctx, args[0])
				if err != nil {
					return err
				}
				page, older, err := chat.ReadPage(ctx, store, m.ID, m.Tip, int(s.limit))
				if err != nil {
					return err
				}
				if older > 0 && !s.asJSON {
					if err := write(s.std.out, "[older messages are not shown; --limit shows more]\n"); err != nil {
						return err
					}
				}
				for i := range page {
					if err := s.message(&page[i]); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	s.addPage(cmd, "replies and messages of the user")
	return cmd
}

// message shows a message.
func (s *sessions) message(m *chat.Message) error {
	if s.asJSON {
		return s.line(m)
	}
	var b strings.Builder
	switch {
	case m.Role == protocol.RoleAssistant:
		if m.Text != "" {
			fmt.Fprintln(&b, printable(strings.TrimSpace(m.Text)))
		}
		if m.Incomplete {
			fmt.Fprintln(&b, "[the reply is incomplete]")
		}
	case len(m.ToolCall) > 0 || m.FromEngine:
	default:
		fmt.Fprintln(&b, prompt+strings.ReplaceAll(printable(strings.TrimSpace(m.Content)), "\n", "\n"+prompt))
	}
	for _, r := range m.ToolCall {
		outcome := "ok"
		if r.Status != protocol.StatusSuccess {
			outcome = r.ErrorType
		}
		fmt.Fprintf(&b, "[tool] %s ... %s: %s\n", visible(r.ToolName), visible(outcome), visible(truncated(oneLine(r.Result), shownResult)))
	}
	_, err := io.WriteString(s.std.out, b.String())
	return err
}

// line prints a value as one line of JSON.
func (s *sessions) line(v any) error {
	e := json.NewEncoder(s.std.out)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
