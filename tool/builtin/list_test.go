package builtin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestListShowsFilesWithTheirSizes(t *testing.T) {
	for _, test := range []struct {
		name string
		args args
		want string
	}{
		{
			"the root by default", nil,
			".git/\nREADME.md (31 bytes, 4 lines)\nimage.png (14 bytes)\nlatin1.txt (10 bytes)\nmain.go (29 bytes, 3 lines)\nprotocol/",
		},
		{
			"a directory",
			args{"path": "protocol"},
			"protocol/message.go (38 bytes, 3 lines)\nprotocol/tool.go (17 bytes, 1 line)\nprotocol/vcp/",
		},
		{
			"a directory with a slash at its end",
			args{"path": "protocol/"},
			"protocol/message.go (38 bytes, 3 lines)\nprotocol/tool.go (17 bytes, 1 line)\nprotocol/vcp/",
		},
		{
			"a directory with dots in its path",
			args{"path": "./protocol/../protocol"},
			"protocol/message.go (38 bytes, 3 lines)\nprotocol/tool.go (17 bytes, 1 line)\nprotocol/vcp/",
		},
		{"a slash is the root", args{"path": "/", "glob": "*.md"}, "README.md (31 bytes, 4 lines)"},
		{"several slashes are the root", args{"path": " // ", "glob": "*.md"}, "README.md (31 bytes, 4 lines)"},
		{"a quoted path", args{"path": `"protocol/"`, "glob": "m*"}, "protocol/message.go (38 bytes, 3 lines)"},
		{
			"a pattern",
			args{"path": "protocol", "glob": "*.go"},
			"protocol/message.go (38 bytes, 3 lines)\nprotocol/tool.go (17 bytes, 1 line)",
		},
		{"alternatives", args{"glob": "*.{go,md}"}, "README.md (31 bytes, 4 lines)\nmain.go (29 bytes, 3 lines)"},
		{"nested alternatives", args{"glob": "{main.{go,c},*.md}"}, "README.md (31 bytes, 4 lines)\nmain.go (29 bytes, 3 lines)"},
		{
			"recursive",
			args{"path": "protocol", "recursive": "yes"},
			"protocol/message.go (38 bytes, 3 lines)\nprotocol/tool.go (17 bytes, 1 line)\nprotocol/vcp/\n" +
				"protocol/vcp/notes.md (6 bytes, 1 line)\nprotocol/vcp/scan.go (20 bytes, 2 lines)",
		},
		{
			"recursive with a pattern",
			args{"recursive": "true", "glob": "*.go"},
			"main.go (29 bytes, 3 lines)\nprotocol/message.go (38 bytes, 3 lines)\nprotocol/tool.go (17 bytes, 1 line)\n" +
				"protocol/vcp/scan.go (20 bytes, 2 lines)",
		},
		{
			"a pattern with directories is recursive",
			args{"glob": "protocol/*.go"},
			"protocol/message.go (38 bytes, 3 lines)\nprotocol/tool.go (17 bytes, 1 line)",
		},
		{
			"a pattern for any directory",
			args{"glob": "**/*.md"},
			"README.md (31 bytes, 4 lines)\nprotocol/vcp/notes.md (6 bytes, 1 line)",
		},
		{"a pattern with any directory inside", args{"glob": "protocol/**/s*.go"}, "protocol/vcp/scan.go (20 bytes, 2 lines)"},
		{
			"nothing fits",
			args{"path": "protocol", "glob": "*.rs"},
			"Nothing in protocol/ fits *.rs. There is: message.go, tool.go, vcp/. Subdirectories were not searched; " +
				"set recursive to true to search them.",
		},
		{
			"nothing fits although subdirectories were searched",
			args{"path": "protocol", "glob": "*.rs", "recursive": "true"},
			"Nothing in protocol/ fits *.rs. There is: message.go, tool.go, vcp/, vcp/notes.md, vcp/scan.go.",
		},
		{
			"nothing fits in a directory without subdirectories",
			args{"path": "protocol/vcp", "glob": "*.rs"},
			"Nothing in protocol/vcp/ fits *.rs. There is: notes.md, scan.go.",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := newProject(t).call(t, "files_list", test.args)
			require.NoError(t, err)
			assert.Equal(t, test.want, got.Text)
		})
	}
	k := newToolkit(t)
	got, err := k.call(t, "files_list", nil)
	require.NoError(t, err)
	assert.Equal(t, "the root directory is empty.", got.Text)
}

func TestListIsLimited(t *testing.T) {
	k := newToolkit(t)
	for i := range 1005 {
		k.write(t, fmt.Sprintf("f%04d", i), "")
	}
	got, err := k.call(t, "files_list", nil)
	require.NoError(t, err)
	lines := strings.Split(got.Text, "\n")
	assert.Len(t, lines, 1001)
	assert.Equal(t, "(These are 1000 of 1005 entries: choose a subdirectory, or a glob.)", lines[1000])
	got, err = k.call(t, "files_list", args{"glob": "*.go"})
	require.NoError(t, err)
	assert.Contains(t, got.Text, "f0018, f0019 and 985 more.")
}
