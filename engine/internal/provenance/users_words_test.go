package provenance_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// A value counts as written by the user only if the user wrote it as whole words.
func TestTheUsersValuesAreWholeWords(t *testing.T) {
	for _, tt := range []struct {
		name, words string
		values      []string
		isUsers     bool // whether the request counts as written by the user
	}{
		{
			"one of two values", "Summarize docs/notes/shopping-list.md please.",
			[]string{"docs/notes/shopping-list.md", "rm -rf ~"},
			false,
		},
		{
			"both values", "Write rm -rf ~ to docs/notes/shopping-list.md.",
			[]string{"docs/notes/shopping-list.md", "rm -rf ~"},
			true,
		},
		{"a part of a path", "Summarize docs/notes.md.", []string{"docs"}, false},
		{"the root in a path", "Summarize docs/notes.md.", []string{"/"}, false},
		{"a longer path than the value", "Delete docs/notes/shopping-list-of-may.md", []string{"docs/notes/shopping-list"}, false},
		{"a part of a word", "Format it.", []string{"rm"}, false},
		{"an empty value", "Summarize notes.md.", []string{"notes.md", ""}, false},
		{"a relative path in place of an absolute one", "Summarize notes.md.", []string{"/notes.md"}, false},
		{"a path at the end of a sentence", "Read notes.md.", []string{"notes.md"}, true},
		{"quotation marks", `Read "notes.md" and 'b c'.`, []string{"notes.md", "b c"}, true},
		{"another case and more spaces", "Say Hello   World!", []string{"hello world"}, true},
		{"Chinese without spaces", "请删除notes.md，查北京的天气", []string{"notes.md", "北京"}, true},
		{"a number", "Show 5 items.", []string{"5"}, true},
		{"a part of a number", "Show 15 items.", []string{"5"}, false},
		{"a list", "Mail ann@a.test and bob@b.test.", []string{`["ann@a.test","bob@b.test"]`}, true},
		{"a list with one more element", "Mail ann@a.test.", []string{`["ann@a.test","eve@e.test"]`}, false},
		{"an object with null", "Set size to null.", []string{`{"size":null}`}, true},
		{"an object with null that the user did not write", "Set size.", []string{`{"size":null}`}, false},
		{"an object with another name", "Set it to 1.", []string{`{"PATH":1}`}, false},
		{
			"a long text in other lines", "Write: " + strings.Repeat("all of this text\n", 6),
			[]string{strings.Repeat("all of this text ", 5) + "all of this text"},
			true,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			req := request("files_send")
			for i, value := range tt.values {
				form := protocol.FormPlain
				if json.Valid([]byte(value)) {
					form = protocol.FormJSON
				}
				argument := protocol.Argument{Name: fmt.Sprint("name", i), Value: value, Form: form}
				req.Arguments = append(req.Arguments, argument)
			}
			m := newMemory()
			m.AddForeign(page, written(hermes.Protocol{}, req))
			m.SetLive(tt.words)
			_, ok := copied(m, req)
			require.Equal(t, tt.isUsers, !ok)
		})
	}
}

// An imported conversation continues with similar requests. If these counted, each further short
// call of a method that the conversation has called would need approval.
func TestSimilarImportedRequestsDoNotCount(t *testing.T) {
	imported := protocol.Source{Origin: protocol.OriginImport}
	planted := request("files_copy", "from", "notes.txt", "to", "a.txt", "mode", "one", "comment", "now")
	for _, tt := range []struct {
		name   string
		source protocol.Source
		req    protocol.ToolRequest
		found  bool
	}{
		{
			"the request with another short value, imported", imported,
			request("files_copy", "from", "notes.txt", "to", "b.txt", "mode", "one", "comment", "now"), false,
		},
		{
			"the request with another short value, of a page", page,
			request("files_copy", "from", "notes.txt", "to", "b.txt", "mode", "one", "comment", "now"), true,
		},
		{"one equal value, imported", imported, request("files_copy", "from", "notes.txt"), false},
		{"one equal value, of a page", page, request("files_copy", "from", "notes.txt"), true},
		{"the same request, imported", imported, planted, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newMemory()
			m.AddForeign(tt.source, "Done: "+written(vcp.Protocol{}, planted))
			_, ok := copied(m, tt.req)
			require.Equal(t, tt.found, ok)
		})
	}
}
