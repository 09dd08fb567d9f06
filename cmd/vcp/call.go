package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/tool"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
	"github.com/vcpgo/vcp/cmd/vcp/internal/conversation"
	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
	"github.com/vcpgo/vcp/cmd/vcp/internal/workspace"
)

// nothingToRead says why vcp call cannot call the engine's tool that reads the rest of long
// results.
var nothingToRead = cli.Message("reads the rest of a long result in a chat; here there is no chat")

func newCall(std cli.Streams) *cobra.Command {
	var flags configuration.Flags
	cmd := &cobra.Command{
		Use:   "call METHOD [NAME=VALUE|NAME=@FILE]...",
		Short: "Run one method as the engine would",
		Long: `call runs one method with the arguments given, as if a model had requested it: the method must be one that models may call,
and text is converted to the types of its parameters. NAME=@FILE takes the value from a file of at most 4 MiB; NAME=@@TEXT is the value
@TEXT. The result goes to standard output, whole unless --result-tokens is given. An error goes to standard error, and the exit status
is 1. A call that needs approval is confirmed on the terminal, as in vcp chat.`,
		Example: `  vcp call calculator_evaluate expression="17*23"
  vcp call files_list path=protocol glob="*.go"
  vcp call files_search --root docs query=@question.txt`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("name a method to call; vcp tools lists them")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			request, err := requestOf(args)
			if err != nil {
				return err
			}
			if request.ToolName == workspace.ResultsRead || request.ToolName == workspace.ResultsTool {
				return cli.Usagef("%s %v; the result of vcp call is whole, unless --result-tokens is given",
					workspace.ResultsRead, nothingToRead)
			}
			space, err := workspace.Open(cmd.Context(), &flags, std)
			if err != nil {
				return err
			}
			defer space.Close()
			if space.ResultTokens > 0 {
				// This process makes no other call, so the note in an excerpt must not
				// suggest one.
				if err := space.Set("toolToggles", workspace.ResultsRead+"=false"); err != nil {
					return err
				}
			}
			a := terminal.NewApprover(std, cli.Language())
			e, err := space.Engine(std, engine.Options{Approver: a.Approve})
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), cli.EndSignals()...)
			defer stop()
			err = runCall(ctx, e, space, request, std)
			if a.Missed != nil {
				nobody := workspace.Unattended{Why: a.Unavailable}
				return nobody.CannotAsk(a.Missed, space.Policy().Ruling(a.Missed), space.File)
			}
			return err
		},
	}
	flags.AddForCalls(cmd.Flags())
	return cmd
}

// requestOf returns the request that a model would write for the method and the arguments in args.
func requestOf(args []string) (protocol.ToolRequest, error) {
	request := protocol.ToolRequest{ToolName: args[0]}
	seen := map[string]bool{}
	for _, arg := range args[1:] {
		name, value, ok := strings.Cut(arg, "=")
		if !ok || name == "" {
			return request, cli.Usagef("the argument %q is not written NAME=VALUE", arg)
		}
		if seen[name] {
			return request, cli.Usagef("the argument %s is given twice", name)
		}
		seen[name] = true
		switch {
		case strings.HasPrefix(value, "@@"):
			value = value[1:]
		case strings.HasPrefix(value, "@"):
			text, err := argumentFile(value[1:])
			if err != nil {
				return request, cli.Message("the argument %s cannot be read from its file: %v", name, err)
			}
			value = text
		}
		if name == "command" { // names the method, if METHOD names only its tool
			request.Command = value
			continue
		}
		request.Arguments = append(request.Arguments, protocol.Argument{Name: name, Value: value})
	}
	return request, nil
}

// argumentFile returns the text of a file, which may be a pipe. A file of more than
// scan.MaxBlockBytes is an error, because a model cannot write a longer argument either.
func argumentFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := document.ReadAll(f, scan.MaxBlockBytes)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return string(text), nil
}

// runCall runs the call and prints its result.
func runCall(
	ctx context.Context, e *engine.Engine, space *workspace.Workspace, request protocol.ToolRequest, std cli.Streams,
) error {
	result := e.NewSession("call").Execute(ctx, []executor.Request{{ID: "1", ToolRequest: request}})[0]
	for _, f := range result.Files {
		saver := conversation.FileSaver{Dir: space.Own[configuration.SaveFiles], Language: cli.Language()}
		fmt.Fprintln(std.Err, "vcp call: "+saver.Report(f))
	}
	if result.Status != protocol.StatusError {
		if err := cli.Write(std.Out, result.ToolResult.Result); err != nil || !result.Excerpted {
			return err
		}
		fmt.Fprintf(std.Err, "vcp call: this is an excerpt of the result, since --result-tokens is %d; "+
			"a higher number gives more, and 0 gives all of it\n", e.Config().ResultTokens)
		return nil
	}
	_, err := space.Registry.Resolve(request.ToolName, request.Command, e.Visible)
	if unknown, ok := errors.AsType[*tool.NotFoundError](err); ok && result.ErrorType == unknown.Kind {
		return unknownMethod(unknown)
	}
	reason := sentence(result.ToolResult.Result) + " " + advice(&result, e.Config())
	return errors.New(strings.TrimSpace(result.ErrorType + ": " + reason))
}

// unknownMethod returns e with a text for a person. The text of e is for a model.
func unknownMethod(e *tool.NotFoundError) error {
	hint := ""
	if len(e.Nearest) > 0 {
		hint = "; did you mean " + cli.InWords(e.Nearest).String() + "?"
	}
	list := "vcp tools lists the methods"
	if len(e.All) > 0 {
		list = "methods: " + strings.Join(e.All, ", ")
	}
	return fmt.Errorf("%s: there is no method %q%s (%s)", e.Kind, e.Name, hint, list)
}

// advice says what a person can do about a failed call: usually what the model is told.
func advice(result *executor.Result, config engine.Config) string {
	switch result.ErrorType {
	case executor.ErrorToolDisabled:
		if !config.Enabled {
			return "Tool calling is switched off as a whole; --enabled switches it on."
		}
		if result.Method == workspace.ResultsRead {
			return "It " + nothingToRead.String() + "."
		}
		return "--tool-toggles " + result.Method + "=true switches it on."
	case executor.ErrorPermissionDenied:
		return "--approve, and approveRules in the configuration, say what may run."
	case executor.ErrorExecutionFailed: // the suggestion is only of use to a model
		return ""
	}
	return result.Suggestion
}

// sentence returns text with a full stop at its end, unless text ends a sentence already.
func sentence(text string) string {
	text = strings.TrimSpace(text)
	if last, _ := utf8.DecodeLastRuneInString(text); strings.ContainsRune(".?!。？！", last) {
		return text
	}
	return text + "."
}
