package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/engine"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
	"github.com/vcpgo/vcp/cmd/vcp/internal/workspace"
)

func newTools(std cli.Streams) *cobra.Command {
	var (
		flags  configuration.Flags
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "List the methods that a model may call",
		Long: `tools lists the methods that a model may call, with their arguments, their risk (read, write or dangerous) and what happens to
a call: it runs, asks for approval, or is denied, and the rule or setting that decides so. After them come the methods that are switched
off, with what switches them off. Last come the plug-ins, servers and files that do not work, with the reason.

With --json it prints one JSON list. It has an object for each method, with the fields fullName (also as toolName), tool, method, source,
title, aliases, tags, description, risk, enabled (whether models see it), decision (allow, ask or deny), why (what decides so), reason (why
it cannot run, if it cannot), parameters (a JSON Schema) and examples (arguments of requests). It has another object for each plug-in,
server or file that does not work as it should, with the fields source, tool, health (starting, degraded, down or off) and reason.`,
		Example: `  vcp tools
  vcp tools --config vcp.yaml
  vcp tools --approve write
  vcp tools --json --tool-toggles files=false`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			space, err := workspace.Open(cmd.Context(), &flags, std)
			if err != nil {
				return err
			}
			defer space.Close()
			e, err := space.Engine(std, engine.Options{})
			if err != nil {
				return err
			}
			list := space.List(e)
			if asJSON {
				return cli.WriteJSON(std.Out, list.Objects())
			}
			text := list.Describe()
			if text == "" {
				fmt.Fprintf(std.Err, "vcp tools: nothing to list: %s\n", workspace.NoMethods(space.Config))
				return nil
			}
			return cli.Write(std.Out, text)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON list")
	flags.Add(cmd.Flags(), configuration.ListFields...)
	cmd.AddCommand(newToolsCheck(std), newToolsNew(std))
	return cmd
}
