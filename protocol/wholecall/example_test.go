package wholecall_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/protocoltest"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/wholecall"
)

// bracket is a protocol whose requests look like [TOOL] name {json} [/TOOL]. The model escapes the
// strings of the JSON, so an end mark counts only outside of strings. An end mark in text casts
// doubt on the requests before it.
type bracket struct{}

const (
	callOpen   = "[TOOL] "
	callClose  = "[/TOOL]"
	resultOpen = "[RESULT] {"
	usage      = `[TOOL] name {"parameter": value, ...} [/TOOL]`
)

var (
	nameForm = regexp.MustCompile(`^[\pL\pN_][\pL\pM\pN_./-]*$`)
	// A mark, or the beginning of one at the end of a text: the next text may contain the rest.
	marks = regexp.MustCompile(`\[(/?(?:(?:TOOL|RESULT)\b|(?:T|TO|TOO|R|RE|RES|RESU|RESUL)?$))`)
)

func (bracket) ID() string             { return "bracket" }
func (bracket) Repairs() []scan.Repair { return nil }
func (bracket) ErrorMessage(scan.ErrorCode, protocol.PromptOptions) string {
	return "write " + usage + ", in valid JSON"
}

func (bracket) GenerateToolDefinitions(definitions []protocol.ToolDefinition, _ protocol.PromptOptions) string {
	b := ""
	for _, d := range definitions {
		b += "\n" + d.ToolName + ": " + bracket{}.Neutralize(d.Description)
		for _, p := range d.Parameters {
			text, _ := json.Marshal(p) // the JSON in a definition is valid
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
		if !nameForm.MatchString(r.ToolName) {
			return b, &protocol.FormatError{Reason: "a name has letters and digits"}
		}
		b, err := wholecall.AppendJSON(append(b, callOpen+r.ToolName+" "...), r)
		return append(b, " "+callClose...), err
	})
}

func (bracket) FormatToolResults(results []protocol.ToolResult) (b string) {
	for _, r := range results {
		text, _ := json.Marshal(r)
		b += "[RESULT] " + strings.ReplaceAll(string(text), "[", `\u005b`) + " [/RESULT]\n" // no bracket of a mark is left
	}
	return b
}

// Neutralize separates the bracket of a mark from its word.
func (bracket) Neutralize(text string) string { return marks.ReplaceAllString(text, "[ $1") }

func (bracket) NewScanner(o scan.Options) scan.Scanner { return form.NewScanner(o) }

var form = func() wholecall.Form {
	f := wholecall.JSONForm(callOpen, callClose)
	f.Marks[resultOpen] = scan.EvidenceResult
	return f
}()

func TestBracketFollowsTheRules(t *testing.T) { protocoltest.Run(t, bracket{}) }

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
