package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/vcpgo/vcp/internal/text"
)

// atMostOne allows one argument, which the usage line calls name.
func atMostOne(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usagef("one %s is allowed, and a second was given: %s", name, strconv.Quote(args[1]))
		}
		return nil
	}
}

func exactlyOne(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usagef("%s is missing", name)
		}
		return atMostOne(name)(cmd, args)
	}
}

func atLeastOne(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usagef("%s is missing", name)
		}
		return nil
	}
}

// none allows no arguments.
func none(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		var names []string
		for _, sub := range cmd.Commands() {
			names = append(names, sub.Name())
		}
		if near := text.Nearest(args[0], names); len(near) > 0 {
			return usagef("there is no command %q; did you mean %s %s?", args[0], cmd.CommandPath(), near[0])
		}
		return usagef("no arguments are allowed, and one was given: %s", strconv.Quote(args[0]))
	}
	return nil
}

// strayValue returns an error if an argument is a value of a flag whose value is optional: "--stats
// json" reads as --stats and a message.
func strayValue(cmd *cobra.Command, args []string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.NoOptDefVal == "" || f.Value.String() != f.NoOptDefVal {
			return
		}
		values := strings.Split(f.Value.Type(), "|")
		for _, value := range values {
			if len(values) > 1 && slices.Contains(args, value) {
				err = usagef("%q is not joined to --%s; write --%s=%s", value, f.Name, f.Name, value)
			}
		}
	})
	return err
}

func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}
