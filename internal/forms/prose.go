package forms

import (
	"encoding/json"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/work"
	"github.com/vcpgo/vcp/protocol"
)

// A ProseRequest is a request in a text. It extends from the offset Start to the offset End.
type ProseRequest struct {
	protocol.ToolRequest
	Start, End int
}

// InProse yields the requests that a text contains without marks: the requests that CodeCalls
// finds, and those that consist of pairs of a name and a value. The first pair names the tool.
// Pairs may be lines "name: value", or be written as name:「始」value「末」. InProse finds requests
// anywhere, also within a sentence, but only for tools for which isMethod returns true. A damaged
// request has only the arguments before the damage. The requests are guesses: they may only be
// compared with requests of a model, to find out whether the model copied them. The work is linear
// in the length of the text.
func InProse(text string, isMethod func(name string) bool) iter.Seq[ProseRequest] {
	return func(yield func(ProseRequest) bool) {
		_ = proseCalls(text, isMethod, yield) && proseActions(text, isMethod, yield) &&
			proseLines(text, isMethod, yield) && prosePairs(text, isMethod, yield)
	}
}

// maxProseName limits the name of a method that is found in prose, in bytes.
const maxProseName = 256

// proseCalls yields requests such as name(city="Rome", days=3), on one or several lines. Like
// proseActions, proseLines and prosePairs it returns false if yield did.
func proseCalls(text string, isMethod func(string) bool, yield func(ProseRequest) bool) bool {
	for at := 0; ; at++ {
		next := strings.IndexByte(text[at:], '(')
		if next < 0 {
			return true
		}
		at += next
		name := nameBefore(text[max(0, at-maxProseName):at])
		if name == "" || !isMethod(name) {
			continue
		}
		arguments := text[at+1 : min(len(text), at+1+maxBlock)]
		list, rest := codeArguments(arguments)
		req := protocol.ToolRequest{ToolName: name, Arguments: list}
		work.Add(len(arguments) - len(rest))
		isCall := len(list) > 0 || strings.HasPrefix(rest, ")")
		if isCall && !yield(ProseRequest{req, at - len(name), at + 1 + len(arguments) - len(rest)}) {
			return false
		}
	}
}

// nameBefore returns the name at the end of a text, as code writes it.
func nameBefore(text string) string {
	start := len(text)
	for start > 0 {
		r, n := utf8.DecodeLastRuneInString(text[:start])
		if r != '_' && r != '.' && !unicode.IsLetter(r) && !unicode.IsNumber(r) {
			break
		}
		start -= n
	}
	return strings.TrimLeftFunc(text[start:], func(r rune) bool { return r != '_' && !unicode.IsLetter(r) })
}

// proseAction matches the lines with which ReAct agents call a tool, up to the brace that begins
// the arguments.
var proseAction = regexp.MustCompile(`(?:Action|行动|动作)[ \t]*[:：][ \t]*([\pL\pN_.:/-]+)[ \t]*\r?\n` +
	`\s*(?:Action[ _]Input|(?:行动|动作)?输入)[ \t]*[:：][ \t]*\{`)

// proseActions yields requests that consist of "Action: name" and "Action Input: {…}".
func proseActions(text string, isMethod func(string) bool, yield func(ProseRequest) bool) bool {
	if !strings.Contains(text, "Input") && !strings.Contains(text, "输入") {
		return true
	}
	for _, m := range proseAction.FindAllStringSubmatchIndex(text, -1) {
		req := protocol.ToolRequest{ToolName: text[m[2]:m[3]]}
		if !isMethod(req.ToolName) {
			continue
		}
		start := m[1] - 1 // of the object
		object := text[start:min(len(text), start+maxBlock)]
		var members map[string]json.RawMessage
		decoder := json.NewDecoder(strings.NewReader(object))
		if decoder.Decode(&members) == nil {
			object = object[:decoder.InputOffset()]
		} else { // damaged: read the object up to the last brace on its line
			object, _, _ = strings.Cut(object, "\n")
			object = object[:strings.LastIndexByte(object, '}')+1]
			if json.Unmarshal([]byte(closedJSON(withASCIIPunctuation(object))), &members) != nil {
				continue
			}
		}
		work.Add(len(object))
		req.Arguments = argumentsOf(members)
		if !yield(ProseRequest{req, m[0], start + len(object)}) {
			return false
		}
	}
	return true
}

// argumentsOf returns the members of an object as arguments.
func argumentsOf(object map[string]json.RawMessage) (list []protocol.Argument) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		a := jsonArgument(object[name])
		a.Name = name
		list = append(list, a)
	}
	return list
}

// jsonArgument returns an argument without a name, with the text of a JSON string or else the JSON
// value itself.
func jsonArgument(value []byte) protocol.Argument {
	if text, ok := jsonString(value); ok {
		return protocol.Argument{Value: text}
	}
	return protocol.Argument{Value: string(value), Form: protocol.FormJSON}
}

// jsonString returns the text of a JSON string. ok is false for any other value.
func jsonString(value []byte) (text string, ok bool) {
	var decoded *string // a pointer, because null is no error: it leaves a string empty
	if json.Unmarshal(value, &decoded) != nil || decoded == nil {
		return "", false
	}
	return *decoded, true
}

const (
	// maxProseLine is how many bytes of a line are searched for the name of a tool.
	maxProseLine = 4 << 10
	// maxPairs limits the arguments of a request in prose.
	maxPairs = 256
)

// beforeName matches the text before the name of a tool, such as "tool_name: ".
var beforeName = regexp.MustCompile(`(?:tool_name|name|tool)["”]?\s*[:：=]\s*`)

// proseLines yields the requests that consist of the lines "tool_name: name" and "name: value". A
// blank line, or a line that begins with a mark, may end a request or not. So proseLines yields a
// request twice: up to the first such line, and with the lines after it.
func proseLines(text string, isMethod func(string) bool, yield func(ProseRequest) bool) bool {
	var open *ProseRequest
	end := func() bool {
		ended := open
		open = nil
		return ended == nil || yield(*ended)
	}
	at, yielded := 0, false // yielded says that open was yielded up to a blank line or a mark
	for line := range strings.Lines(text) {
		start := at
		at += len(line)
		line = strings.TrimSpace(line)
		if name := toolInLine(line, isMethod); name != "" {
			if !end() {
				return false
			}
			open, yielded = &ProseRequest{protocol.ToolRequest{ToolName: name}, start, at}, false
			continue
		}
		if open == nil {
			continue
		}
		if isMarkLine(line) {
			if !yielded && !yield(*open) {
				return false
			}
			yielded = true
			continue
		}
		pair := linePair(strings.TrimLeft(line, ">*- \t"))
		isNew := func() bool {
			return !slices.ContainsFunc(open.Arguments, func(a protocol.Argument) bool { return a.Name == pair[1] })
		}
		if pair == nil || len(open.Arguments) == maxPairs || !isNew() {
			if !end() {
				return false
			}
			continue
		}
		// Clip makes append copy the list, which a yielded request may still use.
		open.Arguments = append(slices.Clip(open.Arguments), protocol.Argument{Name: pair[1], Value: pair[2]})
		open.End = at
	}
	return end()
}

// toolInLine returns the name of the method in a line such as "tool_name: name", or "" for any
// other line.
func toolInLine(line string, isMethod func(string) bool) string {
	line = line[:min(len(line), maxProseLine)]
	if !strings.Contains(line, "name") && !strings.Contains(line, "tool") || strings.IndexByte(line, ':') < 0 &&
		strings.IndexByte(line, '=') < 0 && !strings.Contains(line, "：") {
		return ""
	}
	for _, m := range beforeName.FindAllStringIndex(line, -1) {
		rest := line[m[1]:min(len(line), m[1]+maxProseName)]
		pair := linePair("x: " + rest) // the rest of the line as a value
		word := strings.TrimLeft(rest, `"'“‘「『始」`)
		if end := strings.IndexAny(word, " \t,，;\"'”’」』「"); end >= 0 {
			word = word[:end]
		}
		switch {
		case len(pair) > 2 && pair[2] != "" && isMethod(pair[2]):
			return pair[2]
		case word != "" && isMethod(word):
			return word
		}
	}
	return ""
}

// prosePairs yields the requests that consist of pairs such as name:「始」value「末」.
func prosePairs(text string, isMethod func(string) bool, yield func(ProseRequest) bool) bool {
	if !strings.Contains(text, "「始」") {
		return true
	}
	var open *ProseRequest
	for _, m := range pairInMarks.FindAllStringSubmatchIndex(text, -1) {
		name, value := text[m[2]:m[3]], text[m[4]:m[5]]
		switch {
		case isNameKey(name) && isMethod(value):
			if open != nil && !yield(*open) {
				return false
			}
			open = &ProseRequest{protocol.ToolRequest{ToolName: value}, m[0], m[1]}
		case open != nil && len(open.Arguments) < maxPairs:
			open.Arguments = append(open.Arguments, protocol.Argument{Name: name, Value: value})
			open.End = m[1]
		}
	}
	return open == nil || yield(*open)
}
