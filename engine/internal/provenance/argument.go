package provenance

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

// minValue is the length of the shortest value that is compared with foreign text, in folded bytes.
// Shorter values occur in any text.
const minValue = 4

// canonicalRequest returns a text that is the same for requests with the same name and arguments,
// in any order and spelling. It does not matter whether a method with that name exists.
func canonicalRequest(req *protocol.ToolRequest) string {
	arguments := make([]string, 0, len(req.Arguments))
	for _, a := range req.Arguments {
		arguments = append(arguments, canonicalName(a.Name)+"\x00"+string(fold(nil, argumentText(a))))
	}
	slices.Sort(arguments)
	return canonicalMethod(req) + "\x00" + strings.Join(arguments, "\x00")
}

// canonicalMethod returns a text that is the same for requests with the same name in any spelling.
// The command counts as part of the name: t with the command echo is the same as t_echo.
func canonicalMethod(req *protocol.ToolRequest) string {
	return "\x00" + canonicalName(req.ToolName) + canonicalName(req.Command)
}

// canonicalName returns a text that is the same for all spellings that the executor accepts for one
// name.
func canonicalName(name string) string { return text.FoldName(string(fold(nil, name))) }

// canonicalArgument returns a text that is the same for arguments with the same name and value in
// requests with the same name. ok is false for a value that many requests have: true, false, null,
// and any value shorter than minValue. The first byte distinguishes the text from that of a
// request.
func canonicalArgument(req *protocol.ToolRequest, a *protocol.Argument) (canonical string, ok bool) {
	value := fold(nil, argumentText(*a))
	if len(value) < minValue || string(value) == "true" || string(value) == "false" || string(value) == "null" {
		return "", false
	}
	return "\x01" + canonicalMethod(req) + "\x00" + canonicalName(a.Name) + "\x00" + string(value), true
}

// argumentTexts returns the text of an argument, and the string values in it if it is a list or an
// object.
func argumentTexts(a protocol.Argument) []string {
	text := argumentText(a)
	if start := strings.TrimLeft(text, " \t\r\n"); start != "" && (start[0] == '[' || start[0] == '{') {
		return append(leaves(json.RawMessage(text)), text)
	}
	return []string{text}
}

// argumentText returns the value of an argument. A JSON string is decoded.
func argumentText(a protocol.Argument) string {
	if a.Form == protocol.FormJSON {
		return orderedjson.PlainText(json.RawMessage(a.Value))
	}
	return a.Value
}

// leaves returns the string values in a JSON value, sorted. The names of members do not count.
func leaves(value json.RawMessage) (list []string) {
	var v any
	if json.Unmarshal(value, &v) != nil {
		return nil
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			list = append(list, v)
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(v)
	slices.Sort(list)
	return list
}
