package main

import (
	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
)

func newConfig(std cli.Streams) *cobra.Command {
	var (
		flags  configuration.Flags
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show the configuration in effect, and what set it",
		Long: `config shows each field of the configuration as vcp chat would use it: its value, and whether the default, the file,
the environment or a flag set it. docs/configuration.md describes the fields. Secrets are masked: text in the form of a secret,
such as api_key=..., is shown as [secret], and so is the key for the server.`,
		Example: `  vcp config
  vcp config --config vcp.yaml --max-iterations 3 --json`,
		Args: cli.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			s, err := flags.Load()
			if err != nil {
				return err
			}
			if asJSON {
				return s.WriteJSON(std.Out)
			}
			return s.WriteText(std.Out)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, `print a JSON object with the members "file" and "fields"`)
	flags.Add(cmd.Flags())
	return cmd
}
