package vcpplugin

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/vcpgo/vcp/internal/text"
)

const (
	maxNameBytes = 128 // the limit of package tool for the full name of a method
	maxIDBytes   = maxNameBytes / 2
)

// cleanName returns a name of at most limit bytes that a model can repeat. Characters that names of
// tools cannot have become hyphens.
func cleanName(name string, limit int) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || strings.ContainsRune("_-./:@", r) {
			return r
		}
		return '-'
	}, strings.ToValidUTF8(strings.TrimSpace(name), "-"))
	return text.Prefix(name, max(limit, 1))
}

// unique returns the name, or the name with a number if it is empty or taken, and adds it to taken.
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
