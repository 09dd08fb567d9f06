package qwencoder

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// FormatToolRequests writes one START and END per request. A JSON string is written as its text,
// and any other value as it is. It refuses what would read back as something else: a command and
// a label, since a call has one name; a name that no tag can contain; and a tag that is escaped
// too often.
func (Protocol) FormatToolRequests(requests []protocol.ToolRequest) (string, error) {
	return protocol.FormatRequests(protocolID, requests, func(b []byte, r *protocol.ToolRequest) ([]byte, error) {
		if r.Command != "" || r.Label != "" {
			return b, &protocol.FormatError{Reason: "a request has one name, without a command and a label"}
		}
		if !isName(r.ToolName) {
			return b, &protocol.FormatError{Reason: nameRule}
		}
		b = append(b, callStart+"\n<function="+r.ToolName+">\n"...)
		for _, a := range r.Arguments {
			if !isName(a.Name) {
				return b, &protocol.FormatError{Argument: a.Name, Reason: nameRule}
			}
			b = append(b, "<parameter="+a.Name+">\n"...)
			text := textOf(&a)
			if strings.Contains(text, tooDeep) {
				return b, &protocol.FormatError{Argument: a.Name, Reason: "it contains &amp; and then amp; " + strconv.Itoa(maxLevels-1) + " times"}
			}
			b = append(rescape(b, text, true, 1), "\n</parameter>\n"...)
		}
		return append(b, "</function>\n"+callEnd...), nil
	})
}

// textOf returns the value as the form writes it.
func textOf(a *protocol.Argument) string {
	text := ""
	if a.Form == protocol.FormJSON && json.Unmarshal([]byte(a.Value), &text) == nil && strings.HasPrefix(a.Value, `"`) {
		return text
	}
	return a.Value
}

// notInName are the bytes that a name does not contain.
const notInName = " \t\"'" + notInTag

var nameRule = "a name has 1 to " + strconv.Itoa(scan.MaxKeyBytes) + " bytes without white space, quotation marks, <, > and &"

func isName(name string) bool {
	return name != "" && len(name) <= scan.MaxKeyBytes && !strings.ContainsAny(name, notInName) &&
		len(bytes.TrimSpace([]byte(name))) == len(name)
}

// CarriesArgument reports whether a parameter can have that name.
func (Protocol) CarriesArgument(name string) bool { return isName(name) }

// FormatToolResults writes one tag per result. Each mark in the content is escaped, and each '<' in
// the other members. So nothing in a result ends it or begins a call, even if a model repeats it.
func (Protocol) FormatToolResults(results []protocol.ToolResult) string {
	var b []byte
	for i, r := range results {
		if i > 0 {
			b = append(b, '\n')
		}
		b = append(b, responseStart+"\n"...)
		b = appendElements(b, "id", r.RequestID, "name", r.ToolName, "arguments", r.About, "status", string(r.Status))
		if r.Status == protocol.StatusError {
			b = appendElements(b, "error_type", r.ErrorType, "suggestion", r.Suggestion)
		}
		b = appendElements(b, "note", r.Note)
		b = append(rescape(append(b, contentStart...), r.Result, true, 1), contentEnd...)
	}
	return string(b)
}

// ResultNote says that tags in a result are altered.
func (Protocol) ResultNote(text string, o protocol.PromptOptions) string {
	if string(rescape(nil, text, true, 1)) == text {
		return ""
	}
	return o.Choose("In the original of this result, the tags are not escaped: they begin with an angle bracket.",
		"结果原文中的标签没有转义，以尖括号开头。")
}

const (
	contentStart = "<content>\n"
	contentEnd   = "\n</content>\n" + responseEnd // its tag is escaped in the content
)

// appendElements appends texts in elements, each after its name. Empty ones are omitted.
func appendElements(b []byte, pairs ...string) []byte {
	for i := 0; i < len(pairs); i += 2 {
		if name, text := pairs[i], pairs[i+1]; text != "" {
			b = rescape(append(b, "<"+name+">"...), text, false, 1)
			b = append(b, "</"+name+">\n"...)
		}
	}
	return b
}

// element returns the text of the first element of that name in s, "" if there is none.
func element(s, name string) string {
	_, text, _ := strings.Cut(s, "<"+name+">")
	text, _, _ = strings.Cut(text, "</"+name+">")
	return string(rescape(nil, text, false, -1))
}

// ParseToolResults reads what FormatToolResults wrote, and ignores other text. A result without an
// end or a status is a *protocol.ReadError.
func (Protocol) ParseToolResults(text string) ([]protocol.ToolResult, error) {
	var results []protocol.ToolResult
	for from := 0; ; {
		at := strings.Index(text[from:], responseStart+"\n<")
		if at < 0 {
			return results, nil
		}
		at += from
		body, _, ended := strings.Cut(text[at:], contentEnd)
		head, content, found := strings.Cut(body, contentStart)
		r := protocol.ToolResult{
			RequestID: element(head, "id"), ToolName: element(head, "name"), About: element(head, "arguments"),
			Status: protocol.ResultStatus(element(head, "status")), ErrorType: element(head, "error_type"),
			Suggestion: element(head, "suggestion"), Note: element(head, "note"), Result: string(rescape(nil, content, true, -1)),
		}
		if !ended || !found || r.Status != protocol.StatusSuccess && r.Status != protocol.StatusError {
			reason := "it has no end, or a status that is neither success nor error"
			return results, &protocol.ReadError{Protocol: protocolID, Block: "result", Offset: at, Reason: reason}
		}
		results = append(results, r)
		from = at + len(body) + len(contentEnd)
	}
}
