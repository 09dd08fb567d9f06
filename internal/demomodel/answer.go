package demomodel

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

// Limits of what an answer repeats of one result.
const (
	maxLines      = 60
	maxLineLength = 300 // characters
)

// answer tells the results, in the order of their requests. Of a failure that was tried again only
// the last result is told.
func answer(c conversation, say phrases) string {
	var paragraphs []string
	if len(c.definitions) == 0 {
		paragraphs = append(paragraphs, say.noMore)
	}
	for i, r := range c.iterations {
		for j, result := range r.results {
			retried := slices.ContainsFunc(c.iterations[i+1:], func(later iteration) bool {
				return slices.ContainsFunc(later.results, func(x protocol.ToolResult) bool { return x.ToolName == result.ToolName })
			})
			if result.Status != protocol.StatusError || !retried {
				paragraphs = append(paragraphs, tell(r.request(j), result, say))
			}
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// tell puts one result into words.
func tell(request protocol.ToolRequest, result protocol.ToolResult, say phrases) string {
	call := describe(request)
	if result.Status == protocol.StatusError {
		why := shorten(oneLine(result.Result), maxLineLength)
		if hint := shorten(oneLine(result.Suggestion), maxLineLength); hint != "" && !strings.Contains(why, hint) {
			why = strings.TrimRight(why, ".。") + " (" + hint + ")"
		}
		return sentence(fmt.Sprintf(say.failed, call, why))
	}
	lines, items := render(result.Result)
	switch {
	case len(lines) == 0:
		return fmt.Sprintf(say.nothing, call)
	case len(lines) == 1 && !items && len(request.Arguments) == 1 && strings.HasPrefix(lines[0], oneLine(textOf(request.Arguments[0]))+" "):
		return sentence(lines[0]) // it says itself what it was asked
	case len(lines) == 1 && !items:
		return fmt.Sprintf(say.gives, call) + " " + lines[0]
	}
	prefix := "> "
	if items {
		prefix = "- "
	}
	out := []string{fmt.Sprintf(say.gives, call), ""}
	for _, line := range lines[:min(maxLines, len(lines))] {
		out = append(out, strings.TrimRight(prefix+line, " "))
	}
	if left := len(lines) - maxLines; left > 0 {
		out = append(out, "", fmt.Sprintf(say.left, left))
	}
	return strings.Join(out, "\n")
}

// describe names a call by its method and its arguments.
func describe(r protocol.ToolRequest) string {
	var args []string
	for _, a := range r.Arguments {
		value := shorten(oneLine(textOf(a)), maxLineLength)
		if !strings.Contains(value, "`") {
			value = "`" + value + "`" // a star or an underscore in it is no emphasis
		}
		args = append(args, a.Name+": "+value)
	}
	if len(args) == 0 {
		return "`" + r.ToolName + "`"
	}
	return "`" + r.ToolName + "` (" + strings.Join(args, ", ") + ")"
}

// textOf returns the text of an argument, whatever its form.
func textOf(a protocol.Argument) string {
	if a.Form == protocol.FormJSON {
		return jsonText(json.RawMessage(a.Value))
	}
	return a.Value
}

// render returns the lines of a result. They are items if each is one name.
func render(text string) (lines []string, items bool) {
	text = strings.Trim(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if strings.TrimSpace(text) == "" {
		return nil, false
	}
	items = true
	for line := range strings.SplitSeq(text, "\n") {
		line = shorten(strings.TrimRight(line, " \t\r"), maxLineLength)
		items = items && line != "" && !strings.ContainsAny(line, " \t`<>「」")
		lines = append(lines, line)
	}
	return lines, items && len(lines) > 1
}

func sentence(s string) string {
	if strings.TrimRight(s, ".。!！?？…") != s {
		return s
	}
	return s + "."
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// shorten limits a text to so many characters.
func shorten(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
