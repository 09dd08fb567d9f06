package sessions

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/internal/message"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// sessions contains the streams and the flag values that commands below vcp sessions share.
type sessions struct {
	std    cli.Streams
	file   string // of the store; "" means the user's own store
	asJSON bool   // print JSON, not text for people
	limit  int    // of the items in a list
}

// with opens the store, calls f with the store, and closes it.
func (s *sessions) with(cmd *cobra.Command, f func(context.Context, chat.Store) error) error {
	if s.file != "" && cmd.Name() != "import" {
		if _, err := os.Stat(s.file); err != nil {
			return fmt.Errorf("--store: %w", err) // opening the store would create the file
		}
	}
	store, err := openStore(cmd.Context(), s.file)
	if err != nil {
		return err
	}
	err = f(cmd.Context(), store)
	if errors.Is(err, chat.ErrNoConversation) {
		err = cli.Message("%v; vcp sessions list shows all conversations", err)
	}
	return errors.Join(err, store.Close())
}

// addPage adds the flags of an action that prints a list.
func (s *sessions) addPage(cmd *cobra.Command, what string) {
	cmd.Flags().Var(cli.NewNumber(&s.limit, 1), "limit", "show at most this many "+what)
	cmd.Flags().BoolVar(&s.asJSON, "json", false, "print one JSON object per line; none if there is nothing to show")
}

// sayEmpty tells a person why no list is printed. For programs an empty list has no lines.
func (s *sessions) sayEmpty(cmd *cobra.Command, why *message.Text) error {
	if !s.asJSON {
		fmt.Fprintf(s.std.Err, "vcp sessions %s: %s\n", cmd.Name(), why.In(cli.Language()))
	}
	return nil
}
