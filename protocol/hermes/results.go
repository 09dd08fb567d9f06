package hermes

import (
	"fmt"
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

// The keys of a result, besides "id" and "name".
const (
	keyStatus     = "status"
	keyErrorType  = "error_type"
	keySuggestion = "suggestion"
	keyNote       = "note"
	keyContent    = "content"
)

// FormatToolResults writes one tag per result. What a tool returned is written as JSON strings, in
// which the angle bracket of each tag is escaped. So it cannot end the result or begin a call, even
// if a model repeats it.
func (Protocol) FormatToolResults(results []protocol.ToolResult) string {
	var b []byte
	for i, r := range results {
		if i > 0 {
			b = append(b, '\n')
		}
		b = append(b, responseStart+"\n{"...)
		add := func(key, value string) {
			if b[len(b)-1] != '{' {
				b = append(b, ", "...)
			}
			b = append(b, `"`+key+`": `...)
			b = appendString(b, value, true)
		}
		add(keyID, r.RequestID)
		add(keyName, r.ToolName)
		if r.About != "" {
			add(keyArguments, r.About)
		}
		add(keyStatus, string(r.Status))
		if r.Status == protocol.StatusError {
			add(keyErrorType, r.ErrorType)
			add(keySuggestion, r.Suggestion)
		}
		if r.Note != "" {
			add(keyNote, r.Note)
		}
		add(keyContent, r.Result)
		b = append(b, "}\n"+responseEnd...)
	}
	return string(b)
}

// ParseToolResults reads what FormatToolResults wrote, and ignores other text. A result without an
// end or a status is a *protocol.ReadError.
func (Protocol) ParseToolResults(text string) ([]protocol.ToolResult, error) {
	var results []protocol.ToolResult
	const start, end = responseStart + "\n{", "}\n" + responseEnd
	for from := 0; ; {
		at := strings.Index(text[from:], start)
		if at < 0 {
			return results, nil
		}
		at += from
		refuse := func(reason string) ([]protocol.ToolResult, error) {
			return results, &protocol.ReadError{Protocol: protocolID, Block: "result", Offset: at, Reason: reason}
		}
		body := text[at+len(start)-1:]
		size := strings.Index(body, end)
		if size < 0 {
			return refuse("it has no end")
		}
		values, ok := readTexts(body[:size+1])
		if !ok {
			return refuse("it is not an object of strings")
		}
		r := protocol.ToolResult{
			RequestID: values[keyID], ToolName: values[keyName], About: values[keyArguments],
			Status: protocol.ResultStatus(values[keyStatus]), ErrorType: values[keyErrorType],
			Suggestion: values[keySuggestion], Note: values[keyNote], Result: values[keyContent],
		}
		if r.Status != protocol.StatusSuccess && r.Status != protocol.StatusError {
			return refuse(fmt.Sprintf("status %q is neither %q nor %q", r.Status, protocol.StatusSuccess, protocol.StatusError))
		}
		results = append(results, r)
		from = at + len(start) - 1 + size + len(end)
	}
}

// readTexts reads an object whose values are strings.
func readTexts(object string) (values map[string]string, ok bool) {
	members, ok := readMembers(object)
	if !ok {
		return nil, false
	}
	values = make(map[string]string, len(members))
	for _, m := range members {
		text, ok := stringOf(m.Value)
		if !ok {
			return nil, false
		}
		values[m.Name] = text
	}
	return values, true
}

// stringOf decodes a JSON string.
func stringOf(value string) (text string, ok bool) {
	if len(value) < 2 || value[0] != '"' {
		return "", false
	}
	return unquote(value[1 : len(value)-1]), true
}
