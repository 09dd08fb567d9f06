package protocoltest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// Each of these protocols is the correct one with a single defect, which breaks a rule. No defect
// of a protocol breaks the rule "every byte is accounted for once": the parser keeps it.

type correct = vcp.Protocol

// loud has an ID in capitals.
type loud struct{ correct }

func (loud) ID() string { return "VCP" }

// silent has no messages for errors.
type silent struct{ correct }

func (silent) ErrorMessage(scan.ErrorCode, protocol.PromptOptions) string { return "" }

// trimming writes values without the white space around them.
type trimming struct{ correct }

func (trimming) FormatToolRequests(requests []protocol.ToolRequest) (string, error) {
	requests = slices.Clone(requests)
	for i := range requests {
		requests[i].Arguments = slices.Clone(requests[i].Arguments)
		for k := range requests[i].Arguments {
			requests[i].Arguments[k].Value = strings.TrimSpace(requests[i].Arguments[k].Value)
		}
	}
	return correct{}.FormatToolRequests(requests)
}

// raw writes results without neutralizing them.
type raw struct{ correct }

func (raw) FormatToolResults(results []protocol.ToolResult) string {
	var b strings.Builder
	for _, r := range results {
		b.WriteString("Result of " + r.ToolName + ":\n" + r.Result + "\n")
	}
	return b.String()
}

// forgetful reads results without their suggestions.
type forgetful struct{ correct }

func (forgetful) ParseToolResults(text string) ([]protocol.ToolResult, error) {
	results, err := correct{}.ParseToolResults(text)
	for i := range results {
		results[i].Suggestion = ""
	}
	return results, err
}

// terse defines only the first parameter.
type terse struct{ correct }

func (terse) GenerateToolDefinitions(definitions []protocol.ToolDefinition, o protocol.PromptOptions) string {
	definitions = slices.Clone(definitions)
	for i := range definitions {
		definitions[i].Parameters = definitions[i].Parameters[:min(1, len(definitions[i].Parameters))]
	}
	return correct{}.GenerateToolDefinitions(definitions, o)
}

// restless numbers its prompts.
type restless struct {
	correct
	n *int
}

func (r restless) GenerateToolDefinitions(definitions []protocol.ToolDefinition, o protocol.PromptOptions) string {
	if len(definitions) == 0 {
		return ""
	}
	*r.n++
	return fmt.Sprintf("Prompt %d\n%s", *r.n, correct{}.GenerateToolDefinitions(definitions, o))
}

// bold writes a request with a line before it that ends fenced code.
type bold struct{ correct }

func (bold) FormatToolRequests(requests []protocol.ToolRequest) (string, error) {
	text, err := correct{}.FormatToolRequests(requests)
	return strings.Repeat("~", 40) + "\n" + text, err
}

// boundless writes any number of requests.
type boundless struct{ correct }

func (boundless) FormatToolRequests(requests []protocol.ToolRequest) (string, error) {
	var all []string
	for i := range requests {
		text, err := correct{}.FormatToolRequests(requests[i : i+1])
		if err != nil {
			return "", err
		}
		all = append(all, text)
	}
	return strings.Join(all, "\n"), nil
}

// curt returns an error that is not a *protocol.FormatError, so it does not name the argument.
type curt struct{ correct }

func (curt) FormatToolRequests(requests []protocol.ToolRequest) (string, error) {
	text, err := correct{}.FormatToolRequests(requests)
	if err != nil {
		return "", errors.New("no")
	}
	return text, nil
}

// trusting does not neutralize foreign text.
type trusting struct{ correct }

func (trusting) Neutralize(text string) string { return text }

// nested writes the text of a result as it is between the marks of a result.
type nested struct{ correct }

func (nested) FormatToolResults(results []protocol.ToolResult) string {
	var b strings.Builder
	for _, r := range results {
		b.WriteString("<<<[TOOL_RESULT]>>>\n" + r.Result + "\n<<<[END_TOOL_RESULT]>>>\n")
	}
	return b.String()
}

// generous ignores the limit of keys.
type generous struct{ correct }

func (g generous) NewScanner(o scan.Options) scan.Scanner {
	o.MaxKey = 0
	return g.correct.NewScanner(o)
}

// gullible neutralizes requests, but not results.
type gullible struct{ correct }

func (gullible) Neutralize(text string) string {
	return strings.ReplaceAll(correct{}.Neutralize(text), "<<<[TOOL_RESULT_ESCAPE]>>>", "<<<[TOOL_RESULT]>>>")
}

// verbose writes descriptions without neutralizing them.
type verbose struct{ correct }

func (verbose) GenerateToolDefinitions(definitions []protocol.ToolDefinition, o protocol.PromptOptions) string {
	text := correct{}.GenerateToolDefinitions(definitions, o)
	for _, d := range definitions {
		text += "\n" + d.ToolName + ": " + d.Description + "\n"
	}
	return text
}

// blunt has five stop sequences.
type blunt struct{ correct }

func (blunt) StopSequences() []string { return []string{"a", "b", "c", "d", "e"} }
