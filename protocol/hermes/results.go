package hermes

import (
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/internal/tags"
)

// FormatToolResults writes one <tool_response> element per result. It writes a tool's text as JSON
// strings, in which the angle bracket of each tag is escaped. So the text cannot end the result or
// begin a call, even if a model repeats it.
func (Protocol) FormatToolResults(results []protocol.ToolResult) string {
	return resultForm.Format(results)
}

// ParseToolResults reads what FormatToolResults wrote, and ignores other text. A result without an
// end or a status is a *protocol.ReadError.
func (Protocol) ParseToolResults(text string) ([]protocol.ToolResult, error) {
	return resultForm.Parse(text)
}

var resultForm = tags.ResultForm{
	Protocol: protocolID, Begin: "{", End: "}\n" + tags.ResponseEnd,
	Append: func(b []byte, name, text string) []byte {
		separator := ", "
		if b[len(b)-1] == '\n' { // the first member
			separator = "{"
		}
		b = append(b, separator+`"`+name+`": `...)
		return appendForeign(b, text)
	},
	Read: func(body string) (textOf func(name string) string, ok bool) {
		texts := map[string]string{}
		members, ok := readMembers(body + "}") // the object's last brace is in End
		for _, m := range members {
			text, isString := stringOf(m.Value)
			texts[m.Name], ok = text, ok && isString
		}
		return func(name string) string { return texts[name] }, ok
	},
}
