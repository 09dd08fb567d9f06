package forms_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/internal/forms"
	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/protocol"
)

// readAnywhere returns the requests that Blocks and InProse find in a text.
func readAnywhere(text string, isMethod func(string) bool) (list []protocol.ToolRequest) {
	for _, block := range forms.Blocks(text) {
		list = append(list, forms.LooseBlock(block)...)
	}
	for req := range forms.InProse(text, isMethod) {
		list = append(list, req.ToolRequest)
	}
	return list
}

// If CodeCalls, Marked or Loose recognizes a request in a reply, then Blocks or InProse finds each
// of its arguments in a longer text. (A law is a property that rapid checks with generated inputs.)
func TestLawRecognizedArgumentsAreFoundInLongerTexts(t *testing.T) {
	word := rapid.StringMatching(`[a-zA-Z0-9./ é城-]{0,12}`)
	noise := rapid.StringMatching(`([a-z .:=\n]|"|'|\\|\{|\}|\[|\(|\)|<tool_call>|</tool_call>|<invoke name=|name: x|tool_name: a_b|「始」|Action: a_b\n|a_b\(){0,12}`)
	rapid.Check(t, func(t *rapid.T) {
		quoted := func(s string) string { raw, _ := json.Marshal(s); return string(raw) }
		var names, members, tags, lines, code []string
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"city", "days", "to", "größe"}), 1, 3, rapid.ID).Draw(t, "names") {
			value := strings.TrimSpace(word.Draw(t, "value"))
			names = append(names, name)
			members = append(members, quoted(name)+": "+quoted(value))
			tags = append(tags, `<parameter name="`+name+`">`+value+`</parameter>`)
			lines = append(lines, name+": "+value)
			code = append(code, name+"="+quoted(value))
		}
		object := "{" + strings.Join(members, ", ") + "}"
		form := rapid.SampledFrom([]string{
			"a_b(" + strings.Join(code, ", ") + ")",
			"Action: a_b\nAction Input: " + object,
			`{"name": "a_b", "arguments": ` + object + `}`,
			`{` + strings.Join(members, ", ") + `, "tool": "a_b"}`,
			"<tool_call>\nname: a_b\n" + strings.Join(lines, "\n") + "\n</tool_call>",
			`<function_calls><invoke name="a_b">` + strings.Join(tags, "\n") + `</invoke></function_calls>`,
			"<tool_call>\n<function=a_b>\n" + object + "\n</function>\n</tool_call>",
		}).Draw(t, "form")
		var recognized []protocol.ToolRequest
		for _, req := range forms.CodeCalls(form) {
			recognized = append(recognized, req)
		}
		for _, block := range forms.Marked(form) {
			recognized = append(recognized, forms.Loose(block)...)
		}
		recognized = append(recognized, forms.Loose(form)...)
		if len(recognized) == 0 {
			t.Fatalf("%q is not recognized with the arguments %v", form, names)
		}
		text := noise.Draw(t, "before") + "\n" + form + "\n" + noise.Draw(t, "after")
		found := readAnywhere(text, func(name string) bool { return name == "a_b" })
		for _, want := range recognized {
			if want.ToolName != "a_b" {
				continue
			}
			for _, a := range want.Arguments {
				isSame := func(b protocol.Argument) bool { return cmp.Equal(a, b) }
				contains := func(req protocol.ToolRequest) bool {
					return req.ToolName == want.ToolName && slices.ContainsFunc(req.Arguments, isSame)
				}
				if !slices.ContainsFunc(found, contains) {
					t.Fatalf("%v of %q is not found in %q: %v", a, form, text, found)
				}
			}
		}
	})
}
