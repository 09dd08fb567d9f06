package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

func newVersion(std cli.Streams) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of this binary",
		Example: "  vcp version",
		Args:    cli.NoArguments,
		RunE:    func(*cobra.Command, []string) error { return cli.Write(std.Out, version()) },
	}
}

// version returns the versions of vcp and of Go, the platform, and the revision if the build
// recorded it.
func version() string {
	number, revision := "(unknown version)", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			number = info.Main.Version
		}
		settings := map[string]string{}
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
		if revision = settings["vcs.revision"]; revision != "" {
			revision = ", revision " + revision
			if settings["vcs.modified"] == "true" {
				revision += " with changes"
			}
		}
	}
	return fmt.Sprintf("vcp %s (%s %s/%s%s)", number, runtime.Version(), runtime.GOOS, runtime.GOARCH, revision)
}
