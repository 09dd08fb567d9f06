package protocoltest_test

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/protocoltest"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/wholecall"
)

// tiny is a whole protocol. A request is [[call files_read&path=a.txt&lines=3]]: the method and its
// arguments, escaped as in the query of a URL. So no value contains a mark.
type tiny struct{}

const (
	callOpen   = "[[call "
	callClose  = "]]" // also of a result
	resultOpen = "[[result&"
	callBytes  = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~%+&="
)

func (tiny) ID() string                             { return "tiny" }
func (tiny) Repairs() []scan.Repair                 { return nil }
func (tiny) NewScanner(o scan.Options) scan.Scanner { return tinyForm.NewScanner(o) }
func (tiny) ErrorMessage(scan.ErrorCode, protocol.PromptOptions) string {
	return "write [[call name&parameter=value]]"
}

func (tiny) GenerateToolDefinitions(definitions []protocol.ToolDefinition, _ protocol.PromptOptions) string {
	b := ""
	for _, d := range definitions {
		b += "\n" + d.ToolName + ": " + tiny{}.Neutralize(d.Description)
		for _, p := range d.Parameters {
			b += "\n- " + p.Name + " (" + p.Type + "): " + tiny{}.Neutralize(p.Description)
		}
	}
	if b == "" {
		return ""
	}
	return "To call a method write [[call name&parameter=value&parameter=value]], escaped as in a URL. The methods:\n" + b
}

func (tiny) FormatToolRequests(requests []protocol.ToolRequest) (string, error) {
	return protocol.FormatRequests("tiny", requests, func(b []byte, r *protocol.ToolRequest) ([]byte, error) {
		if r.Command != "" || r.Label != "" {
			return b, &protocol.FormatError{Reason: "a request has one name, and neither a command nor a label"}
		}
		call := callOpen + url.QueryEscape(r.ToolName)
		for _, a := range r.Arguments {
			call += "&" + url.QueryEscape(a.Name) + "=" + url.QueryEscape(a.Value)
		}
		return append(b, call+callClose...), nil
	})
}

func (tiny) FormatToolResults(results []protocol.ToolResult) string {
	b := ""
	for _, r := range results {
		b += resultOpen
		for _, value := range []string{r.ResultID, r.ToolName, string(r.Status), r.ErrorType, r.Suggestion, r.Result} {
			b += url.QueryEscape(value) + "&" // an escaped value cannot begin or end a mark
		}
		b += callClose + "\n"
	}
	return b
}

// Neutralize separates the two brackets at the start of every mark. The first may also end one
// text, and the second begin the next.
func (tiny) Neutralize(text string) string {
	text = strings.ReplaceAll(text, "[[", "[ [")
	text = strings.ReplaceAll(text, "[[", "[ [") // three brackets need a second pass
	if strings.HasPrefix(text, "[") {
		text = " " + text
	}
	return text
}

// tinyForm says where a call ends and what its fields are. An end mark in text casts doubt on the
// calls before it: the model may have written a value without its escapes.
var tinyForm = wholecall.Form{
	Open: callOpen, NewEnd: func() wholecall.End { return endOfCall }, Fields: tinyFields, Requests: readTiny,
	Marks: map[string]scan.Evidence{callClose: scan.EvidenceCloser, resultOpen: scan.EvidenceResult},
}

func endOfCall(call []byte, from int) (int, scan.Match) {
	i := max(from, len(callOpen))
	for i < len(call) && strings.IndexByte(callBytes, call[i]) >= 0 {
		i++
	}
	switch rest := call[i:]; {
	case bytes.HasPrefix(rest, []byte(callClose)) && i > len(callOpen):
		return i + len(callClose), scan.MatchYes
	case strings.HasPrefix(callClose, string(rest)):
		return i, scan.MatchShort
	}
	return i, scan.MatchNo
}

// tinyFields returns the method, which has no key, and the arguments. Their values have escapes.
func tinyFields(call []byte) (fields []wholecall.Field) {
	at := len(callOpen)
	for i, part := range strings.SplitAfter(string(call[at:len(call)-len(callClose)]), "&") {
		f := wholecall.Field{Name: "call", Start: at, End: at + len(strings.TrimSuffix(part, "&")), Role: scan.FieldReserved}
		if name, _, _ := strings.Cut(part[:f.End-at], "="); i > 0 {
			f.Name, f.Start = name, min(f.End, at+len(name)+1)
			if name == "" {
				f.Code = scan.CodeBadKey
			}
		}
		fields = append(fields, f)
		at += len(part)
	}
	return fields
}

func readTiny(fields []scan.Field) []scan.Reading {
	r := scan.Reading{}
	for i, f := range fields {
		name, err := url.QueryUnescape(f.Name)
		value, err2 := url.QueryUnescape(f.Value)
		if slices.ContainsFunc(r.Arguments, func(a scan.Field) bool { return a.Name == name }) {
			r.Fail(scan.CodeDuplicateKey, "an argument occurs twice; write it once")
		}
		if i == 0 {
			r.ToolName = value
		} else {
			r.Arguments = append(r.Arguments, scan.Field{Name: name, Value: value})
		}
		if err != nil || err2 != nil {
			r.Fail(scan.CodeBadKey, "an escape is % and two digits of 0 to F")
		}
	}
	return []scan.Reading{r}
}

func TestTinyFollowsTheRules(t *testing.T) { protocoltest.Run(t, tiny{}) }

// Your own protocol is used like any other.
func Example() {
	const text = "One moment. [[call files_read&path=my+notes.txt]]"
	reply, err := parser.ParseToolRequests(tiny{}, text, parser.Options{Finish: protocol.FinishStop})
	fmt.Printf("%q %+v %v\n", reply.Text, reply.Requests[0].Arguments, err)
	// Output: "One moment. " [{Name:path Value:my notes.txt Form:plain}] <nil>
}
