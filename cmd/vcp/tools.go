package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
)

func newPrompt(std streams) *cobra.Command {
	var (
		flags    configFlags
		language string
	)
	cmd := &cobra.Command{
		Use:   "prompt",
		Short: "Print the instructions and definitions that a model gets",
		Long: `prompt prints the usage instructions and the tool definitions, as they stand in the system message of a chat. Paste it
into any chat window, give the model's replies to vcp parse, and run what it asks for with vcp call.

With --tools it prints definitions of your own: a JSON file in the form of OpenAI, Anthropic, MCP or BFCL, or the output of
vcp tools --json. Run such tools yourself, and give their results to vcp results.`,
		Example: `  vcp prompt
  vcp prompt --tool-toggles files=false --language zh
  vcp prompt --tools tools.json --protocol hermes`,
		Args: none,
		RunE: func(cmd *cobra.Command, _ []string) error {
			space, err := flags.open(cmd.Context(), std)
			if err != nil {
				return err
			}
			defer space.close()
			if len(flags.definitionFiles()) > 0 {
				space.Config.ResultTokens = 0 // nobody here could read on in a result
			}
			space.Config.PromptMethods, space.Config.PromptTokens = 0, 0 // nor search for a method
			e, err := space.engine(std, engine.Options{Profile: &engine.Profile{Prompt: protocol.PromptOptions{Language: language}}})
			if err != nil {
				return err
			}
			text := chat.NewTools(e, "prompt", engine.Visibility{}).Prompt()
			if text == "" {
				why := noMethods(space.Config)
				if len(space.registry.Entries()) == 0 {
					why = "--tools defines no tool"
				}
				fmt.Fprintf(std.err, "vcp prompt: nothing to print: %s\n", why)
				return nil
			}
			return write(std.out, text)
		},
	}
	cmd.Flags().SortFlags = false
	addLanguage(cmd.Flags(), &language)
	flags.definitions = true
	flags.add(cmd.Flags(), promptFields...)
	cmd.Flags().Lookup("tools").Usage = "add the tools of a `FILE`, in which each method runs a program, " +
		"or print the definitions of a JSON FILE, or - for standard input, in place of all tools; may be repeated"
	return cmd
}

func newTools(std streams) *cobra.Command {
	var (
		flags  configFlags
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "List the methods that a model may call",
		Long: `tools lists the methods that a model may call, with their arguments, their risk (read, write or dangerous) and what happens to
a call: it runs, asks for approval, or is denied, and the rule or setting that decides so. Methods that are switched off come last, with
what switches them off, and then what the sources offer and cannot run, with the reason.

With --json it prints one JSON list. It has an object for each method, with the fields fullName (also as toolName), tool, method, source,
title, aliases, tags, description, risk, enabled (whether models see it), decision (allow, ask or deny), why (what decides so), reason (why
it cannot run, if it cannot), parameters, a JSON Schema, and examples, the arguments of requests. It has another object for each plug-in,
server or file that does not work as it should, with the fields source, tool, health (starting, degraded, down or off) and reason.`,
		Example: `  vcp tools
  vcp tools --config vcp.yaml
  vcp tools --approve write
  vcp tools --json --tool-toggles files=false`,
		Args: none,
		RunE: func(cmd *cobra.Command, _ []string) error {
			space, err := flags.open(cmd.Context(), std)
			if err != nil {
				return err
			}
			defer space.close()
			e, err := space.engine(std, engine.Options{})
			if err != nil {
				return err
			}
			list := space.toolList(e)
			if asJSON {
				return writeJSON(std.out, list.objects())
			}
			text := list.describe()
			if text == "" {
				fmt.Fprintf(std.err, "vcp tools: nothing to list: %s\n", noMethods(space.Config))
				return nil
			}
			return write(std.out, text)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON list")
	flags.add(cmd.Flags(), listFields...)
	cmd.AddCommand(newToolsCheck(std), newToolsNew(std))
	return cmd
}
