package qwencoder

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/internal/tags"
	"github.com/vcpgo/vcp/protocol/scan"
)

// FormatToolRequests writes one START and END per request. A JSON string is written as its text,
// and any other value as it is. It refuses what would read back as something else: a command, a
// label, a name that no tag can contain, and a tag that is escaped too often.
func (p Protocol) FormatToolRequests(requests []protocol.ToolRequest) (string, error) {
	return protocol.FormatRequests(protocolID, requests, func(b []byte, r *protocol.ToolRequest) ([]byte, error) {
		if r.Command != "" || r.Label != "" {
			return b, &protocol.FormatError{Reason: "a request has one name, and neither a command nor a label"}
		}
		if !p.CarriesArgument(r.ToolName) {
			return b, &protocol.FormatError{Reason: nameRule}
		}
		b = append(b, tags.CallStart+"\n<function="+r.ToolName+">\n"...)
		for _, a := range r.Arguments {
			if !p.CarriesArgument(a.Name) {
				return b, &protocol.FormatError{Argument: a.Name, Reason: nameRule}
			}
			b = append(b, "<parameter="+a.Name+">\n"...)
			text := textOf(&a)
			if strings.Contains(text, tooDeep) {
				reason := "it contains &amp; and then amp; " + strconv.Itoa(maxLevels-1) + " times"
				return b, &protocol.FormatError{Argument: a.Name, Reason: reason}
			}
			b = append(relevel(b, text, marksOnly, oneMore), "\n</parameter>\n"...)
		}
		return append(b, "</function>\n"+tags.CallEnd...), nil
	})
}

// textOf returns the value as the form writes it.
func textOf(a *protocol.Argument) (text string) {
	if a.Form == protocol.FormJSON && strings.HasPrefix(a.Value, `"`) && json.Unmarshal([]byte(a.Value), &text) == nil {
		return text
	}
	return a.Value
}

var nameRule = "a name has 1 to " + strconv.Itoa(scan.MaxKeyBytes) +
	" bytes without white space, quotation marks, <, > and &"

// CarriesArgument reports whether a parameter can have that name. The rule for the names of
// functions is the same.
func (Protocol) CarriesArgument(name string) bool {
	return name != "" && len(name) <= scan.MaxKeyBytes &&
		!strings.ContainsAny(name, " \t\"'"+notInTag) && strings.TrimSpace(name) == name
}

// FormatToolResults writes one <tool_response> element per result. It escapes each mark in the
// content, and each '<' in the other members. So nothing in a result ends the result or begins a
// call, even if a model repeats it.
func (Protocol) FormatToolResults(results []protocol.ToolResult) string {
	return resultForm.Format(results)
}

// ParseToolResults reads what FormatToolResults wrote, and ignores other text. A result without an
// end or a status is a *protocol.ReadError.
func (Protocol) ParseToolResults(text string) ([]protocol.ToolResult, error) {
	return resultForm.Parse(text)
}

const contentStart = "<" + tags.KeyContent + ">\n"

var resultForm = tags.ResultForm{
	Protocol: protocolID, Begin: "<",
	End: "\n</" + tags.KeyContent + ">\n" + tags.ResponseEnd, // its tag is escaped in the content
	Append: func(b []byte, name, text string) []byte {
		if name == tags.KeyContent {
			return relevel(append(b, contentStart...), text, marksOnly, oneMore)
		}
		return appendElements(b, name, text)
	},
	Read: func(body string) (func(name string) string, bool) {
		head, content, ok := strings.Cut(body, contentStart)
		return func(name string) string {
			if name == tags.KeyContent {
				return string(relevel(nil, content, marksOnly, oneLess))
			}
			return element(head, name)
		}, ok
	},
}

// ResultNote says that tags in a result are altered. It returns "" if the result has no tags.
func (Protocol) ResultNote(text string, o protocol.PromptOptions) string {
	if string(relevel(nil, text, marksOnly, oneMore)) == text {
		return ""
	}
	return o.Choose("In the original of this result, the tags are not escaped: they begin with an angle bracket.",
		"结果原文中的标签没有转义，以尖括号开头。")
}

// appendElements appends texts in elements, each after its name. Empty ones are omitted.
func appendElements(b []byte, pairs ...string) []byte {
	for i := 0; i < len(pairs); i += 2 {
		if name, text := pairs[i], pairs[i+1]; text != "" {
			b = relevel(append(b, "<"+name+">"...), text, every, oneMore)
			b = append(b, "</"+name+">\n"...)
		}
	}
	return b
}

// element returns the text of the first element of that name in s; "" if s has no such element.
func element(s, name string) string {
	_, text, _ := strings.Cut(s, "<"+name+">")
	text, _, _ = strings.Cut(text, "</"+name+">")
	return string(relevel(nil, text, every, oneLess))
}
