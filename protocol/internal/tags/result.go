package tags

import (
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

// KeyContent is the name of the last member of a result.
const KeyContent = "content"

// member is a member of a result.
type member struct {
	name string
	text *string
}

// members returns the members of a result, in their order.
func members(r *protocol.ToolResult) [8]member {
	return [...]member{
		{"id", &r.ResultID},
		{"name", &r.ToolName},
		{"arguments", &r.About},
		{"status", (*string)(&r.Status)},
		{"error_type", &r.ErrorType},
		{"suggestion", &r.Suggestion},
		{"note", &r.Note},
		{KeyContent, &r.Result},
	}
}

// ResultForm is how a protocol writes the members of a result between <tool_response> and
// </tool_response>.
type ResultForm struct {
	Protocol string // the ID of the protocol
	// Begin is the start of a result's members. End follows the text of the last member, and ends
	// the result. The text of a member must not contain End.
	Begin, End string
	// Append appends one member, without End. The last member is KeyContent. Format omits empty
	// members, except KeyContent.
	Append func(b []byte, name, text string) []byte
	// Read reads body, the text that Append wrote for all members. The function textOf returns the
	// text of a member, or "" if it is absent; it is never nil. ok is false if body cannot be read.
	Read func(body string) (textOf func(name string) string, ok bool)
}

// Format implements protocol.Protocol.FormatToolResults.
func (f *ResultForm) Format(results []protocol.ToolResult) string {
	var b []byte
	for i, r := range results {
		if i > 0 {
			b = append(b, '\n')
		}
		b = append(b, ResponseStart+"\n"...)
		if r.Status != protocol.StatusError {
			r.ErrorType, r.Suggestion = "", ""
		}
		for _, m := range members(&r) {
			if *m.text != "" || m.name == KeyContent {
				b = f.Append(b, m.name, *m.text)
			}
		}
		b = append(b, f.End...)
	}
	return string(b)
}

// Parse implements protocol.Reader.ParseToolResults.
func (f *ResultForm) Parse(text string) ([]protocol.ToolResult, error) {
	var results []protocol.ToolResult
	start := ResponseStart + "\n" + f.Begin
	for from := 0; ; {
		at := strings.Index(text[from:], start)
		if at < 0 {
			return results, nil
		}
		at += from
		from = at + len(start) - len(f.Begin)
		body, _, ended := strings.Cut(text[from:], f.End)
		from += len(body) + len(f.End)
		textOf, ok := f.Read(body)
		var r protocol.ToolResult
		for _, m := range members(&r) {
			*m.text = textOf(m.name)
		}
		if !ended || !ok || r.Status != protocol.StatusSuccess && r.Status != protocol.StatusError {
			reason := "it has no end, a member that cannot be read, or a status that is neither success nor error"
			return results, &protocol.ReadError{Protocol: f.Protocol, Block: "result", Offset: at, Reason: reason}
		}
		results = append(results, r)
	}
}
