package hermes

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/internal/tags"
	"github.com/vcpgo/vcp/protocol/scan"
)

// FormatToolRequests writes one <tool_call> element per request. A plain argument is written as a
// JSON string, so it reads back as JSON. FormatToolRequests refuses requests that would read back
// as something else. A request with a command is refused, because a call has one name.
func (Protocol) FormatToolRequests(requests []protocol.ToolRequest) (string, error) {
	return protocol.FormatRequests(protocolID, requests, func(b []byte, r *protocol.ToolRequest) ([]byte, error) {
		if err := checkRequest(r); err != nil {
			return b, err
		}
		b = append(b, tags.CallStart+"\n"...)
		b = appendCall(b, r, false)
		return append(b, "\n"+tags.CallEnd...), nil
	})
}

// appendCall appends the object of a call. If foreign is set, the object contains no tag.
func appendCall(b []byte, r *protocol.ToolRequest, foreign bool) []byte {
	b = append(b, `{"`+keyName+`": `...)
	b = appendQuoted(b, r.ToolName, foreign)
	if r.Label != "" {
		b = append(b, `, "`+keyID+`": `...)
		b = appendQuoted(b, r.Label, foreign)
	}
	b = append(b, `, "`+keyArguments+`": {`...)
	for i, a := range r.Arguments {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendQuoted(b, a.Name, foreign)
		b = append(b, ": "...)
		switch {
		case a.Form == protocol.FormPlain:
			b = appendQuoted(b, a.Value, foreign)
		case foreign:
			b = append(b, withoutTags(a.Value)...)
		default:
			b = append(b, a.Value...)
		}
	}
	return append(b, "}}"...)
}

// withoutTags returns JSON with the angle brackets of tags in its strings escaped.
func withoutTags(text string) string {
	if strings.IndexByte(text, '<') < 0 && strings.IndexByte(text, '>') < 0 {
		return text
	}
	var b []byte
	for i := range len(text) {
		if c := text[i]; partOfTag(text, i) {
			b = appendEscape(b, c)
		} else {
			b = append(b, c)
		}
	}
	return string(b)
}

// CarriesArgument reports whether a name can be read: it has 1 to scan.MaxKeyBytes bytes.
func (Protocol) CarriesArgument(name string) bool {
	return name != "" && len(name) <= scan.MaxKeyBytes
}

// checkRequest refuses what JSON cannot express, and what would read back as something else.
// protocol.FormatRequests has checked the names.
func checkRequest(r *protocol.ToolRequest) error {
	refuse := func(argument, reason string) error {
		return &protocol.FormatError{Argument: argument, Reason: reason}
	}
	switch {
	case r.Command != "":
		return refuse("", "a call has one name, and "+strconv.Quote(r.Command)+" is a second")
	case !utf8.ValidString(r.ToolName), !utf8.ValidString(r.Label):
		return refuse("", "its name or ID is not UTF-8")
	}
	for _, a := range r.Arguments {
		switch {
		case !utf8.ValidString(a.Name) || !utf8.ValidString(a.Value):
			return refuse(a.Name, "it is not UTF-8")
		case a.Form == protocol.FormJSON &&
			(!json.Valid([]byte(a.Value)) || strings.Trim(a.Value, " \t\r\n") != a.Value):
			return refuse(a.Name, "it is not a JSON value without white space around it")
		case a.Form == protocol.FormJSON && tooDeep(a.Value):
			return refuse(a.Name, "its brackets are nested deeper than "+strconv.Itoa(maxDepth))
		}
	}
	return nil
}
