package schema

import (
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/text"
)

// declaredNames returns the Problem.Expected of an argument that is not one of names.
func (l language) declaredNames(names []string) string {
	switch {
	case len(names) == 0:
		return l.say("no arguments")
	case len(names) > maxShown:
		return l.say("no such argument")
	}
	var shown []string
	for _, name := range names {
		shown = append(shown, shorten(name))
	}
	return l.say("one of the arguments %s", strings.Join(shown, ", "))
}

// unknownArgument returns the finding that the last name of a path is not one of names. expected is
// the result of declaredNames. given reports whether the request contains a name; such a name is
// not suggested. nth is the number of this unknown argument, from 1: a similar name is searched
// only if an error shows the finding.
func (l language) unknownArgument(path, names []string, expected string, given func(string) bool, nth int) finding {
	p := Problem{Code: CodeUnknown, Expected: expected, Received: l.say("an unknown argument")}
	if nth <= maxShown {
		p.Nearest = nearest(path[len(path)-1], slices.DeleteFunc(slices.Clone(names), given))
	}
	return finding{path: path, Problem: p}
}

// nearest returns the name that an unknown name may mean: one that differs in few letters, or
// otherwise one whose words the unknown name contains. The result is "" if no name is similar.
func nearest(unknown string, names []string) string {
	if near := text.Nearest(unknown, names); len(near) > 0 {
		return near[0]
	}
	for _, name := range names {
		if text.ContainsWords(unknown, name) {
			return name
		}
	}
	return ""
}
