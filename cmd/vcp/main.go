// Command vcp gives tool calling to models that write plain text. It contains a chat that runs
// tools, the parser for other programs, and the parts of the engine as single commands.
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/internal/message"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
)

func main() {
	// net/http writes unsolicited data of a server to the standard log unchanged. The data could
	// control the terminal.
	log.SetOutput(io.Discard)
	os.Exit(runCommand(os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}

// runCommand runs the command line and returns the exit status. An error is one line on standard
// error.
func runCommand(args []string, std cli.Streams) int {
	root := newRoot(std)
	help := firstError{out: std.Out}
	root.SetOut(&help)
	root.SetArgs(args)
	root.InitDefaultHelpCmd() // so that unknownCommand knows "vcp help"
	if err := unknownCommand(root, args); err != nil {
		return fail(std.Err, root, err)
	}
	cmd, err := root.ExecuteC()
	if err == nil && help.err != nil {
		err = &cli.OutputError{Err: help.err}
	}
	if err != nil {
		return fail(std.Err, cmd, err)
	}
	return cli.ExitOK
}

// firstError is the output of help texts. It keeps the first error, because cobra ignores errors.
type firstError struct {
	out io.Writer
	err error
}

// Write writes p, unless an earlier write has failed. It returns no error.
func (w *firstError) Write(p []byte) (int, error) {
	if w.err == nil {
		_, w.err = w.out.Write(p)
	}
	return len(p), nil
}

// fail writes an error in the language of the locale, unless the command has reported it. It
// returns the exit status.
func fail(stderr io.Writer, cmd *cobra.Command, err error) int {
	if _, reported := errors.AsType[cli.Reported](err); reported {
		return cli.ExitFailure
	}
	language, hint, status := cli.Language(), "", cli.ExitFailure
	if _, misused := errors.AsType[*cli.UsageError](err); misused {
		hint = cli.Message(" (see %s --help)", cmd.CommandPath()).In(language)
		status = cli.ExitUsage
	}
	text := packageName.ReplaceAllString(message.In(err, language), "")
	fmt.Fprintf(stderr, "%s: %s%s\n", cmd.CommandPath(), terminal.OneLine(text), hint)
	return status
}

// packageName is the name of the Go package with which an error of the library begins. It means
// nothing to a person at a terminal.
var packageName = regexp.MustCompile("^(builtin|chat|engine|executor|mcpserver|parser|schema|server|tool): ")
