package builtin_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSearchFindsLines(t *testing.T) {
	const omitted = "\n(Omitted, because they are binary, larger than 4194304 bytes or unreadable: 2 files.)"
	for _, test := range []struct {
		name string
		args args
		want string
	}{
		{
			"plain text",
			args{"query": "text"},
			"README.md:3: Some text.\nprotocol/message.go:3: // Message is text.\nprotocol/vcp/scan.go:2: // text" + omitted,
		},
		{
			"in a directory",
			args{"query": "text", "path": "protocol"},
			"protocol/message.go:3: // Message is text.\nprotocol/vcp/scan.go:2: // text",
		},
		{"in files that match the glob", args{"query": "text", "glob": "*.md"}, "README.md:3: Some text."},
		{"in a single file", args{"query": "Text", "path": "README.md"}, "README.md:4: More Text."},
		{
			"in any letter case",
			args{"query": "TEXT", "path": "README.md", "ignore_case": "true"},
			"README.md:3: Some text.\nREADME.md:4: More Text.",
		},
		{"plain text is not read as an expression", args{"query": "main()", "glob": "*.go"}, "main.go:3: func main() {}"},
		{
			"an expression",
			args{"query": `^package \w+$`, "regexp": "true", "path": "protocol"},
			"protocol/message.go:1: package protocol\nprotocol/tool.go:1: package protocol\nprotocol/vcp/scan.go:1: package vcp",
		},
		{
			"an expression in any letter case",
			args{"query": "^# t", "regexp": "true", "ignoreCase": "true", "path": "README.md"},
			"README.md:1: # Title",
		},
		{"the directory .git, if it is named", args{"query": "text", "path": ".git"}, ".git/config:1: text"},
		{"nothing", args{"query": "absent", "path": "protocol"}, `"absent" was not found in protocol.`},
		{
			"nothing, because an expression is searched for as plain text",
			args{"query": "^pack.*", "path": "protocol"},
			`"^pack.*" was not found in protocol. It was searched for as plain text; if it is a regular expression, set regexp to true.`,
		},
		{
			"found only in another case",
			args{"query": "TEXT", "path": "README.md"},
			`"TEXT" was not found in README.md. If case is ignored, the search finds 2 matching lines, the first in ` +
				`README.md line 3; set ignoreCase to true.`,
		},
		{
			"an expression that matches only in another case",
			args{"query": "^PACKAGE", "regexp": "true", "path": "protocol"},
			`"^PACKAGE" was not found in protocol. If case is ignored, the search finds 3 matching lines, the first ` +
				`in protocol/message.go line 1; set ignoreCase to true.`,
		},
		{
			"the number of matches",
			args{"query": "text", "path": "protocol", "count": "true"},
			"2 matching lines in 2 files:\nprotocol/message.go: 1\nprotocol/vcp/scan.go: 1",
		},
		{
			"the number of matches in any letter case",
			args{"query": "text", "path": "README.md", "count": "true", "ignoreCase": "true"},
			"2 matching lines in 1 file:\nREADME.md: 2",
		},
		{
			"the number of matches, if there are none",
			args{"query": "absent", "path": "README.md", "count": "true"},
			`"absent" was not found in README.md.`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := newProject(t).call(t, "files_search", test.args)
			require.NoError(t, err)
			assert.Equal(t, test.want, got.Text)
		})
	}
}

func TestSearchIsLimited(t *testing.T) {
	k := newToolkit(t)
	k.write(t, "many.txt", strings.Repeat("hit\n", 300))
	k.write(t, "wide.txt", "hit "+strings.Repeat("長", 5000)+"\n")
	got, err := k.call(t, "files_search", args{"query": "hit"})
	require.NoError(t, err)
	lines := strings.Split(got.Text, "\n")
	assert.Len(t, lines, 201)
	assert.Contains(t, lines[200], "These are 200 of 301 matching lines.")
	got, err = k.call(t, "files_search", args{"query": "hit", "count": "true"})
	require.NoError(t, err)
	assert.Equal(t, "301 matching lines in 2 files:\nmany.txt: 300\nwide.txt: 1", got.Text)

	got, err = k.call(t, "files_search", args{"query": "hit", "glob": "wide*"})
	require.NoError(t, err)
	assert.Less(t, len(got.Text), 1000)

	k.write(t, "large.txt", strings.Repeat("x", 5<<20)+"\nhit\n")
	got, err = k.call(t, "files_search", args{"query": "hit", "glob": "large*"})
	require.NoError(t, err)
	assert.Contains(t, got.Text, "1 files")
	_, err = k.call(t, "files_search", args{"query": "hit", "path": "large.txt"})
	assert.ErrorContains(t, err, "files of at most 4194304 are searched")
}
