package wholecall

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// JSONForm returns a Form for calls of a name and a JSON object between the marks open and end.
//
// The model escapes the strings of the object. So a call ends at the first end mark outside of
// them. An end mark in text is evidence that a string ended too early. A call that is open at the
// end of the reply is ambiguous. The start mark begins a call only if a brace follows it on the
// same line, after at most a name. Add the mark of a result to Marks.
func JSONForm(open, end string) Form {
	return Form{
		Open: open, Unclosed: scan.CodeAmbiguousValue, Marks: map[string]scan.Evidence{end: scan.EvidenceCloser},
		NewEnd: func() End { return (&jsonCall{open: open, end: end}).find },
		Fields: func(call []byte) []Field {
			brace := bytes.IndexByte(call, '{')
			return []Field{
				{Name: fieldName, Start: len(open), End: brace, Role: scan.FieldReserved},
				{Name: fieldArguments, Start: brace, End: len(call) - len(end), Role: scan.FieldReserved},
			}
		},
		Requests: func(fields []scan.Field) []scan.Reading { return []scan.Reading{readJSON(fields)} },
	}
}

// The fields of a JSONForm.
const (
	fieldName      = "name"
	fieldArguments = "arguments"
)

// jsonCall is the state of the search for a call's end.
type jsonCall struct {
	open, end string
	named     bool // the brace after the name was read
	quoted    bool // the next byte is in a string
	escaped   bool // the byte before is a backslash that escapes the next one
}

// find is an End, with the state in j.
func (j *jsonCall) find(call []byte, from int) (int, scan.Match) {
	for i := max(from, len(j.open)); i < len(call); i++ {
		c, rest := call[i], call[i:]
		switch {
		// The name ends at the brace. Twice its limit leaves room for blanks around it.
		case !j.named && (c < ' ' || strings.IndexByte(`[]"<>`, c) >= 0 || i > len(j.open)+2*scan.MaxKeyBytes):
			return i, scan.MatchNo
		case !j.quoted && bytes.HasPrefix(rest, []byte(j.end)):
			if !j.named {
				return i, scan.MatchNo
			}
			return i + len(j.end), scan.MatchYes
		case !j.quoted && strings.HasPrefix(j.end, string(rest[:min(len(rest), len(j.end))])):
			return i, scan.MatchShort
		case !j.named && c == '{':
			j.named = true
		case j.quoted:
			j.quoted, j.escaped = j.escaped || c != '"', !j.escaped && c == '\\'
		case c == '"':
			j.quoted = true
		}
	}
	return len(call), scan.MatchShort
}

// readJSON reads the fields of a call. The name, the arguments or both may be missing.
func readJSON(fields []scan.Field) (r scan.Reading) {
	call := protocol.ToolCall{Arguments: "none"} // not JSON, so that missing arguments are an error
	for _, f := range fields {
		if f.Name == fieldName {
			call.Name = strings.TrimSpace(f.Value)
		} else {
			call.Arguments = strings.TrimSpace(f.Value)
		}
	}
	request, err := call.Request()
	r.ToolName = request.ToolName
	seen := map[string]bool{}
	for _, a := range request.Arguments {
		switch {
		case 1+len(seen) >= scan.MaxFields: // the name is a field, too
			r.Fail(scan.CodeLimitExceeded, "")
		case seen[a.Name] || a.Name == "": // an empty name has no code of its own
			r.Fail(scan.CodeDuplicateKey, "")
		}
		seen[a.Name] = true
		r.Arguments = append(r.Arguments, scan.Field{Name: a.Name, Value: a.Value, JSON: true})
	}
	if call.Name == "" {
		r.Fail(scan.CodeMissingToolName, "")
	}
	if err != nil {
		r.Fail(scan.CodeAmbiguousValue, "")
	}
	return r
}

// AppendJSON appends the arguments of r to b as one JSON object, which a JSONForm reads. The error
// is a *protocol.FormatError. r must not have a command or a label, for which there is no place.
// Its name may have up to scan.MaxKeyBytes. Names and values must be UTF-8, and values of FormJSON
// must be JSON.
func AppendJSON(b []byte, r *protocol.ToolRequest) ([]byte, error) {
	if r.Command != "" || r.Label != "" || len(r.ToolName) > scan.MaxKeyBytes {
		return b, &protocol.FormatError{Reason: "it has a command, a label, or a name of more than 128 bytes; write the full name alone"}
	}
	b = append(b, '{')
	for i, a := range r.Arguments {
		value := []byte(a.Value)
		if a.Form == protocol.FormPlain {
			value, _ = json.Marshal(a.Value) // a string always encodes
		}
		if !utf8.ValidString(a.Name+a.Value) || !json.Valid(value) {
			return b, &protocol.FormatError{Argument: a.Name, Reason: "it is not a JSON value in UTF-8"}
		}
		if i > 0 {
			b = append(b, ", "...)
		}
		key, _ := json.Marshal(a.Name)
		b = append(append(append(b, key...), ": "...), value...)
	}
	return append(b, '}'), nil
}
