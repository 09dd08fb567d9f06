package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
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
into any chat window, give the model's replies to vcp parse, and run what it asks for with vcp call.`,
		Example: `  vcp prompt
  vcp prompt --tool-toggles files=false --language zh`,
		Args: none,
		RunE: func(*cobra.Command, []string) error {
			space, err := flags.open()
			if err != nil {
				return err
			}
			defer space.close()
			e, err := space.engine(std, engine.Options{Prompt: protocol.PromptOptions{Language: language}})
			if err != nil {
				return err
			}
			text := chat.NewTools(e, "prompt").Prompt()
			if text == "" {
				fmt.Fprintf(std.err, "vcp prompt: nothing to print: %s\n", noMethods(space.Config))
				return nil
			}
			return write(std.out, text)
		},
	}
	cmd.Flags().SortFlags = false
	addLanguage(cmd.Flags(), &language)
	flags.add(cmd.Flags(), promptFields...)
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
		Long: `tools lists the methods that a model may call, with their arguments and their risk: read, write or dangerous. --approve goes by
the risk. With --json it prints one JSON list of objects with the fields toolName, title, alias,
description, risk and parameters, a JSON Schema.`,
		Example: `  vcp tools
  vcp tools --json --tool-toggles files=false`,
		Args: none,
		RunE: func(*cobra.Command, []string) error {
			space, err := flags.open()
			if err != nil {
				return err
			}
			defer space.close()
			e, err := space.engine(std, engine.Options{})
			if err != nil {
				return err
			}
			methods := chat.NewTools(e, "tools").Methods()
			if asJSON {
				return writeMethodsJSON(std.out, methods)
			}
			if len(methods) == 0 {
				fmt.Fprintf(std.err, "vcp tools: nothing to list: %s\n", noMethods(space.Config))
				return nil
			}
			return write(std.out, describeMethods(methods))
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON list")
	flags.add(cmd.Flags(), toolFields...)
	return cmd
}

// noMethods says why no method can be called.
func noMethods(c engine.Config) string {
	if !c.Enabled {
		return "tool calling is switched off (enabled is false)"
	}
	return "every method is switched off (toolToggles and defaultToolEnabled)"
}

// describeMethods writes the methods for people: each with what it does and with its arguments.
func describeMethods(methods []*tool.Entry) string {
	var b strings.Builder
	for i, e := range methods {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s\n  %s\n  risk: %s\n", e.FullName, e.Method.Description, e.Risk())
		for _, p := range e.Method.Parameters.Properties() {
			notes := []string{p.Type}
			switch {
			case p.Required:
				notes = append(notes, "required")
			case p.Default != nil:
				notes = append(notes, "default "+string(p.Default))
			}
			fmt.Fprintf(&b, "    %s (%s): %s\n", p.Name, strings.Join(notes, ", "), p.Description)
		}
	}
	return b.String()
}

func writeMethodsJSON(out io.Writer, methods []*tool.Entry) error {
	type method struct {
		ToolName    string          `json:"toolName"`
		Title       string          `json:"title"`
		Alias       string          `json:"alias"`
		Description string          `json:"description"`
		Risk        tool.Risk       `json:"risk"`
		Parameters  json.RawMessage `json:"parameters"`
	}
	list := make([]method, len(methods))
	for i, e := range methods {
		list[i] = method{e.FullName, e.Method.Title, e.Method.Alias, e.Method.Description, e.Risk(), e.Method.Parameters.JSON()}
	}
	return writeJSON(out, list)
}
