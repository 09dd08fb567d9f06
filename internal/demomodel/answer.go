package demomodel

import (
	"cmp"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

// A sayer writes a sentence in the language of the question.
type sayer func(format string, values ...any) string

// introduce says what the planner is, then text, and then how to use a real model.
func (say sayer) introduce(text string) string {
	return say("I am vcp-demo-planner, a small rule-based planner, not a language model. ") + text +
		say("For other answers, point vcp at a real model: `vcp chat --base-url http://127.0.0.1:11434/v1 --model NAME`.")
}

// answer returns the results in words, in their order, except failures that were tried again.
func answer(c conversation, say sayer) string {
	var paragraphs []string
	if len(c.definitions) == 0 {
		paragraphs = append(paragraphs, say("No tools are available any more in this turn, so this answer rests on the results so far."))
	}
	for i, r := range c.iterations {
		for j, result := range r.results {
			retried := slices.ContainsFunc(c.iterations[i+1:], func(next iteration) bool {
				return slices.ContainsFunc(next.results, func(later protocol.ToolResult) bool { return later.ToolName == result.ToolName })
			})
			if result.Status != protocol.StatusError || !retried {
				paragraphs = append(paragraphs, tell(r.requests[j], result, say))
			}
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// tell puts one result into words.
func tell(request protocol.ToolRequest, result protocol.ToolResult, say sayer) string {
	var args []string
	for _, a := range request.Arguments {
		value := text.TruncateRunes(text.OneLine(a.Value), maxLineLength)
		if !strings.Contains(value, "`") {
			value = "`" + value + "`" // so that a star or an underscore is not emphasis
		}
		args = append(args, a.Name+": "+value)
	}
	call := "`" + request.ToolName + "`"
	if len(args) > 0 {
		call += " (" + strings.Join(args, ", ") + ")"
	}
	body := strings.Trim(strings.ReplaceAll(result.Result, "\r\n", "\n"), "\n")
	lines := strings.Split(body, "\n")
	switch {
	case result.Status == protocol.StatusError:
		why := cmp.Or(body, result.Suggestion) // the suggestion is for the model, and says less to a person
		return say("%s did not work: %s", call, text.TruncateRunes(text.OneLine(why), maxLineLength))
	case strings.TrimSpace(body) == "":
		return say("%s returned no text.", call)
	case len(lines) == 1 && len(args) == 1 && strings.HasPrefix(body, request.Arguments[0].Value+" "):
		return strings.TrimRight(text.TruncateRunes(body, maxLineLength), ".") + "." // the result repeats the question
	case len(lines) == 1:
		return say("%s gives:", call) + " " + text.TruncateRunes(body, maxLineLength)
	}
	out, prefix := []string{say("%s gives:", call), ""}, "- " // for a list of names
	if strings.ContainsAny(body, " \t`<>「」") || strings.Contains(body, "\n\n") {
		prefix = "> " // for other text
	}
	for _, line := range lines[:min(maxLines, len(lines))] {
		out = append(out, strings.TrimRight(prefix+text.TruncateRunes(line, maxLineLength), " \t"))
	}
	if left := len(lines) - maxLines; left > 0 {
		out = append(out, "", say("… and %d more lines.", left))
	}
	return strings.Join(out, "\n")
}

// retries corrects a value in each failed request whose result quotes another spelling of the
// value, and returns the corrected requests.
func retries(r iteration) (requests []protocol.ToolRequest) {
	for i, result := range r.results {
		said, request := result.Suggestion+"\n"+result.Result, r.requests[i]
		hints := findValues(text.TruncateBytes(said, maxQuestion)).of(kindQuoted, kindPath, kindCode)
		for j, a := range request.Arguments {
			at := slices.IndexFunc(hints, func(h value) bool { // another spelling, or a path that ends in the value
				return h.text != a.Value && (strings.HasSuffix(h.text, "/"+a.Value) || len(text.Nearest(a.Value, []string{h.text})) > 0)
			})
			if result.Status != protocol.StatusError || at < 0 {
				continue
			}
			request.Arguments = slices.Clone(request.Arguments)
			request.Arguments[j] = protocol.Argument{Name: a.Name, Value: hints[at].text}
			if !hasRequest(r.requests, request) {
				requests = append(requests, request)
			}
			break
		}
	}
	return requests
}
