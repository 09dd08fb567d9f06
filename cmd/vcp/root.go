package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/text"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/sessions"
)

func newRoot(std cli.Streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "vcp",
		Short: "Tool calling for any model that can write text",
		Long: `vcp gives tool calling to models that only write text. The model writes requests between markers; vcp finds them while
the reply streams, runs the tools, and writes the results back until the model is done.`,
		Example: `  vcp chat "What is 17*23, and which Go files are in protocol/?"
  vcp chat --base-url http://127.0.0.1:11434/v1 --model NAME
  vcp parse reply.txt`,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		// Allow two typing errors in a name.
		SuggestionsMinimumDistance: 2,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cli.Usagef("name a command: %s", strings.Join(cli.CommandNames(cmd), ", "))
		},
	}
	// Without our own flag, cobra would also add -v, which usually means verbose.
	root.Flags().Bool("version", false, "print the version of this binary")
	root.Version = version()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetIn(std.In)
	root.SetErr(std.Err)
	root.SetFlagErrorFunc(flagError)
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(
		newChat(std), sessions.NewCommand(std), newParse(std), newPrompt(std), newResults(std), newTools(std),
		newCall(std), newMCPServer(std), newConfig(std), newEval(std), newDemoModel(std), newVersion(std),
		newScriptWorker(std),
	)
	root.SetHelpCommand(newHelp())
	for _, cmd := range root.Commands() {
		cmd.Flags().SortFlags = false
		check := cmd.Args
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if err := cli.StrayValue(cmd, args); err != nil {
				return err
			}
			return check(cmd, args)
		}
	}
	return root
}

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Show the help of a command",
		Example: "  vcp help parse",
		Hidden:  true,
		Args:    cli.AtMostOne("COMMAND"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Root().Help()
			}
			for _, c := range cmd.Root().Commands() {
				if c.Name() == args[0] {
					c.InitDefaultHelpFlag() // so that the help lists --help
					return c.Help()
				}
			}
			return noSuchCommand(cmd.Root(), args[0])
		},
	}
}

// unknownCommand returns an error if args name a command that does not exist. cobra would complain
// about the flags of that command instead.
func unknownCommand(root *cobra.Command, args []string) error {
	cmd, rest, err := root.Find(args)
	if err == nil && cmd == root && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
		return noSuchCommand(root, rest[0])
	}
	return nil
}

func noSuchCommand(root *cobra.Command, name string) error {
	known := strings.Join(cli.CommandNames(root), ", ")
	if near := root.SuggestionsFor(name); len(near) > 0 {
		return cli.Usagef("there is no command %q; did you mean %s? the commands are %s", name, near[0], known)
	}
	return cli.Usagef("there is no command %q; the commands are %s", name, known)
}

// flagError rewrites an error of pflag in the style of the other errors.
func flagError(cmd *cobra.Command, err error) error {
	if errors.Is(err, pflag.ErrHelp) {
		return err
	}
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		return unknownFlag(cmd, unknown)
	}
	if missing, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return cli.Usagef("--%s needs a value", missing.GetFlag().Name)
	}
	invalid, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return &cli.UsageError{Err: err}
	}
	flag := invalid.GetFlag()
	if own, ok := errors.AsType[*cli.ValueError](err); ok {
		return cli.Usagef("--%s %v", flag.Name, own)
	}
	return cli.Usagef("--%s is %q; allowed is %s", flag.Name, invalid.GetValue(), allowedFor(flag))
}

func unknownFlag(cmd *cobra.Command, unknown *pflag.NotExistError) error {
	if short := unknown.GetSpecifiedShortnames(); short != "" {
		return cli.Usagef("there is no flag -%s", short)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	name := unknown.GetSpecifiedName()
	near := text.Nearest(name, names)
	if len(near) == 0 {
		return cli.Usagef("there is no flag --%s", name)
	}
	for i := range near {
		near[i] = "--" + near[i]
	}
	return cli.Usagef("there is no flag --%s; did you mean %v?", name, cli.InWords(near))
}

// allowedFor describes the values of a flag of one of pflag's own types.
func allowedFor(f *pflag.Flag) *message.Text {
	switch f.Value.Type() {
	case "bool":
		return cli.InWords([]string{"true", "false"})
	case "int":
		return cli.Message("a whole number")
	case "duration":
		return cli.Message(`a duration with a unit, such as "30s" or "720h"`)
	}
	return cli.Message("a %s", f.Value.Type())
}
