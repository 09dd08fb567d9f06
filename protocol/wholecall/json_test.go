package wholecall_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/wholecall"
)

func TestACallThatCannotBeTrustedSaysWhy(t *testing.T) {
	long := strings.Repeat("k", scan.MaxKeyBytes+1)
	for _, c := range []struct {
		name, call string
		want       scan.ErrorCode
	}{
		{"no name", `[TOOL] {"a": 1} [/TOOL]`, scan.CodeMissingToolName},
		{"same key twice", `[TOOL] w {"a": 1, "a": 1} [/TOOL]`, scan.CodeDuplicateKey},
		{"an empty key, which has no code of its own", `[TOOL] w {"": 1} [/TOOL]`, scan.CodeDuplicateKey},
		{"long key", `[TOOL] w {"` + long + `": 1} [/TOOL]`, scan.CodeLimitExceeded},
		{"as many fields as allowed, the name among them", callWith(scan.MaxFields - 1), ""},
		{"one field too many", callWith(scan.MaxFields), scan.CodeLimitExceeded},
		{"no JSON", `[TOOL] w {"a": x} [/TOOL]`, scan.CodeAmbiguousValue},
		{"a string that is never closed", `[TOOL] w {"a": "[/TOOL]`, scan.CodeAmbiguousValue},
		{"no error for an end mark in a string", `[TOOL] w {"a": "\"[/TOOL]"} [/TOOL]`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			reply, err := parser.ParseToolRequests(bracket{}, c.call, parser.Options{Finish: protocol.FinishStop})
			if err != nil || len(reply.Requests) != 1 {
				t.Fatalf("%d requests were read, want one; the error is %v", len(reply.Requests), err)
			}
			got := scan.ErrorCode("")
			if e := reply.Requests[0].Err; e != nil {
				got = e.Code
			}
			if got != c.want {
				t.Errorf("code %q, want %q", got, c.want)
			}
		})
	}
}

// An end mark ends the search for a name as well, whatever byte it begins with. The example's end
// mark begins with a bracket, which no name contains.
func TestAnEndMarkBeforeTheBraceIsNoCall(t *testing.T) {
	form := wholecall.JSONForm("<@call ", "@/call>")
	const call = `<@call w {"a": 1} @/call>`
	for _, text := range []string{"<@call w @/call>", "<@call @/call> " + call, "<@call true} @/call>"} {
		t.Run(text, func(t *testing.T) {
			reply, err := parser.ParseToolRequests(formOnly{form: form}, text, parser.Options{Finish: protocol.FinishStop})
			if err != nil || len(reply.Requests) != strings.Count(text, call) {
				t.Errorf("%d requests were read, the error is %v", len(reply.Requests), err)
			}
		})
	}
}

// formOnly is the example's protocol with other marks.
type formOnly struct {
	bracket
	form wholecall.Form
}

func (f formOnly) NewScanner(o scan.Options) scan.Scanner { return f.form.NewScanner(o) }

// callWith returns a call with a number of arguments.
func callWith(arguments int) string {
	var members []string
	for i := range arguments {
		members = append(members, fmt.Sprintf(`"a%d": 1`, i))
	}
	return "[TOOL] w {" + strings.Join(members, ", ") + "} [/TOOL]"
}

// AppendJSON refuses requests that a JSONForm cannot carry, and writes others.
func TestAppendJSONRefusesWhatCannotBeRead(t *testing.T) {
	long := strings.Repeat("k", scan.MaxKeyBytes+1)
	argument := func(name, value string, form protocol.Form) protocol.ToolRequest {
		return protocol.ToolRequest{ToolName: "w", Arguments: []protocol.Argument{{Name: name, Value: value, Form: form}}}
	}
	for name, r := range map[string]protocol.ToolRequest{
		"a command":   {ToolName: "w", Command: "c"},
		"a label":     {ToolName: "w", Label: "1"},
		"a long name": {ToolName: long},
		"no JSON":     argument("a", "x", protocol.FormJSON),
		"no UTF-8":    argument("a", "\xff", protocol.FormPlain),
	} {
		var refused *protocol.FormatError
		if _, err := wholecall.AppendJSON(nil, &r); !errors.As(err, &refused) {
			t.Errorf("%s: %v, want a *protocol.FormatError", name, err)
		}
	}
	r := argument("a", "x\"[", protocol.FormPlain)
	want := `w {"a": "x\"["}`
	if b, err := wholecall.AppendJSON([]byte("w "), &r); string(b) != want || err != nil {
		t.Errorf("a quotation mark is written as %s (%v), want %s", b, err, want)
	}
}

func TestManyEndMarksInTextTakeLinearWork(t *testing.T) {
	work := func(marks int) int {
		form := wholecall.JSONForm("[TOOL]", "[/TOOL]")
		scanner := form.NewScanner(scan.Options{})
		src := []byte(strings.Repeat("[/TOOL]", marks))
		for from := 0; ; {
			n, tok, err := scanner.Scan(src, from, true)
			if err != nil {
				t.Fatal(err)
			}
			if tok.Kind == scan.TokenNone {
				return scanner.(scan.Meter).Examined()
			}
			from += n
		}
	}
	if few, many := work(1000), work(8000); many > 9*few { // quadratic work grows 64 times
		t.Errorf("%d bytes are examined for 1000 marks, and %d for 8000", few, many)
	}
}
