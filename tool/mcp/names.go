package mcp

import (
	"strings"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
)

// methodName returns the name of the method for a tool of a server. It is the tool's own name if
// "server/name" can be a full name, and otherwise a hashedName. The result does not depend on the
// server's other tools, so a policy rule that names a method stays valid if those change.
func methodName(server, name string) string {
	if tool.ValidName(name) && tool.ValidName(server+"/"+name) {
		return name
	}
	return hashedName(name, "", tool.MaxNameBytes-len(server)-len("/"))
}

// hashedName returns a valid name of at most limit bytes for any name. Underscores replace the
// characters that are in forbidden or that no name can have. The result ends in a part of the
// name's hash, so that different names almost always have different results.
func hashedName(name, forbidden string, limit int) string {
	plain := strings.Map(func(r rune) rune {
		if !tool.ValidName(string(r)) || strings.ContainsRune(forbidden, r) {
			return '_'
		}
		return r
	}, name)
	suffix := "-" + hash(name)[:8]
	return text.Prefix(plain, limit-len(suffix)) + suffix
}
