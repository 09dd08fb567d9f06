package parser_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// FuzzJSON checks that any text reads back from the JSON form of a reply. If an argument's value is
// not UTF-8, its exact bytes read back.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{
		"", "plain", "1234567\"", "12345678\"", "字字字\\\n\r\t", "\x00\x1f\x20\x7f\u0080", "a\xffb\xe5\xad",
		"\ufffd\u2028<&>", "\xff", "1234567\x001234567\x001234567", "\xff\"\xff\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		arguments := []protocol.Argument{{Name: "a", Value: s}, {Name: "a", Value: s + "2"}, {Name: "b", Value: "x"}}
		request := parser.Request{ToolRequest: protocol.ToolRequest{Arguments: arguments}}
		reply := parser.Reply{Text: parser.Text{s}, Requests: []parser.Request{request}}
		text := reply.AppendJSON(nil)
		var got struct {
			Text     string
			Requests []struct {
				Args      map[string]string
				Arguments []struct {
					Value       string
					ValueBase64 []byte
				}
			}
		}
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("%q is written as %s: %v", s, text, err)
		}
		want := string([]rune(s)) // U+FFFD for each invalid byte
		q := got.Requests[0]

		if got.Text != want || q.Args["a"] != want || q.Arguments[0].Value != want || q.Arguments[1].Value != want+"2" {
			t.Fatalf("%q is written as %s, which reads back differently", s, text)
		}
		exact := string(q.Arguments[0].ValueBase64)
		if utf8.ValidString(s) != (exact == "") || exact != "" && exact != s {
			t.Fatalf("%q is written as %s, in which valueBase64 means %q", s, text, exact)
		}
	})
}
