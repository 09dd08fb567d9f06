package main

import (
	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/tool/script"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/workspace"
)

func newScriptWorker(std cli.Streams) *cobra.Command {
	return &cobra.Command{
		Use:     workspace.ScriptWorker,
		Short:   "Run a script for another vcp process",
		Example: "  vcp " + workspace.ScriptWorker,
		Hidden:  true,
		Args:    cli.NoArguments,
		RunE:    func(*cobra.Command, []string) error { return script.Serve(std.In, std.Out) },
	}
}
