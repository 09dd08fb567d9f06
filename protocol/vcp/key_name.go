package vcp

import (
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol/scan"
)

// The keys of the protocol (docs/dialect.md, section 2).
const (
	keyToolName  = "tool_name"
	keyCommand   = "command"
	keyRequestID = "request_id"
)

const foldedToolName = "toolname"

// foldsTo reports whether text.FoldName(name) equals folded. folded must be ASCII.
func foldsTo(name, folded string) bool {
	if len(name) < len(folded) || isASCIIAlnum(name[0]) && name[0]|0x20 != folded[0] {
		return false // most keys
	}
	return text.FoldName(name) == folded
}

// isKeyRune reports whether a key may contain c: letters, combining marks and digits of any script,
// joiners and four signs.
func isKeyRune(c rune) bool {
	if c < utf8.RuneSelf {
		return isASCIIAlnum(byte(c)) || c == '_' || c == '-' || c == '.' || c == '/'
	}
	return unicode.IsLetter(c) || unicode.IsMark(c) || unicode.IsDigit(c) || c == '\u200c' || c == '\u200d'
}

// isKeyStart reports whether a key may begin with c.
func isKeyStart(c rune) bool {
	if c < utf8.RuneSelf {
		return isASCIIAlnum(byte(c)) || c == '_'
	}
	// A variation selector belongs to the sign before it, such as an emoji that is used as a
	// bullet.
	return unicode.IsLetter(c) || unicode.IsMark(c) && !unicode.Is(unicode.Variation_Selector, c) || unicode.IsDigit(c)
}

// validKey reports whether name is a key that reads back as itself.
func validKey(name string, maxKey int) bool {
	if name == "" || len(name) > maxKey || !utf8.ValidString(name) {
		return false
	}
	for i, c := range name {
		if i == 0 && !isKeyStart(c) || !isKeyRune(c) {
			return false
		}
	}
	return true
}

// isPlainKey is a fast check: if it returns true, the key is not a spelling of a reserved one.
func isPlainKey(name string) bool {
	if len(name) < len(keyCommand) { // the shortest reserved key
		return true
	}
	for i := range 3 {
		if !isASCIIAlnum(name[i]) {
			return false
		}
	}
	switch start := [3]byte{name[0] | 0x20, name[1] | 0x20, name[2] | 0x20}; start {
	case [3]byte{'t', 'o', 'o'}, [3]byte{'c', 'o', 'm'}, [3]byte{'r', 'e', 'q'}:
		return false
	}
	return true
}

// roleOf returns the role of a field, as far as its key shows it. A key that may turn out to be
// tool_name or a label is reserved.
func roleOf(key []byte) scan.FieldRole {
	if len(key) == 0 {
		return scan.FieldComment
	}
	switch key[0] {
	case 't', 'T', 'r', '-', '_': // tool_name, request_id and their other spellings begin like this
	default:
		return scan.FieldArgument
	}
	switch name := string(key); {
	case name == keyToolName:
		return scan.FieldToolName
	case name == keyRequestID, !isPlainKey(name) && foldsTo(name, foldedToolName):
		return scan.FieldReserved
	}
	return scan.FieldArgument
}

func isASCIIAlnum(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'
}
