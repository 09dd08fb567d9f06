package demomodel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

// Bounds of what an answer repeats of one result.
const (
	maxLines      = 60
	maxLineLength = 300 // characters
)

// answer tells what came back, in the order in which it was asked for. A request that was mended is told of once, by its last
// result.
func (p *Planner) answer(c conversation, say phrases) string {
	var paragraphs []string
	if len(c.definitions) == 0 {
		paragraphs = append(paragraphs, say.noMore)
	}
	for i := range c.rounds {
		r := &c.rounds[i]
		for j, result := range r.results {
			if result.Status == protocol.StatusError && mendedLater(c.rounds[i+1:], result.ToolName) {
				continue
			}
			request, _ := r.request(j)
			result.Result = p.withoutRequests(result.Result, say)
			text := tell(request, result, say)
			if !p.harmless(strings.Join(append(paragraphs, text), "\n\n")) {
				text = say.withheld
			}
			paragraphs = append(paragraphs, text)
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

func mendedLater(rounds []round, toolName string) bool {
	return slices.ContainsFunc(rounds, func(r round) bool {
		return slices.ContainsFunc(r.results, func(x protocol.ToolResult) bool { return x.ToolName == toolName })
	})
}

// tell puts one result into words.
func tell(request protocol.ToolRequest, result protocol.ToolResult, say phrases) string {
	call := describe(request)
	if result.Status == protocol.StatusError {
		why := shorten(oneLine(result.Result))
		if hint := shorten(oneLine(result.Suggestion)); hint != "" && !strings.Contains(why, hint) {
			why = strings.TrimRight(why, ".。") + " (" + hint + ")"
		}
		return sentence(fmt.Sprintf(say.failed, call, why))
	}
	lines, items := render(result.Result)
	switch {
	case len(lines) == 0:
		return fmt.Sprintf(say.nothing, call)
	case len(lines) == 1 && !items:
		if repeats(request, lines[0]) {
			return sentence(lines[0])
		}
		return fmt.Sprintf(say.gives, call) + lines[0]
	}
	left := 0
	if len(lines) > maxLines {
		left = len(lines) - maxLines
		lines = lines[:maxLines]
	}
	prefix := "> "
	if items {
		prefix = "- "
	}
	out := []string{fmt.Sprintf(say.says, call), ""}
	for _, line := range lines {
		out = append(out, strings.TrimRight(prefix+line, " "))
	}
	if left > 0 {
		out = append(out, "", fmt.Sprintf(say.left, left))
	}
	return strings.Join(out, "\n")
}

// textOf returns the text of an argument, whatever its form.
func textOf(a protocol.Argument) string {
	if a.Form == protocol.FormJSON {
		return jsonText(json.RawMessage(a.Value))
	}
	return a.Value
}

// describe names a call by its method and its arguments.
func describe(r protocol.ToolRequest) string {
	var args []string
	for _, a := range r.Arguments {
		value := shorten(oneLine(textOf(a)))
		if !strings.Contains(value, "`") {
			value = "`" + value + "`" // a star or an underscore in it is no emphasis
		}
		args = append(args, a.Name+": "+value)
	}
	name := "`" + r.ToolName + "`"
	if len(args) == 0 {
		return name
	}
	return name + " (" + strings.Join(args, ", ") + ")"
}

// repeats reports whether a result is a sentence of its own: it takes up the only value that it was asked about.
func repeats(r protocol.ToolRequest, line string) bool {
	if len(r.Arguments) != 1 {
		return false
	}
	v := oneLine(textOf(r.Arguments[0]))
	return len(v) > 1 && len(line) > len(v) && strings.HasPrefix(line, v)
}

func sentence(s string) string {
	for _, end := range []string{".", "。", "!", "！", "?", "？", "…"} {
		if strings.HasSuffix(s, end) {
			return s
		}
	}
	return s + "."
}

// render turns a result into lines. items is set where each line is an element of a list: of JSON, or one name a line.
func render(text string) (lines []string, items bool) {
	text = strings.Trim(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if strings.TrimSpace(text) == "" {
		return nil, false
	}
	if lines, items, ok := renderJSON(text); ok {
		return lines, items
	}
	items = true
	for _, line := range strings.Split(text, "\n") {
		line = shorten(strings.TrimRight(line, " \t\r"))
		// A list of names has one short word a line; anything else is quoted as it is.
		if line == "" || strings.ContainsAny(line, " \t`<>「」") {
			items = false
		}
		lines = append(lines, line)
	}
	return lines, items && len(lines) > 1
}

// renderJSON reads a JSON object or list; any other text is none.
func renderJSON(text string) (lines []string, items, ok bool) {
	var object map[string]json.RawMessage
	var list []json.RawMessage
	switch {
	case json.Unmarshal([]byte(text), &list) == nil:
		for _, element := range list {
			lines = append(lines, shorten(flat(element)))
		}
		return lines, true, true
	case json.Unmarshal([]byte(text), &object) == nil && object != nil:
		names := order([]byte(text))
		if len(names) == 1 {
			inner := object[names[0]]
			if lines, items, ok := renderJSON(string(inner)); ok {
				return lines, items, true
			}
			return []string{shorten(flat(inner))}, false, true
		}
		for _, name := range names {
			lines = append(lines, shorten(name+": "+flat(object[name])))
		}
		return lines, true, true
	}
	return nil, false, false
}

// flat writes a JSON value on one line: text as it is, an object as "name: value, …".
func flat(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return oneLine(text)
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) == nil && object != nil {
		var parts []string
		for _, name := range order(raw) {
			parts = append(parts, name+": "+flat(object[name]))
		}
		return strings.Join(parts, ", ")
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return oneLine(string(raw))
	}
	return b.String()
}

// order returns the names of a JSON object in the order written.
func order(raw []byte) []string {
	d := json.NewDecoder(bytes.NewReader(raw))
	var names []string
	if _, err := d.Token(); err != nil {
		return nil
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			break
		}
		if s, ok := name.(string); ok && !slices.Contains(names, s) {
			names = append(names, s)
		}
		var skipped json.RawMessage
		if d.Decode(&skipped) != nil {
			break
		}
	}
	return names
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func shorten(s string) string {
	if r := []rune(s); len(r) > maxLineLength {
		return string(r[:maxLineLength]) + "…"
	}
	return s
}
