package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/tool"
)

// maxFullName is the limit of package tool for a full name, in bytes.
const maxFullName = 128

// methodName returns the name of the method for a tool of a server. It is the tool's own name if
// "server/name" can be a full name. Otherwise underscores replace the characters that are not
// allowed, and a piece of the name's hash makes it unique. It does not depend on the other tools of
// the server, so a rule that names a method stays right when they come and go.
func methodName(server, name string) string {
	if tool.ValidName(name) && tool.ValidName(server+"/"+name) {
		return name
	}
	const digits = 8
	sum := sha256.Sum256([]byte(name))
	room := maxFullName - len(server) - len("/") - len("-") - digits
	var b strings.Builder
	for _, r := range name {
		if r == utf8.RuneError || !tool.ValidName(string(r)) {
			r = '_'
		}
		if b.Len()+utf8.RuneLen(r) > room {
			break
		}
		b.WriteRune(r)
	}
	return b.String() + "-" + hex.EncodeToString(sum[:digits/2])
}
