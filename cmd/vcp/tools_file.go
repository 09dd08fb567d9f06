package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/tool/command"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
)

func newToolsCheck(std cli.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE...",
		Short: "Check files of command tools",
		Long: `check reads files of command tools, as --tools does, and prints every mistake in the order of lines, with its field and how to
fix it. For a file without mistakes it prints the methods. It warns if a program or a script does not exist on this machine, and if a
required parameter is not declared. It runs nothing. The exit status is 1 if there is a mistake.`,
		Example: "  vcp tools check notes.yaml",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("name a FILE of command tools; vcp tools new writes one")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			failed := false
			for _, path := range args {
				report, err := command.Check(path)
				mistakes, hasMistakes := errors.AsType[command.FileErrors](err)
				if err == nil {
					err = cli.Write(std.Out, describeFile(path, report))
				}
				if err != nil && !hasMistakes {
					return err
				}
				failed = failed || hasMistakes
				for _, m := range mistakes {
					fmt.Fprintln(std.Err, terminal.Visible(m.Error()))
				}
				for _, w := range report.Warnings {
					fmt.Fprintln(std.Err, "warning:", terminal.Visible(w.Error()))
				}
			}
			if failed {
				return cli.Reported{Err: errors.New("a file has mistakes")}
			}
			return nil
		},
	}
}

// describeFile says that a file is correct, and lists its methods with their parameters.
func describeFile(path string, report command.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s is correct:\n", terminal.Visible(path))
	for _, t := range report.Tools {
		for _, m := range t.Methods {
			var names []string
			for _, p := range m.Parameters.Properties() {
				name := p.Name
				if !p.Required {
					name = "[" + name + "]"
				}
				names = append(names, name)
			}
			fmt.Fprintf(&b, "  %s\n", terminal.Visible(strings.TrimSpace(m.FullName+" "+strings.Join(names, " "))))
		}
	}
	return b.String()
}

func newToolsNew(std cli.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "new NAME",
		Short: "Write a file of command tools to start from",
		Long: `new writes NAME.yaml, a commented file of one command tool, and NAME.sh, the script that it runs, to the current directory. They work
as they are. It overwrites no file.`,
		Example: "  vcp tools new notes",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Usagef("name one tool, such as: vcp tools new notes")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			name := strings.TrimSuffix(args[0], ".yaml")
			file, script, err := command.New(".", name)
			if err != nil {
				return err
			}
			return cli.Write(std.Out, fmt.Sprintf("wrote %s and %s; try:\n  vcp tools check %[1]s\n"+
				"  vcp call --tools %[1]s %[3]s_greet name=Ann\n"+
				"  vcp chat --tools %[1]s \"Greet the person Ann.\"\n", file, script, name))
		},
	}
}
