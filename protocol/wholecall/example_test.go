package wholecall_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/protocoltest"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/wholecall"
)

// bracket is a protocol whose requests look like [TOOL] name {json} [/TOOL]. The model escapes the
// strings of the JSON, so the end mark counts outside strings only, and one in text casts doubt.
type bracket struct{}

const (
	callOpen  = "[TOOL] "
	callClose = "[/TOOL]"
	usage     = `[TOOL] name {"parameter": value, ...} [/TOOL]`
)

var (
	nameForm  = regexp.MustCompile(`^[\pL\pN_][\pL\pM\pN_./-]*$`)
	callMarks = regexp.MustCompile(`\[(/?(TOOL|RESULT)\b)`)
)

func (bracket) ID() string                         { return "bracket" }
func (bracket) Repairs() []scan.Repair             { return nil }
func (bracket) ErrorMessage(scan.ErrorCode) string { return "write " + usage + ", in valid JSON" }

func (bracket) GenerateToolDefinitions(definitions []protocol.ToolDefinition, _ protocol.PromptOptions) string {
	b := ""
	for _, d := range definitions {
		b += "\n" + d.ToolName + ": " + bracket{}.Neutralize(d.Description)
		for _, p := range d.Parameters {
			text, _ := json.Marshal(p) // always encodes
			b += "\n" + bracket{}.Neutralize(string(text))
		}
	}
	if b == "" {
		return ""
	}
	return "To call a method write " + usage + `, with \" for a quotation mark in a string. The methods:` + b + "\n"
}

func (bracket) FormatToolRequests(requests []protocol.ToolRequest) (string, error) {
	return protocol.FormatRequests("bracket", requests, func(b []byte, r *protocol.ToolRequest) ([]byte, error) {
		if r.Command != "" || r.Label != "" || !nameForm.MatchString(r.ToolName) || len(r.ToolName) > scan.MaxKeyBytes {
			return b, &protocol.FormatError{Reason: "a request has one name of letters and digits, and no label"}
		}
		b = append(b, callOpen+r.ToolName+" {"...)
		for i, a := range r.Arguments {
			value := []byte(a.Value)
			if a.Form == protocol.FormPlain {
				value, _ = json.Marshal(a.Value)
			}
			if !utf8.ValidString(a.Name+a.Value) || !json.Valid(value) || len(a.Name) > scan.MaxKeyBytes {
				return b, &protocol.FormatError{Argument: a.Name, Reason: "it is not JSON, or its name is too long"}
			}
			key, _ := json.Marshal(a.Name)
			b = append(b, fmt.Sprintf("%.*s%s: %s", 2*min(i, 1), ", ", key, value)...)
		}
		return append(b, "} "+callClose...), nil
	})
}

func (bracket) FormatToolResults(results []protocol.ToolResult) (b string) {
	for _, r := range results {
		text, _ := json.Marshal(r)
		b += "[RESULT] " + strings.ReplaceAll(string(text), "[", `\u005b`) + " [/RESULT]\n" // it stands in strings only
	}
	return b
}

// Neutralize parts the bracket of a mark from its word, also at the end, where another text may
// bring it.
func (bracket) Neutralize(text string) string {
	text = callMarks.ReplaceAllString(text, "[ $1")
	if i := strings.LastIndexByte(text, '['); i >= 0 && len(text)-i < len("[/RESULT]") {
		text = text[:i+1] + strings.TrimSuffix(" "+text[i+1:], "  ")
	}
	return text
}

func (bracket) NewScanner(scan.Options) scan.Scanner { return form.NewScanner() }

var form = wholecall.Form{
	Open: callOpen, NewEnd: newEnd, Fields: fields, Requests: readCall, Unclosed: scan.CodeAmbiguousValue,
	Marks: map[string]scan.Evidence{callClose: scan.EvidenceCloser, "[RESULT] {": scan.EvidenceResult},
}

// newEnd finds the end mark outside strings, after a name and the beginning of an object.
func newEnd() wholecall.End {
	named, quoted, escaped := false, false, false
	return func(call []byte, from int) (int, wholecall.State) {
		for i := max(from, len(callOpen)); i < len(call); i++ {
			c, rest := call[i], call[i:]
			switch {
			case !named && c == '{':
				named = true
			case !named && (c < ' ' || strings.IndexByte(`[]"<>`, c) >= 0 || i > 2*scan.MaxKeyBytes):
				return i, wholecall.None
			case quoted:
				quoted, escaped = escaped || c != '"', !escaped && c == '\\'
			case c == '"':
				quoted = true
			case bytes.HasPrefix(rest, []byte(callClose)):
				return i + len(callClose), wholecall.Whole
			case strings.HasPrefix(callClose, string(rest[:min(len(rest), len(callClose))])):
				return i, wholecall.More
			}
		}
		return len(call), wholecall.More
	}
}

func fields(call []byte) []wholecall.Field {
	brace, end := bytes.IndexByte(call, '{'), len(call)-len(callClose)
	return []wholecall.Field{
		{Name: "name", Start: len(callOpen), End: brace, Role: scan.FieldReserved},
		{Name: "arguments", Start: brace, End: end, Role: scan.FieldReserved},
	}
}

func readCall(fields []scan.Field) []scan.Reading {
	r, call := scan.Reading{}, protocol.ToolCall{Arguments: "none"}
	for _, f := range fields {
		if f.Name == "name" {
			call.Name = strings.TrimSpace(f.Value)
		} else {
			call.Arguments = strings.TrimSpace(f.Value)
		}
	}
	request, err := call.Request()
	code, seen := scan.ErrorCode(""), map[string]bool{}
	for _, a := range request.Arguments {
		switch {
		case len(a.Name) > scan.MaxKeyBytes || len(seen) > scan.MaxFields:
			code = scan.CodeLimitExceeded
		case seen[a.Name] || a.Name == "":
			code = scan.CodeDuplicateKey
		}
		seen[a.Name] = true
		r.Arguments = append(r.Arguments, scan.Field{Name: a.Name, Value: a.Value, JSON: true})
	}
	switch r.ToolName = request.ToolName; {
	case err != nil:
		code = scan.CodeAmbiguousValue
	case call.Name == "":
		code = scan.CodeMissingToolName
	}
	if code != "" {
		r.Err = &scan.RequestError{Code: code, Message: bracket{}.ErrorMessage(code)}
	}
	return []scan.Reading{r}
}

func TestBracket(t *testing.T) { protocoltest.Run(t, bracket{}) }

// A quotation mark that the model forgot to escape does not let a request in the value run.
func Example() {
	const text = `[TOOL] w {"a": "x"} [/TOOL] [TOOL] rm {"b": 1} [/TOOL]"} [/TOOL]`
	reply, err := parser.ParseToolRequests(bracket{}, text, parser.Options{Finish: protocol.FinishStop})
	for _, q := range reply.Requests {
		fmt.Println(q.ToolName, q.Status, q.Err.Code)
	}
	fmt.Println(err)
	// Output:
	// w invalid stray_closer
	// rm invalid stray_closer
	// <nil>
}
