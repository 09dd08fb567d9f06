package sessions

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/text"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
)

func (s *sessions) list() *cobra.Command {
	var owner, tag string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the conversations, the newest first",
		Args:  cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return s.with(cmd, func(ctx context.Context, store chat.Store) error {
				list, more, err := listFinished(ctx, store, chat.ListOptions{Owner: owner, Tag: tag, Limit: s.limit})
				if err != nil {
					return err
				}
				if len(list) == 0 {
					return s.sayEmpty(cmd, noConversations(owner, tag))
				}
				owned := slices.ContainsFunc(list, func(m chat.Metadata) bool { return m.Owner != "" })
				return printPage(s, list, more, func(m chat.Metadata) []string {
					row := []string{m.ID, cli.LocalTime(m.Updated), text.TruncateRunes(m.Title, terminal.MaxResult)}
					if owned {
						row = slices.Insert(row, 2, cmp.Or(m.Owner, "-"))
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
		Args:  cli.AtLeastOne("WORD"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.with(cmd, func(ctx context.Context, store chat.Store) error {
				o := chat.SearchOptions{Query: strings.Join(args, " "), Limit: s.limit}
				list, more, err := searchFinished(ctx, store, o)
				if err != nil {
					return err
				}
				if len(list) == 0 {
					return s.sayEmpty(cmd, cli.Message("nothing found"))
				}
				return printPage(s, list, more, func(m chat.Match) []string {
					return []string{
						m.ConversationID, cli.LocalTime(m.Entry.Time), m.Entry.Kind, textAround(m.Entry.Text, args[0]),
					}
				})
			})
		},
	}
	s.addPage(cmd, "messages")
	return cmd
}

// listFinished returns the first conversations of a list, without imports that have not ended. It
// returns at most o.Limit conversations; o.Limit is at least 1. more is the next page, or "" if the
// list has no more.
func listFinished(
	ctx context.Context, store chat.Store, o chat.ListOptions,
) (list []chat.Metadata, more string, err error) {
	limit := o.Limit
	for {
		o.Limit = limit - len(list)
		page, next, err := store.List(ctx, o)
		if err != nil {
			return nil, "", err
		}
		list = append(list, slices.DeleteFunc(page, func(m chat.Metadata) bool { return m.Unfinished() })...)
		if next == "" || len(list) >= limit {
			return list, next, nil
		}
		o.Page = next
	}
}

// searchFinished is like listFinished for a search. It omits matches in conversations that are
// gone, too.
func searchFinished(
	ctx context.Context, store chat.Store, o chat.SearchOptions,
) (list []chat.Match, more string, err error) {
	limit := o.Limit
	omitted := map[string]bool{} // by ID of a conversation: it is unfinished or gone
	for {
		o.Limit = limit - len(list)
		page, next, err := store.Search(ctx, o)
		if err != nil {
			return nil, "", err
		}
		for i := range page {
			id := page[i].ConversationID
			if _, known := omitted[id]; !known {
				m, err := store.Metadata(ctx, id)
				if err != nil && !errors.Is(err, chat.ErrNoConversation) {
					return nil, "", err
				}
				omitted[id] = err != nil || m.Unfinished()
			}
			if !omitted[id] {
				list = append(list, page[i])
			}
		}
		if next == "" || len(list) >= limit {
			return list, next, nil
		}
		o.Page = next
	}
}

// noConversations says why a list is empty.
func noConversations(owner, tag string) *message.Text {
	switch {
	case owner != "" && tag != "":
		return cli.Message("no conversations of the owner %q with the tag %q", owner, tag)
	case owner != "":
		return cli.Message("no conversations of the owner %q", owner)
	case tag != "":
		return cli.Message("no conversations with the tag %q", tag)
	}
	return cli.Message("no conversations yet; vcp chat begins one")
}

// textAround returns the part of a message around a word, on one line. If the word is not in the
// message, it returns the beginning of the message.
func textAround(message, word string) string {
	message = terminal.OneLine(message)
	// SearchText keeps the number of characters, so that start fits both texts.
	folded, start := chat.SearchText(message), 0
	if i := strings.Index(folded, chat.SearchText(word)); i > 0 {
		start = max(0, len([]rune(folded[:i]))-terminal.MaxResult/3) // a third is for the text before the word
	}
	runes := []rune(message)
	if start == 0 {
		return text.TruncateRunes(message, terminal.MaxResult)
	}
	return text.Ellipsis + text.TruncateRunes(string(runes[start:]), terminal.MaxResult)
}

// printPage prints a page of a list, as JSON or as a table. more is the next page, or "" if the
// list has no more. cells returns the row of an item.
func printPage[T any](s *sessions, list []T, more string, cells func(T) []string) error {
	if s.asJSON {
		for i := range list {
			if err := cli.WriteJSONLine(s.std.Out, list[i]); err != nil {
				return err
			}
		}
		return nil
	}
	var table terminal.Table
	for _, item := range list {
		row := cells(item)
		for i := range row {
			row[i] = terminal.OneLine(row[i])
		}
		table.Row(row...)
	}
	shown := table.String()
	if more != "" {
		shown += "[" + cli.Message("there are more; --limit shows more").In(cli.Language()) + "]\n"
	}
	return cli.Write(s.std.Out, shown)
}
