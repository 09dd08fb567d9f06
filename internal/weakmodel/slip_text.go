package weakmodel

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/vcpgo/vcp/eval"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// slipText returns a reply with the slip in the request of a step, and its finish reason. clean is
// the request without the slip.
func (m *Model) slipText(
	s *eval.Step, arguments map[string]any, clean, prompt, news string,
) (string, protocol.FinishReason) {
	first := !m.slipped
	m.slipped = true
	switch m.slip {
	case Truncated:
		if first {
			m.whole = m.preface() + clean
			beforeLimit := text.Prefix(m.whole, len(m.whole)*3/4)
			return beforeLimit, protocol.FinishLength
		}
	case Placeholder:
		if saysToWait(prompt) {
			m.corrected = true
			return m.preface() + clean, protocol.FinishStop
		}
	case CopiesExample:
		if request := m.form.firstRequest(news); !first && request != "" {
			return request, protocol.FinishStop
		}
	}
	return m.replyWithSlip(s, arguments, clean), protocol.FinishStop
}

// replyWithSlip returns a reply with the slip. clean is the request without the slip.
func (m *Model) replyWithSlip(s *eval.Step, arguments map[string]any, clean string) string {
	call, _ := json.Marshal(map[string]any{"name": s.Call, "arguments": arguments})
	inMarks := func(body string) string { return m.form.start + "\n" + body + "\n" + m.form.end }
	preface := m.preface()
	switch m.slip {
	case Fenced:
		return preface + "```\n" + clean + "\n```"
	case InReasoning:
		if preface == "" {
			return "<think>\n" + clean + "\n</think>"
		}
		return "<think>\n" + clean + "\n</think>\n" + preface
	case OtherForm:
		return preface + formatted(m.otherProtocol(), s.Call, arguments)
	case BareJSON:
		return string(call)
	case FencedJSON:
		return preface + "```json\n" + string(call) + "\n```"
	case JSONBody:
		return preface + inMarks(m.flat(s.Call, arguments))
	case ColonBody, CopiesExample:
		return preface + inMarks(colonLines(m.nameKey(), s.Call, arguments))
	case WrongMark:
		return preface + strings.Replace(clean, m.form.start, misspelled(m.form.start), 1)
	case Quoted:
		return preface + "> " + strings.ReplaceAll(clean, "\n", "\n> ")
	case Escaped:
		return preface + m.protocol.Neutralize(clean)
	case EscapedBody:
		return preface + inMarks(m.protocol.Neutralize(m.body(clean)))
	case EmptyReply:
		return ""
	case Announces:
		return m.say("I will look that up now.", "我来查一下。")
	case MissingEnd:
		return preface + strings.TrimSuffix(clean, "\n"+m.form.end) + "\n" + m.say("I am waiting for the result.", "我在等结果。")
	case MissingCloser:
		return preface + m.closedBy(clean, "", "", "")
	case WrongCloser:
		return preface + m.closedBy(clean, "「未」", "]", "</param>\n")
	case CloseName:
		return preface + formatted(m.protocol, strings.Replace(s.Call, s.Call[1:2], "", 1), arguments)
	case UnknownTool:
		if s.Invented {
			return preface + clean
		}
		tool, _, _ := strings.Cut(s.Call, "_")
		return preface + formatted(m.protocol, tool+"_fetch", arguments)
	case ArgumentName, ExtraArgument, MissingArgument, WrongType, GroupedNumber, WrongZone, WrongPath:
		bad := m.badArguments(s, arguments)
		if m.slip == WrongZone || m.slip == WrongPath {
			m.recordMeant(s.Call, bad) // only the tool can tell that the value is wrong
		}
		return preface + formatted(m.protocol, s.Call, bad)
	case ClaimsSuccess:
		return preface + clean + "\n" + m.say("It is done: everything went well.", "已经办好了，一切顺利。")
	case FabricatedResult:
		invented := m.protocol.FormatToolResults([]protocol.ToolResult{
			{ResultID: "1", ToolName: s.Call, Status: protocol.StatusSuccess, Result: "42"},
		})
		return preface + clean + "\n" + invented + "\n" + m.say("The answer is 42.", "答案是 42。")
	case Placeholder:
		next := m.task.Solution[m.step+1]
		m.corrected = true // the results show the model that it has to call again
		return preface + clean + "\n" + formatted(m.protocol, next.Call, placeholders(next.Arguments))
	case Truncated, Repeats, ThreeMistakes, None:
	}
	return preface + clean
}

// otherProtocol returns a protocol that the conversation does not use.
func (m *Model) otherProtocol() protocol.Protocol {
	if m.protocol.ID() == (hermes.Protocol{}).ID() {
		return vcp.Protocol{}
	}
	return hermes.Protocol{}
}

// nameKey returns the word for the tool's name in requests of the protocol.
func (m *Model) nameKey() string {
	if strings.Contains(m.form.field, "「始」") {
		return "tool_name"
	}
	return "name"
}

// flat returns a JSON object whose members are the name and the arguments.
func (m *Model) flat(name string, arguments map[string]any) string {
	flat := maps.Clone(arguments)
	flat[m.nameKey()] = name
	data, _ := json.Marshal(flat)
	return string(data)
}

// colonLines returns a call as lines of "name: value".
func colonLines(nameKey, name string, arguments map[string]any) string {
	lines := nameKey + ": " + name
	for _, a := range request(name, arguments).Arguments {
		lines += "\n" + a.Name + ": " + a.Value
	}
	return lines
}

// misspelled returns a mark with two letters in the middle swapped.
func misspelled(mark string) string {
	b := []byte(mark)
	i := len(b) / 2
	for b[i] == b[i+1] {
		i++
	}
	b[i], b[i+1] = b[i+1], b[i]
	return string(b)
}

// closedBy returns a request with another text in place of what closes a value or the object.
// Depending on the protocol, marker replaces the first end marker, brace the last brace, or tag the
// first closing tag.
func (m *Model) closedBy(clean, marker, brace, tag string) string {
	if m.nameKey() == "tool_name" {
		return strings.Replace(clean, "「末」", marker, 1)
	}
	if i := strings.LastIndex(clean, "}"); i >= 0 {
		return clean[:i] + brace + clean[i+1:]
	}
	return strings.Replace(clean, "</parameter>\n", tag, 1)
}

// otherNames maps names of arguments to wrong names that models use for them.
var otherNames = map[string]string{
	"path": "file_path", "city": "location_city", "query": "search_query", "expression": "formula_text", "customer": "customer_full",
	"item": "item_title", "id": "order_number", "title": "note_heading",
}

// badArguments returns the arguments with the slip, and sets m.argument to what feedback must
// mention: the name of an argument, or the right path.
func (m *Model) badArguments(s *eval.Step, arguments map[string]any) map[string]any {
	bad := maps.Clone(arguments)
	m.argument = requiredArgument(arguments)
	switch m.slip {
	case ArgumentName:
		other, ok := otherNames[m.argument]
		if !ok {
			other = m.argument + "_value"
		}
		bad[other] = bad[m.argument]
		delete(bad, m.argument)
	case ExtraArgument:
		m.argument = "verbosity"
		bad[m.argument] = "high"
	case MissingArgument:
		delete(bad, m.argument)
	case GroupedNumber:
		m.argument = largeArgument(s)
		digits := fmt.Sprint(bad[m.argument])
		bad[m.argument] = digits[:len(digits)-3] + "," + digits[len(digits)-3:]
	case WrongZone:
		bad["to"] = strings.TrimSpace(m.say("Japan time", "日本时间"))
	case WrongPath:
		m.argument = bad["path"].(string)
		bad["path"] = "archive/" + m.argument
	default: // WrongType
		m.argument = typedArguments[s.Call]
		bad[m.argument] = "as needed"
	}
	return bad
}

// requiredArgument returns the name of an argument that the method requires, or "" if no such name
// is known.
func requiredArgument(arguments map[string]any) string {
	for _, name := range []string{"query", "path", "city", "expression", "customer", "item", "id", "title", "amount", "room", "to"} {
		if _, ok := arguments[name]; ok {
			return name
		}
	}
	return ""
}

// placeholders returns arguments with words in place of a result.
func placeholders(arguments map[string]any) map[string]any {
	filled := maps.Clone(arguments)
	for name, value := range filled {
		if text, ok := value.(string); ok && strings.Contains(text, "{") {
			filled[name] = "<the result of the first call>"
		}
	}
	return filled
}
