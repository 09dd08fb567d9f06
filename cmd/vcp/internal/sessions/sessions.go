// Package sessions selects conversations in a store. It contains the commands below vcp sessions.
package sessions

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// NewCommand returns the command vcp sessions.
func NewCommand(std cli.Streams) *cobra.Command {
	s := &sessions{std: std, limit: 50} // the default of --limit
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
				return cli.Usagef("there is no action %q; the actions are %s",
					args[0], strings.Join(cli.CommandNames(cmd), ", "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cli.Usagef("name an action: %s", strings.Join(cli.CommandNames(cmd), ", "))
		},
	}
	cmd.AddCommand(s.list(), s.show(), s.search(), s.export(), s.importing(), s.delete())
	for _, action := range cmd.Commands() {
		action.Flags().SortFlags = false
		addStore(action.Flags(), &s.file)
		action.Flags().Lookup("store").Usage = "the `FILE` with the conversations, in place of the user's own store"
	}
	return cmd
}
