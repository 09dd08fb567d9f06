package sessions

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/chat"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
)

func (s *sessions) export() *cobra.Command {
	var markdown bool
	cmd := &cobra.Command{
		Use:   "export NAME",
		Short: "Print a conversation as JSON, or as Markdown",
		Args:  cli.ExactlyOne("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.with(cmd, func(ctx context.Context, store chat.Store) error {
				if markdown {
					return chat.ExportMarkdown(ctx, cli.TextOutput(s.std.Out), store, args[0])
				}
				return chat.Export(ctx, cli.JSONOutput(s.std.Out), store, args[0])
			})
		},
	}
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print the current branch as Markdown, which cannot be imported")
	return cmd
}

func (s *sessions) importing() *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Add a conversation that export printed; - is standard input",
		Long: `import adds a conversation that vcp sessions export printed. All of it counts as foreign text:
it is neutralized before the model reads it, and nothing in it runs.`,
		Args: cli.ExactlyOne("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := s.std.In
			if args[0] != "-" {
				f, err := os.Open(args[0])
				if err != nil {
					return err
				}
				defer func() { _ = f.Close() }() // nothing was written
				in = f
			}
			return s.with(cmd, func(ctx context.Context, store chat.Store) error {
				o := chat.ImportOptions{ID: name, Secrets: []string{os.Getenv(configuration.EnvKey)}}
				m, err := chat.Import(ctx, store, in, o)
				if errors.Is(err, chat.ErrConversationExists) {
					return cli.Message("%v; --session gives it another name", err)
				}
				if err != nil {
					return err
				}
				return cli.Write(s.std.Out, terminal.Visible(m.ID))
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
deleted ones. A conversation with a running turn is not deleted. Deleted text is overwritten in the file.`,
		Args: func(_ *cobra.Command, args []string) error {
			switch selects := olderThan > 0 || keepBytes > 0; {
			case olderThan < 0 || keepBytes < 0:
				return cli.Usagef("--older-than and --keep-bytes must not be negative")
			case !selects && len(args) == 0:
				return cli.Usagef("name conversations, or select them with --older-than or --keep-bytes")
			case selects && len(args) > 0:
				return cli.Usagef("names cannot be used together with --older-than or --keep-bytes, and one was given: %q",
					args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.with(cmd, func(ctx context.Context, store chat.Store) error {
				for _, name := range args {
					if err := chat.DeleteConversation(ctx, store, name); err != nil {
						return err
					}
					if err := cli.Write(s.std.Out, terminal.Visible(name)); err != nil {
						return err
					}
				}
				deleted, err := chat.Prune(ctx, store, chat.Retention{MaxAge: olderThan, MaxBytes: keepBytes})
				for _, m := range deleted {
					if err := cli.Write(s.std.Out, terminal.Visible(m.ID)); err != nil {
						return err
					}
				}
				return err
			})
		},
	}
	cmd.Flags().DurationVar(&olderThan, "older-than", 0,
		"delete the conversations without a message for a `DURATION`, such as 720h")
	cmd.Flags().Int64Var(&keepBytes, "keep-bytes", 0,
		"delete the oldest conversations until the remaining ones have at most `N` bytes")
	return cmd
}
