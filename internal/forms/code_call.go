package forms

import (
	"encoding/json"
	"iter"
	"regexp"
	"strings"
	"unicode"

	"github.com/vcpgo/vcp/protocol"
)

// CodeCalls yields the requests that a text contains as code, each with its text: a line
// name(city="Rome", days=3), or the lines "Action: name" and "Action Input: {…}". The requests may
// be shown to the model, so that it writes them again in the correct form. They must never run.
func CodeCalls(text string) iter.Seq2[string, protocol.ToolRequest] {
	return func(yield func(string, protocol.ToolRequest) bool) {
		found := 0
		for line := range strings.Lines(text) {
			if found == maxMarked {
				return
			}
			line = strings.TrimSpace(line)
			if req, ok := lineCall(line); ok {
				if found++; !yield(line, req) {
					return
				}
			}
		}
		for _, m := range actionLines.FindAllStringSubmatch(text, maxMarked-found) {
			if len(m[2]) > MaxLooseBytes {
				continue
			}
			list := looseJSON(m[2])
			if len(list) != 1 || list[0].ToolName != "" {
				continue // the object does not contain just the arguments
			}
			list[0].ToolName = m[1]
			if !yield(strings.TrimSpace(m[0]), list[0]) {
				return
			}
		}
	}
}

var (
	// callLine matches a call, also one that is in print(…) or in a list.
	callLine = regexp.MustCompile(`^(?:print\()?\[?([\pL_][\pL\pN_.]*)\((.*?)\)\]?\)?;?$`)
	// actionLines match the lines with which ReAct agents call a tool, in English and Chinese.
	actionLines = regexp.MustCompile(`(?m)^[ \t]*(?:Action|行动|动作)[ \t]*[:：][ \t]*([\pL\pN_.:/-]+)[ \t]*\n` +
		`[ \t]*(?:Action[ _]Input|(?:行动|动作)?输入)[ \t]*[:：][ \t]*(\{.*\})[ \t]*$`)
)

// lineCall reads a line that is one call of a function with named arguments or none.
func lineCall(line string) (req protocol.ToolRequest, ok bool) {
	if len(line) > MaxLooseBytes || !strings.Contains(line, "(") {
		return req, false
	}
	call := callLine.FindStringSubmatch(line)
	if call == nil {
		return req, false
	}
	arguments, rest := codeArguments(call[2])
	return protocol.ToolRequest{ToolName: call[1], Arguments: arguments}, rest == ""
}

// codeArguments reads arguments such as city="Rome", days=3 at the start of a text, and returns the
// text after them.
func codeArguments(text string) (list []protocol.Argument, rest string) {
	rest = trimLeft(text)
	for {
		endsName := func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r) }
		n := strings.IndexFunc(rest, endsName)
		after, hasValue := strings.CutPrefix(trimLeft(rest[max(0, n):]), "=")
		if n <= 0 || !hasValue {
			return list, rest
		}
		argument, afterValue, ok := codeValue(trimLeft(after))
		if !ok {
			return list, rest
		}
		argument.Name = rest[:n]
		list, rest = append(list, argument), trimLeft(afterValue)
		next, more := strings.CutPrefix(rest, ",")
		if !more {
			return list, rest
		}
		rest = trimLeft(next)
	}
}

func trimLeft(text string) string { return strings.TrimLeftFunc(text, unicode.IsSpace) }

// codeValue reads the value at the start of a text, and returns the text after it.
func codeValue(text string) (value protocol.Argument, rest string, ok bool) {
	if inner, isQuoted := strings.CutPrefix(text, "'"); isQuoted {
		content, rest, closed := strings.Cut(inner, "'")
		// A backslash may escape the quotation mark at which content ends.
		return protocol.Argument{Value: content}, rest, closed && !strings.Contains(content, `\`)
	}
	for python, written := range map[string]string{"True": "true", "False": "false", "None": "null"} {
		if after, found := strings.CutPrefix(text, python); found {
			return protocol.Argument{Value: written, Form: protocol.FormJSON}, after, true
		}
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	var data json.RawMessage
	if decoder.Decode(&data) != nil {
		return value, "", false
	}
	return jsonArgument(data), text[decoder.InputOffset():], true
}
