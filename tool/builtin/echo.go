package builtin

import "github.com/vcpgo/vcp/internal/text"

// maxEcho is how many characters a message repeats of a request.
const maxEcho = 100

// cut truncates s to limit characters.
func cut(s string, limit int) string { return text.TruncateRunes(s, limit) }
