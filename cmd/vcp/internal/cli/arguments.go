package cli

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/vcpgo/vcp/internal/text"
)

// AtMostOne allows at most one argument. name is its name in the usage line.
func AtMostOne(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > 1 {
			return Usagef("one %s is allowed, and a second was given: %s", name, strconv.Quote(args[1]))
		}
		return nil
	}
}

// ExactlyOne requires exactly one argument. name is its name in the usage line.
func ExactlyOne(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return Usagef("%s is missing", name)
		}
		return AtMostOne(name)(cmd, args)
	}
}

// AtLeastOne requires one or more arguments. name is their name in the usage line.
func AtLeastOne(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return Usagef("%s is missing", name)
		}
		return nil
	}
}

// NoArguments allows no arguments.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if near := text.Nearest(args[0], CommandNames(cmd)); len(near) > 0 {
		return Usagef("there is no command %q; did you mean %s %s?", args[0], cmd.CommandPath(), near[0])
	}
	return Usagef("no arguments are allowed, and one was given: %s", strconv.Quote(args[0]))
}

// StrayValue returns an error if a flag with an optional value was given without a value, and an
// argument is one of the values of the flag. For example, "--stats json" is read as --stats without
// a value, and the message "json".
func StrayValue(cmd *cobra.Command, args []string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.NoOptDefVal == "" || f.Value.String() != f.NoOptDefVal {
			return
		}
		// The type of a choice lists its values, such as "none|table|json". A type without "|"
		// lists nothing.
		values := strings.Split(f.Value.Type(), "|")
		for _, value := range values {
			if len(values) > 1 && slices.Contains(args, value) {
				err = Usagef("%q is not joined to --%s; write --%s=%s", value, f.Name, f.Name, value)
			}
		}
	})
	return err
}

// CommandNames returns the names of the commands below cmd, without hidden ones.
func CommandNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}
