package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
	"github.com/vcpgo/vcp/cmd/vcp/internal/workspace"
)

func newPrompt(std cli.Streams) *cobra.Command {
	var (
		flags    configuration.Flags
		language string
	)
	cmd := &cobra.Command{
		Use:   "prompt",
		Short: "Print the instructions and definitions that a model gets",
		Long: `prompt prints the usage instructions and the tool definitions, as they are in the system message of a chat. Paste
them into any chat window, give the model's replies to vcp parse, and run the requests with vcp call.

With --tools it prints definitions of your own: a JSON file in the form of OpenAI, Anthropic, MCP or the benchmark BFCL, or the output
of vcp tools --json. Run such tools yourself, and give their results to vcp results.`,
		Example: `  vcp prompt
  vcp prompt --tool-toggles files=false --language zh
  vcp prompt --tools tools.json --protocol hermes`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			space, err := workspace.Open(cmd.Context(), &flags, std)
			if err != nil {
				return err
			}
			defer space.Close()
			if len(flags.Definitions) > 0 {
				// With a limit, the prompt would list the engine's method for the rest of a long
				// result. The person who runs the tools cannot run that method.
				space.Config.ResultTokens = 0
			}
			// With limits, the prompt could omit methods, and list the engine's method that
			// searches for them.
			space.Config.PromptMethods, space.Config.PromptTokens = 0, 0
			profile := &engine.Profile{Prompt: protocol.PromptOptions{Language: language}}
			e, err := space.Engine(std, engine.Options{Profile: profile})
			if err != nil {
				return err
			}
			text := chat.NewTools(e, "prompt", engine.Visibility{}).Prompt()
			if text == "" {
				why := workspace.NoMethods(space.Config)
				if len(space.Registry.Entries()) == 0 {
					why = errors.New("--tools defines no tool")
				}
				fmt.Fprintf(std.Err, "vcp prompt: nothing to print: %s\n", why)
				return nil
			}
			return cli.Write(std.Out, text)
		},
	}
	configuration.AddLanguage(cmd.Flags(), &language, "the language of the instructions for tools")
	flags.AddForPrompt(cmd.Flags())
	return cmd
}
