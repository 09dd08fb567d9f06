package vcpplugin

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
)

// maxIDBytes limits the id of a tool. It is half of a full name; the other half is for the name of
// a command.
const maxIDBytes = tool.MaxNameBytes / 2

// maxShown limits what the reason of a provider shows of a text in its manifest, in bytes.
const maxShown = 60

// cleanName returns a name of at most limit bytes that a model can repeat. Hyphens replace the
// characters that no name can have.
func cleanName(name string, limit int) string {
	name = strings.Map(func(r rune) rune {
		if tool.ValidName(string(r)) {
			return r
		}
		return '-'
	}, strings.ToValidUTF8(strings.TrimSpace(name), "-"))
	return text.Prefix(name, max(limit, 1))
}

// folderNames returns two names that distinguish the folder at path from others below root: its own
// name, and its path below root, which no other folder has.
func folderNames(root, path string) [2]string {
	relative, _ := filepath.Rel(root, path) // both are absolute, and path is below root
	return [2]string{filepath.Base(path), filepath.ToSlash(relative)}
}

// unique returns the name, or "command" for an empty name, with a number if it is taken. It adds
// the result to taken.
func unique(name string, taken map[string]bool) string {
	if name == "" {
		name = "command"
	}
	found := name
	for n := 2; taken[found]; n++ {
		found = name + "-" + strconv.Itoa(n)
	}
	taken[found] = true
	return found
}
