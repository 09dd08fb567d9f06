package builtin

import (
	"fmt"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
)

// newTool returns a tool with this package as its owner, for errors about duplicate names.
func newTool(id, title, description string, methods ...tool.Method) tool.Tool {
	return tool.Tool{ID: id, Title: title, Description: description, Owner: "builtin", Methods: methods}
}

// maxEcho is how many characters a message repeats of a request.
const maxEcho = 100

// cut truncates s to limit characters.
func cut(s string, limit int) string { return text.TruncateRunes(s, limit) }

// plural writes a number of things.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
