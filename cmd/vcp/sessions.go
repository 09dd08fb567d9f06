package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

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

func (s *sessions) list() *cobra.Command {
	var owner, tag string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the conversations, the newest first",
		Args:  none,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return s.with(cmd, func(ctx context.Context, store chat.Store) error {
				list, next, err := store.List(ctx, chat.ListOptions{Owner: owner, Tag: tag, Limit: int(s.limit)})
				if err != nil {
					return err
				}
				if len(list) == 0 {
					return s.nothing(cmd, noConversations(owner, tag))
				}
				owned := slices.ContainsFunc(list, func(m chat.Metadata) bool { return m.Owner != "" })
				return rowsOf(s, list, next, func(m chat.Metadata) []string {
					row := []string{m.ID, localTime(m.Updated), truncated(m.Title, shownResult)}
					if owned {
						row = slices.Insert(row, 2, or(m.Owner, "-"))
					}
					return row
				})
			})
		},
	}
	s.addPage(cmd, "conversations")
	cmd.Flags().StringVar(&owner, "owner", "", "list only the conversations of `NAME`")
	cmd.Flags().StringVar(&tag, "tag", "", "list only the conversations with that `TAG`")
	return cmd
}

func (s *sessions) search() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "search WORD...",
		Short: "Find messages that contain all words",
		Args:  atLeastOne("WORD"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.with(cmd, func(ctx context.Context, store chat.Store) error {
				list, next, err := store.Search(ctx, chat.SearchOptions{Query: strings.Join(args, " "), Limit: int(s.limit)})
				if err != nil {
					return err
				}
				if len(list) == 0 {
					return s.nothing(cmd, "nothing found")
				}
				return rowsOf(s, list, next, func(m chat.Match) []string {
					return []string{m.Conversation, localTime(m.Entry.Time), m.Entry.Kind, excerpt(m.Entry.Text, args[0])}
				})
			})
		},
	}
	s.addPage(cmd, "messages")
	return cmd
}

// noConversations says why a list is empty.
func noConversations(owner, tag string) string {
	switch {
	case owner != "" && tag != "":
		return fmt.Sprintf("no conversations of the owner %q with the tag %q", owner, tag)
	case owner != "":
		return fmt.Sprintf("no conversations of the owner %q", owner)
	case tag != "":
		return fmt.Sprintf("no conversations with the tag %q", tag)
	}
	return "no conversations yet; vcp chat begins one"
}

// nothing tells a person why nothing is printed. For programs an empty list has no lines.
func (s *sessions) nothing(cmd *cobra.Command, why string) error {
	if !s.asJSON {
		fmt.Fprintf(s.std.err, "vcp sessions %s: %s\n", cmd.Name(), why)
	}
	return nil
}

// localTime shows when something happened, to the minute.
func localTime(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// excerpt returns the part of a text around a word, in one line.
func excerpt(text, word string) string {
	text = oneLine(text)
	folded, at := chat.SearchText(text), 0
	if i := strings.Index(folded, chat.SearchText(word)); i > 0 {
		at = max(0, len([]rune(folded[:i]))-shownResult/3)
	}
	runes := []rune(text)
	if at == 0 || at >= len(runes) {
		return truncated(text, shownResult)
	}
	return "…" + truncated(string(runes[at:]), shownResult)
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

func (s *sessions) export() *cobra.Command {
	var markdown bool
	cmd := &cobra.Command{
		Use:   "export NAME",
		Short: "Print a conversation as JSON, or as Markdown",
		Args:  exactlyOne("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.with(cmd, func(ctx context.Context, store chat.Store) error {
				if markdown {
					return chat.ExportMarkdown(ctx, s.std.out, store, args[0])
				}
				return chat.Export(ctx, s.std.out, store, args[0])
			})
		},
	}
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print the branch in use as Markdown, which cannot be imported")
	return cmd
}

func (s *sessions) importing() *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Add a conversation that export printed; - is standard input",
		Long: `import adds a conversation that vcp sessions export printed. All of it counts as foreign text: the model is shown it so that
nothing in it can become a call, and nothing in it runs.`,
		Args: exactlyOne("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := s.std.in
			if args[0] != "-" {
				f, err := os.Open(args[0])
				if err != nil {
					return err
				}
				defer func() { _ = f.Close() }() // nothing was written
				in = f
			}
			return s.with(cmd, func(ctx context.Context, store chat.Store) error {
				m, err := chat.Import(ctx, store, in, chat.ImportOptions{ID: name})
				if errors.Is(err, chat.ErrConversationExists) {
					return fmt.Errorf("%w; --session gives it another name", err)
				}
				if err != nil {
					return err
				}
				return write(s.std.out, visible(m.ID))
			})
		},
	}
	cmd.Flags().StringVar(&name, "session", "", "import it as `NAME`; by default it keeps its name")
	return cmd
}

func (s *sessions) delete() *cobra.Command {
	var (
		olderThan time.Duration
		keepBytes int64
	)
	cmd := &cobra.Command{
		Use:   "delete [NAME...]",
		Short: "Delete conversations by name, age or size",
		Long: `delete deletes the conversations NAME, or those that --older-than and --keep-bytes select, and prints the names of the
deleted ones. A conversation with a turn that runs is not deleted. Deleted text is overwritten in the file.`,
		Args: func(_ *cobra.Command, args []string) error {
			switch selects := olderThan > 0 || keepBytes > 0; {
			case olderThan < 0 || keepBytes < 0:
				return usagef("--older-than and --keep-bytes must not be negative")
			case !selects && len(args) == 0:
				return usagef("name conversations, or select them with --older-than or --keep-bytes")
			case selects && len(args) > 0:
				return usagef("names exclude --older-than and --keep-bytes, and one was given: %q", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.with(cmd, func(ctx context.Context, store chat.Store) error {
				for _, name := range args {
					if err := chat.DeleteConversation(ctx, store, name); err != nil {
						return err
					}
					if err := write(s.std.out, visible(name)); err != nil {
						return err
					}
				}
				deleted, err := chat.Prune(ctx, store, chat.Retention{MaxAge: olderThan, MaxBytes: keepBytes})
				for _, m := range deleted {
					if err := write(s.std.out, visible(m.ID)); err != nil {
						return err
					}
				}
				return err
			})
		},
	}
	cmd.Flags().DurationVar(&olderThan, "older-than", 0, "delete the conversations without a message for this long, such as 720h")
	cmd.Flags().Int64Var(&keepBytes, "keep-bytes", 0, "delete the oldest conversations until those that stay have at most `N` bytes")
	return cmd
}

// rowsOf prints a page of a list.
func rowsOf[T any](s *sessions, list []T, next string, cells func(T) []string) error {
	if s.asJSON {
		for i := range list {
			if err := s.line(list[i]); err != nil {
				return err
			}
		}
		return nil
	}
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range list {
		texts := cells(row)
		for i := range texts {
			texts[i] = visible(oneLine(texts[i]))
		}
		fmt.Fprintln(t, strings.Join(texts, "\t"))
	}
	_ = t.Flush() // into memory
	if next != "" {
		b.WriteString("[there are more; --limit shows more]\n")
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
