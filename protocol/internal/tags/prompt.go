package tags

import (
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

// Prompt returns the instructions, with the definitions between <tools> and </tools> in place of
// the word DEFINITIONS. add appends one definition to b. Prompt returns "" if there are no
// definitions.
func Prompt(
	instructions string, definitions []protocol.ToolDefinition, add func(b []byte, d *protocol.ToolDefinition) []byte,
) string {
	if len(definitions) == 0 {
		return ""
	}
	before, after, _ := strings.Cut(instructions, "DEFINITIONS")
	b := []byte(before + ToolsStart + "\n")
	for i := range definitions {
		b = add(b, &definitions[i])
	}
	return string(b) + ToolsEnd + "\n" + after
}
