package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor/policy"
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
into any chat window, give the model's replies to vcp parse, and run what it asks for with vcp call.

With --tools it prints definitions of your own: a JSON file in the form of OpenAI, Anthropic or MCP, or the output of
vcp tools --json. Run such tools yourself, and give their results to vcp results.`,
		Example: `  vcp prompt
  vcp prompt --tool-toggles files=false --language zh
  vcp prompt --tools tools.json --protocol hermes`,
		Args: none,
		RunE: func(*cobra.Command, []string) error {
			flags.stdin = std.in
			space, err := flags.open()
			if err != nil {
				return err
			}
			defer space.close()
			if flags.tools != "" {
				space.Config.ResultTokens = 0 // nobody here could read on in a result
			}
			space.Config.PromptMethods, space.Config.PromptTokens = 0, 0 // nor search for a method
			e, err := space.engine(std, engine.Options{Profile: &engine.Profile{Prompt: protocol.PromptOptions{Language: language}}})
			if err != nil {
				return err
			}
			text := chat.NewTools(e, "prompt", engine.Visibility{}).Prompt()
			if text == "" {
				fmt.Fprintf(std.err, "vcp prompt: nothing to print: %s\n", noMethods(space.Config))
				return nil
			}
			return write(std.out, text)
		},
	}
	cmd.Flags().SortFlags = false
	addLanguage(cmd.Flags(), &language)
	cmd.Flags().StringVar(&flags.tools, "tools", "", "print the tools that a JSON `FILE` defines, or - for standard input, in place of the built-in ones")
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
		Long: `tools lists the methods that a model may call, with their arguments, their risk (read, write or dangerous) and what happens to
a call: it runs, asks for approval, or is denied, and the rule or setting that decides so. Methods that are switched off come last, with
what switches them off. With --json it prints one JSON list of the methods that a model may call: objects with the fields toolName, title,
alias, description, risk, decision (allow, ask or deny), why, parameters, a JSON Schema, and examples, the arguments of requests.`,
		Example: `  vcp tools
  vcp tools --config vcp.yaml
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
			methods, rulings := chat.NewTools(e, "tools", engine.Visibility{}).Methods(), space.Config.Policy()
			if asJSON {
				return writeMethodsJSON(std.out, methods, rulings)
			}
			if len(methods) == 0 {
				fmt.Fprintf(std.err, "vcp tools: nothing to list: %s\n", noMethods(space.Config))
				return nil
			}
			return write(std.out, describeMethods(methods, rulings)+describeHidden(space.registry, e.NewSession("")))
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON list")
	flags.add(cmd.Flags(), toolFields...)
	return cmd
}

// decisions are the words of people for what happens to a call.
var decisions = map[policy.Decision]string{policy.Allow: "runs", policy.Ask: "asks for approval", policy.Deny: "is denied"}

// describeHidden names the methods that are switched off, and what does so.
func describeHidden(registry *tool.Registry, s *engine.Session) string {
	var b strings.Builder
	for _, m := range registry.Entries() {
		if why := s.WhyHidden(m); why != "" {
			fmt.Fprintf(&b, "\n%s\n  switched off by %s\n", m.FullName, visible(why))
		}
	}
	return b.String()
}

// describeMethods writes the methods for people, each with its description and its arguments.
func describeMethods(methods []*tool.Entry, p policy.Policy) string {
	var b strings.Builder
	for i, e := range methods {
		if i > 0 {
			b.WriteByte('\n')
		}
		r := p.Ruling(e)
		fmt.Fprintf(&b, "%s\n  %s\n  risk: %s; a call %s by %s\n", e.FullName, e.Method.Description, e.Risk(), decisions[r.Decision], visible(r.String()))
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

func writeMethodsJSON(out io.Writer, methods []*tool.Entry, p policy.Policy) error {
	type method struct {
		ToolName    string          `json:"toolName"`
		Title       string          `json:"title"`
		Alias       string          `json:"alias"`
		Description string          `json:"description"`
		Risk        tool.Risk       `json:"risk"`
		Decision    policy.Decision `json:"decision"`
		Why         string          `json:"why"`
		Parameters  json.RawMessage `json:"parameters"`

		Examples []map[string]any `json:"examples,omitempty"`
	}
	list := make([]method, len(methods))
	for i, e := range methods {
		r := p.Ruling(e)
		list[i] = method{
			e.FullName, e.Method.Title, e.Definition().Command, e.Method.Description, e.Risk(), r.Decision, r.String(), e.Method.Parameters.JSON(),
			e.Method.Examples,
		}
	}
	return writeJSON(out, list)
}
