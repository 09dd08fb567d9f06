package forms

import (
	"encoding/json"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

// MaxLoose limits a text that is read loosely, in bytes.
const MaxLoose = 4 << 10

// Loose returns the requests that a text seems to ask for, in any form that models write. It
// returns none if any part of the text is unclear. The requests may be shown to the model, so that
// it writes them again in the right form. They must never run.
func Loose(text string) []protocol.ToolRequest {
	if len(text) > MaxLoose || strings.Contains(strings.ToUpper(text), "ESCAPE") {
		return nil
	}
	if at := strings.IndexByte(text, '{'); at >= 0 && !strings.ContainsAny(withoutMark(text[:at]), ":：") {
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

// withoutMark returns a text without the line of its first mark, which may contain anything.
func withoutMark(text string) string {
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
)

// linePairs returns the pairs of the lines "name: value". It ignores lines with marks. It returns
// nil if there is any other line.
func linePairs(text string) (pairs [][]string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '<' || line[0] == '`' {
			continue
		}
		pair := pairInLine.FindStringSubmatch(line)
		if pair == nil {
			return nil
		}
		if strings.HasPrefix(pair[2], "「始」") && strings.HasSuffix(pair[2], "「末」") {
			pair[2] = strings.TrimSuffix(strings.TrimPrefix(pair[2], "「始」"), "「末」")
		}
		if pair[2] = unquoted(pair[2]); strings.HasPrefix(pair[2], "「") {
			return nil
		}
		var inJSON string
		if json.Unmarshal([]byte(pair[2]), &inJSON) == nil {
			pair[2] = inJSON
		}
		pairs = append(pairs, pair)
	}
	return pairs
}

// isNameKey reports whether a member names the tool.
func isNameKey(name string) bool { return name == "tool_name" || name == "name" || name == "tool" }

// loosePairs makes a request of pairs, of which the first may name the tool.
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

// looseJSON reads the objects at the start of text, one after the other.
func looseJSON(text string) (list []protocol.ToolRequest) {
	text = closedJSON(withASCIIMarks(text))
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
		for _, key := range [...]string{"name", "tool_name", "tool", "function"} {
			if json.Unmarshal(object[key], &req.ToolName) == nil && req.ToolName != "" {
				delete(object, key)
				break
			}
		}
		for _, key := range [...]string{"arguments", "parameters", "args", "input"} {
			var arguments map[string]json.RawMessage
			var inText string // the object as a JSON string, as APIs write it
			if json.Unmarshal(object[key], &inText) == nil {
				object[key] = json.RawMessage(inText)
			}
			if json.Unmarshal(object[key], &arguments) == nil && arguments != nil {
				object = arguments
				break
			}
		}
		for _, name := range slices.Sorted(maps.Keys(object)) {
			a := protocol.Argument{Name: name}
			if json.Unmarshal(object[name], &a.Value) != nil {
				a.Value, a.Form = string(object[name]), protocol.FormJSON
			}
			req.Arguments = append(req.Arguments, a)
		}
		list = append(list, req)
	}
}

// closedJSON adds the braces that an object lacks at the end of its line.
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

// Blocks yields the parts of a text that may be requests, in any form, with their offsets. A part
// begins with a mark of a form and has at most MaxLoose bytes, or it is a JSON object that begins
// as a call does and has at most maxCall bytes. The work is linear in the length of the text.
func Blocks(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		budget := 32*len(text) + maxCall // for objects in objects
		for at := 0; at < len(text) && budget > 0; at++ {
			next := strings.IndexAny(text[at:], `<"`)
			if next < 0 {
				return
			}
			at += next
			rest := text[at:min(len(text), at+MaxLoose)]
			block, start := "", at
			if rest[0] == '<' {
				if f, _ := At([]byte(rest[:min(len(rest), MaxOpen)]), ""); f != nil {
					if end := strings.Index(rest, f.Close); end >= 0 {
						block = rest[:end+len(f.Close)]
					}
					budget -= len(rest)
				}
			} else if firstOfCall.MatchString(rest) {
				block, start = objectAround(text, at)
				budget -= max(len(block), maxMember)
			}
			if block != "" && !yield(start, block) {
				return
			}
		}
	}
}

// maxMember is the least cost of a text that firstOfCall matches, in bytes.
const maxMember = 32

// firstOfCall is the first member of a call.
var firstOfCall = regexp.MustCompile(`^"(?:name|tool_name|tool|function|arguments|parameters|args|input|type|id)"\s*:`)

// objectAround returns the object whose first member begins at an offset, or "" if there is none.
func objectAround(text string, at int) (object string, start int) {
	begin := at - 1
	for begin >= 0 && strings.IndexByte(" \t\r\n", text[begin]) >= 0 {
		begin--
	}
	if begin < 0 || text[begin] != '{' {
		return "", at
	}
	depth, quoted := 0, false
	for i := begin; i < min(len(text), begin+maxCall); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return text[begin : i+1], begin
			}
		}
	}
	return "", at
}
