package hermes

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol"
)

const (
	callStart     = "<tool_call>"
	callEnd       = "</tool_call>"
	responseStart = "<tool_response>"
	responseEnd   = "</tool_response>"
	toolsStart    = "<tools>"
	toolsEnd      = "</tools>"
)

// FormatToolRequests writes one tag a request. A plain argument is written as a JSON string, so it reads back as JSON. What would read
// back as something else is refused with a *protocol.FormatError: a command, since a call has one name; a name that is blank or has white space around it; an
// argument that has no name or stands twice; a value that is no JSON, or text that is no UTF-8, which JSON cannot hold; and what passes the
// limits of a reply.
func (Protocol) FormatToolRequests(requests []protocol.ToolRequest) (string, error) {
	var b []byte
	if len(requests) > protocol.MaxBlocks {
		return "", &protocol.FormatError{
			Protocol: protocolID, ToolName: requests[protocol.MaxBlocks].ToolName,
			Reason: fmt.Sprintf("it is behind the %d requests that a reply may hold", protocol.MaxBlocks),
		}
	}
	for i := range requests {
		if err := checkRequest(&requests[i]); err != nil {
			return "", err
		}
		start := len(b)
		if i > 0 {
			b = append(b, '\n')
		}
		b = append(b, callStart+"\n"...)
		b = appendCall(b, &requests[i], false)
		b = append(b, "\n"+callEnd...)
		if size := len(b) - start; size > protocol.MaxBlockBytes {
			return "", &protocol.FormatError{
				Protocol: protocolID, ToolName: requests[i].ToolName,
				Reason: fmt.Sprintf("it is %d bytes long, and a request may have %d", size, protocol.MaxBlockBytes),
			}
		}
	}
	return string(b), nil
}

// appendCall appends the object of a call. In foreign text no tag can stand.
func appendCall(b []byte, r *protocol.ToolRequest, foreign bool) []byte {
	b = append(b, `{"`+keyName+`": `...)
	b = appendString(b, r.ToolName, foreign)
	if r.Label != "" {
		b = append(b, `, "`+keyID+`": `...)
		b = appendString(b, r.Label, foreign)
	}
	b = append(b, `, "`+keyArguments+`": {`...)
	for i, a := range r.Arguments {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendString(b, a.Name, foreign)
		b = append(b, ": "...)
		switch {
		case a.Form == protocol.FormPlain:
			b = appendString(b, a.Value, foreign)
		case foreign:
			b = append(b, withoutTags(a.Value)...)
		default:
			b = append(b, a.Value...)
		}
	}
	return append(b, "}}"...)
}

// withoutTags returns JSON with its angle brackets, which stand in strings, escaped.
func withoutTags(text string) string {
	return strings.NewReplacer("<", `\u003c`, ">", `\u003e`).Replace(text)
}

// CarriesArgument reports whether a name has a length that is read.
func (Protocol) CarriesArgument(name string) bool {
	return name != "" && len(name) <= protocol.MaxKeyBytes
}

// maxArguments leaves room for the fields name and id.
const maxArguments = protocol.MaxFields - 2

func checkRequest(r *protocol.ToolRequest) error {
	refuse := func(argument, reason string) error {
		return &protocol.FormatError{Protocol: protocolID, ToolName: r.ToolName, Argument: argument, Reason: reason}
	}
	switch bare := strings.TrimFunc(r.ToolName, unicode.IsSpace); {
	case bare == "":
		return refuse("", "the name is blank")
	case bare != r.ToolName:
		return refuse("", "the name has white space around it")
	case r.Command != "":
		return refuse("", "a call has one name, and "+strconv.Quote(r.Command)+" is a second")
	case !utf8.ValidString(r.ToolName), !utf8.ValidString(r.Label):
		return refuse("", "its name or id is no UTF-8")
	case len(r.Arguments) > maxArguments:
		return refuse("", fmt.Sprintf("it has %d arguments, and a call may have %d", len(r.Arguments), maxArguments))
	}
	seen := make(map[string]bool, len(r.Arguments))
	for _, a := range r.Arguments {
		switch {
		case !(Protocol{}).CarriesArgument(a.Name):
			return refuse(a.Name, "a name has 1 to "+strconv.Itoa(protocol.MaxKeyBytes)+" bytes")
		case seen[a.Name]:
			return refuse(a.Name, "the name is written twice")
		case !utf8.ValidString(a.Name) || !utf8.ValidString(a.Value):
			return refuse(a.Name, "it is no UTF-8")
		case a.Form == protocol.FormJSON && (!json.Valid([]byte(a.Value)) || strings.Trim(a.Value, " \t\r\n") != a.Value):
			return refuse(a.Name, "it is no JSON value without white space around it")
		case a.Form == protocol.FormJSON && depth(a.Value) > maxDepth:
			return refuse(a.Name, "its brackets are nested deeper than "+strconv.Itoa(maxDepth))
		}
		seen[a.Name] = true
	}
	return nil
}

// depth returns how deep the brackets of a JSON value are nested.
func depth(value string) int {
	now, most, quoted := 0, 0, false
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case quoted:
		case c == '{' || c == '[':
			now++
			most = max(most, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return most
}
