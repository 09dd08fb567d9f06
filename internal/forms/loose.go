package forms

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

// MaxLooseBytes limits the length of a text that Loose reads, in bytes.
const MaxLooseBytes = 4 << 10

// Loose returns the requests in a text that seems to consist of requests, in any form that models
// write. It returns none if the text has more than MaxLooseBytes, or if it contains ESCAPE, as
// escaped marks do. The requests may be shown to the model, so that it writes them again in the
// correct form. They must never run.
func Loose(text string) []protocol.ToolRequest {
	if len(text) > MaxLooseBytes || strings.Contains(strings.ToUpper(text), "ESCAPE") {
		return nil
	}
	// A brace after a colon belongs to the value in a line "name: value".
	if at := strings.IndexByte(text, '{'); at >= 0 && !strings.ContainsAny(withoutMarkLine(text[:at]), ":：") {
		list := looseJSON(text[at:])
		if name := nameInTag.FindStringSubmatch(text[:at]); name != nil && len(list) == 1 && list[0].ToolName == "" {
			list[0].ToolName = name[1]
		}
		return list
	}
	if pairs := linePairs(text); pairs != nil {
		return loosePairs(pairs)
	}
	if list := loosePairs(pairInMarks.FindAllStringSubmatch(text, -1)); list != nil {
		return list
	}
	if list := loosePairs(pairInTags.FindAllStringSubmatch(text, -1)); list != nil {
		if name := nameInTag.FindStringSubmatch(text); name != nil {
			list[0].ToolName = name[1]
		}
		return list
	}
	return nil
}

// LooseBlock returns the requests that a block may contain; Blocks yields such blocks. It tries
// each form that Loose reads, and ignores parts that are unclear. The requests are guesses: they
// may only be compared with requests of a model, to find out whether the model copied them from the
// block.
func LooseBlock(block string) (list []protocol.ToolRequest) {
	name := nameInTag.FindStringSubmatch(block)
	add := func(reqs []protocol.ToolRequest) {
		for _, req := range reqs {
			if req.ToolName == "" && name != nil {
				req.ToolName = name[1]
			}
			if req.ToolName != "" {
				list = append(list, req)
			}
		}
	}
	if at := strings.IndexByte(block, '{'); at >= 0 {
		add(looseJSON(block[at:]))
	}
	if block[0] != '{' {
		add(loosePairs(linePairs(block)))
		add(loosePairs(pairInMarks.FindAllStringSubmatch(block, -1)))
		add(loosePairs(pairInTags.FindAllStringSubmatch(block, -1)))
	}
	return list
}

// withoutMarkLine returns a text without its first line if that line begins with a mark. The line
// of a mark may contain anything.
func withoutMarkLine(text string) string {
	if strings.HasPrefix(text, "<") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}

var (
	pairInMarks = regexp.MustCompile(`(?s)([\pL\pN_.-]+)\s*[:：]\s*「始」([^「」]*)「末」`)
	pairInTags  = regexp.MustCompile(`(?s)<parameter(?:=| name=")([\pL\pN_.-]+)"?>\n?(.*?)\n?</parameter>`)
	nameInTag   = regexp.MustCompile(`<(?:function=|invoke name=")([\pL\pN_./:-]+)"?>`)
	pairInLine  = regexp.MustCompile(`^([\pL\pN_.-]+)\s*[:：=]\s*(.*?)[,，]?$`)

	// damagedMarks matches a value between two marks of which at least one is damaged or
	// translated, as in 「始」Rome」 and [start]Rome[end].
	damagedMarks = regexp.MustCompile(`(?i)^(?:「始」?|【始】|\[(?:start|始)\]|「start」|<start>)` +
		`([^「」【】\[\]<>]+)(?:「?末」|「末|」|【末】|\[(?:end|末)\]|「end」|</?end>)$`)
)

// linePairs returns the pairs of the lines "name: value", as linePair does. It ignores blank lines
// and lines that begin with a mark. It returns nil if there is any other line.
func linePairs(text string) (pairs [][]string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if isMarkLine(line) {
			continue
		}
		pair := linePair(line)
		if pair == nil {
			return nil
		}
		pairs = append(pairs, pair)
	}
	return pairs
}

// isMarkLine reports whether a line without its indentation is blank or begins with a mark.
func isMarkLine(line string) bool { return line == "" || line[0] == '<' || line[0] == '`' }

// linePair returns a line "name: value" as three strings: the whole match, the name and the value.
// It returns nil for any other line.
func linePair(line string) []string {
	pair := pairInLine.FindStringSubmatch(line)
	if pair == nil {
		return nil
	}
	if strings.HasPrefix(pair[2], "「始」") && strings.HasSuffix(pair[2], "「末」") {
		pair[2] = strings.TrimSuffix(strings.TrimPrefix(pair[2], "「始」"), "「末」")
	}
	if damaged := damagedMarks.FindStringSubmatch(pair[2]); damaged != nil {
		pair[2] = damaged[1]
	}
	if pair[2] = unquoted(pair[2]); strings.HasPrefix(pair[2], "「") {
		return nil
	}
	if text, ok := jsonString([]byte(pair[2])); ok {
		pair[2] = text
	}
	return pair
}

// isNameKey reports whether the value of a member with that name is the name of a tool.
func isNameKey(name string) bool { return name == "tool_name" || name == "name" || name == "tool" }

// loosePairs returns the request that consists of pairs, up to the next tool_name. The first pair
// may name the tool. loosePairs returns none if there are no pairs, or an argument occurs twice.
func loosePairs(pairs [][]string) []protocol.ToolRequest {
	if len(pairs) == 0 {
		return nil
	}
	var req protocol.ToolRequest
	for i, pair := range pairs {
		switch name, value := pair[1], pair[2]; {
		case i == 0 && isNameKey(name):
			req.ToolName = value
		case name == "tool_name":
			return []protocol.ToolRequest{req} // another request begins
		case slices.ContainsFunc(req.Arguments, func(a protocol.Argument) bool { return a.Name == name }):
			return nil
		default:
			req.Arguments = append(req.Arguments, protocol.Argument{Name: name, Value: value})
		}
	}
	return []protocol.ToolRequest{req}
}

// looseJSON returns the requests in the JSON objects at the start of text.
func looseJSON(text string) (list []protocol.ToolRequest) {
	text = closedJSON(withASCIIPunctuation(text))
	decoder := json.NewDecoder(strings.NewReader(text))
	for {
		var object map[string]json.RawMessage
		if decoder.Decode(&object) != nil {
			return list
		}
		if inner, ok := object["function"]; ok {
			var call map[string]json.RawMessage
			if json.Unmarshal(inner, &call) == nil {
				object = call
			}
		}
		var req protocol.ToolRequest
		nameKeys := []string{"name", "tool_name", "tool", "function"}
		if _, isAction := object["action_input"]; isAction {
			nameKeys = []string{"action"}
		}
		for _, key := range nameKeys {
			if json.Unmarshal(object[key], &req.ToolName) == nil && req.ToolName != "" {
				delete(object, key)
				break
			}
		}
		for _, key := range [...]string{"arguments", "parameters", "args", "input", "action_input"} {
			var arguments map[string]json.RawMessage
			if text, ok := jsonString(object[key]); ok { // the object as a JSON string, as APIs write it
				object[key] = json.RawMessage(text)
			}
			if json.Unmarshal(object[key], &arguments) == nil && arguments != nil {
				object = arguments
				break
			}
		}
		req.Arguments = argumentsOf(object)
		list = append(list, req)
	}
}

// closedJSON removes the last line that begins with <, and the text after it. If the JSON object
// lacks one or two closing braces, closedJSON appends them. It returns text itself if the result is
// not valid.
func closedJSON(text string) string {
	object := text
	if at := strings.LastIndex(object, "\n<"); at >= 0 {
		object = object[:at]
	}
	for range 3 {
		if json.Valid([]byte(object)) {
			return object
		}
		object += "}"
	}
	return text
}
