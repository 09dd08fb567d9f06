package qwencoder

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

const (
	callStart     = "<tool_call>"
	callEnd       = "</tool_call>"
	responseStart = "<tool_response>"
	responseEnd   = "</tool_response>"
	toolsStart    = "<tools>"
	toolsEnd      = "</tools>"
)

// FormatToolRequests writes one START and END per request. A JSON string is written as its text, and
// any other value as it is. It refuses what would read back as something else: a command and a
// label, since a call has one name; a name that no tag can contain; and a tag that is escaped too
// often.
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
			var deep bool
			if !isName(a.Name) {
				return b, &protocol.FormatError{Argument: a.Name, Reason: nameRule}
			}
			b = append(b, "<parameter="+a.Name+">\n"...)
			if b, deep = appendEscaped(b, textOf(&a), true); deep {
				return b, &protocol.FormatError{Argument: a.Name, Reason: "it contains a tag that is escaped " + strconv.Itoa(maxLevels) + " times"}
			}
			b = append(b, "\n</parameter>\n"...)
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
		b = appendElement(b, "id", r.RequestID)
		b = appendElement(b, "name", r.ToolName)
		b = appendElement(b, "status", string(r.Status))
		if r.Status == protocol.StatusError {
			b = appendElement(b, "error_type", r.ErrorType)
			b = appendElement(b, "suggestion", r.Suggestion)
		}
		b = append(b, contentStart...)
		b, _ = appendEscaped(b, r.Result, true)
		b = append(b, contentEnd...)
	}
	return string(b)
}

const (
	contentStart = "<content>\n"
	contentEnd   = "\n</content>\n" + responseEnd
)

// appendElement appends a text in an element on its line.
func appendElement(b []byte, name, text string) []byte {
	return append(b, "<"+name+">"+escapeAll(text)+"</"+name+">\n"...)
}

// element returns the text of the first element of that name before end in s, and what follows it.
func element(s, name string) (text, rest string, ok bool) {
	if _, rest, ok = strings.Cut(s, "<"+name+">"); !ok {
		return "", s, false
	}
	if text, rest, ok = strings.Cut(rest, "</"+name+">"); !ok {
		return "", s, false
	}
	return unescape(text, false), rest, true
}

// ParseToolResults reads what FormatToolResults wrote, and ignores other text. A result without an
// end or a status is a *protocol.ReadError.
func (Protocol) ParseToolResults(text string) ([]protocol.ToolResult, error) {
	var results []protocol.ToolResult
	for from := 0; ; {
		at := strings.Index(text[from:], responseStart+"\n<id>")
		if at < 0 {
			return results, nil
		}
		at += from
		body, _, ended := strings.Cut(text[at:], contentEnd)
		head, content, ok := strings.Cut(body, contentStart)
		var r protocol.ToolResult
		r.RequestID, _, _ = element(head, "id")
		r.ToolName, _, _ = element(head, "name")
		status, _, _ := element(head, "status")
		r.Status = protocol.ResultStatus(status)
		r.ErrorType, _, _ = element(head, "error_type")
		r.Suggestion, _, _ = element(head, "suggestion")
		r.Result = unescape(content, true)
		reason := ""
		switch {
		case !ended || !ok:
			reason = "it has no end"
		case r.Status != protocol.StatusSuccess && r.Status != protocol.StatusError:
			reason = "status " + strconv.Quote(status) + " is neither success nor error"
		}
		if reason != "" {
			return results, &protocol.ReadError{Protocol: protocolID, Block: "result", Offset: at, Reason: reason}
		}
		results = append(results, r)
		from = at + len(body) + len(contentEnd)
	}
}
