package tool

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/text"
)

// ValidName reports whether name can be the id of a tool, or the name, full name or alias of a
// method: 1 to MaxNameBytes bytes of letters, combining marks, digits and _ - . / : @. ValidName
// does not check that the name of a method without a FullName contains no underscore.
func ValidName(name string) bool { return badName(name) == "" }

// MaxNameBytes limits the id of a tool, and each name of a method. APIs that offer tools to models
// allow 64 or 128 characters.
const MaxNameBytes = 128

// badName returns what is wrong with a name, or "" if it is valid.
func badName(name string) string {
	switch {
	case name == "":
		return "it must not be empty"
	case len(name) > MaxNameBytes:
		return fmt.Sprintf("it must not have more than %d bytes (got %d)", MaxNameBytes, len(name))
	case !utf8.ValidString(name):
		return "it must be UTF-8"
	}
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || strings.ContainsRune("_-./:@", r) {
			continue
		}
		return fmt.Sprintf("letters, digits and _ - . / : @ are allowed (got %q)", r)
	}
	return ""
}

// maxShownName limits a name or value in an error, in bytes.
const maxShownName = 100

// shorten truncates s to maxShownName bytes.
func shorten(s string) string { return text.TruncateBytes(s, maxShownName) }
