package sessions

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
)

func (s *sessions) show() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show NAME",
		Short: "Show the newest messages of a conversation",
		Args:  cli.ExactlyOne("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.with(cmd, func(ctx context.Context, store chat.Store) error {
				m, err := store.Metadata(ctx, args[0])
				if err != nil {
					return err
				}
				page, older, err := chat.ReadPage(ctx, store, m.ID, m.Tip, s.limit)
				if err != nil {
					return err
				}
				if older > 0 && !s.asJSON {
					note := cli.Message("older messages are not shown; --limit shows more").In(cli.Language())
					if err := cli.Write(s.std.Out, "["+note+"]"); err != nil {
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

// message shows a message. As text, it shows no remarks of the engine.
func (s *sessions) message(m *chat.Message) error {
	if s.asJSON {
		return cli.WriteJSONLine(s.std.Out, m)
	}
	var b strings.Builder
	switch {
	case m.Role == protocol.RoleAssistant:
		if m.Text != "" {
			fmt.Fprintln(&b, cli.Printable(strings.TrimSpace(m.Text)))
		}
		if m.Incomplete {
			fmt.Fprintln(&b, "["+cli.Message("the reply is incomplete").In(cli.Language())+"]")
		}
	case m.IsFromPerson():
		text := cli.Printable(strings.TrimSpace(m.Content))
		fmt.Fprintln(&b, terminal.Prompt+strings.ReplaceAll(text, "\n", "\n"+terminal.Prompt))
	}
	for _, r := range m.Outcomes {
		outcome := "ok"
		if r.Status != protocol.StatusSuccess {
			outcome = r.ErrorType
		}
		result := text.TruncateRunes(terminal.OneLine(r.Result), terminal.MaxResult)
		fmt.Fprintf(&b, "[tool] %s ... %s: %s\n",
			terminal.Visible(r.ToolName), terminal.Visible(outcome), terminal.Visible(result))
	}
	if b.Len() == 0 {
		return nil
	}
	return cli.Write(s.std.Out, b.String())
}
