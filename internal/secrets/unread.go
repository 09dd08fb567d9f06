package secrets

import (
	"slices"
	"strings"
)

// Unread masks the requests in text that no parser has read, whatever their form is. It masks more
// than secrets: a request of unknown form is masked as a whole.
type Unread struct {
	Names   Names    // names of secret arguments
	Methods []string // names of the methods that have them
}

// Mask returns a text with Mask in place of each part that may contain a secret argument:
//
//   - from the first mark of a request, in any protocol, to the end of the last;
//   - a paragraph that names one of the methods as a request does, and the brackets after the name;
//   - what follows the name of a secret argument as a value does, up to the end of the paragraph;
//   - the parts given, which are half-open ranges.
//
// Names and marks are found with any layers of escapes. A fence of code is one paragraph. A part
// whose end is missing reaches to the end of the text. values are the masked values of which the
// end is known. Mask takes time in proportion to the text.
func (u Unread) Mask(s string, parts ...[2]int) (masked string, values []string) {
	if s == "" {
		return s, nil
	}
	plain := newPlainText(s)
	f := newUnreadFinder(string(plain.text))
	f.findMarks()
	for _, name := range NewNames(u.Methods) {
		f.findNames(name, f.methodEnd)
	}
	for _, name := range u.Names {
		f.findNames(name, f.valueEnd)
	}
	var found spans
	for _, part := range f.found {
		if part[0] < part[1] {
			found.add(plain.from[part[0]], plain.to[part[1]-1])
		}
	}
	for _, part := range parts {
		found.add(part[0], part[1])
	}
	for i := range found { // lines stay apart
		found[i][1] = found[i][0] + len(strings.TrimRight(s[found[i][0]:found[i][1]], " \t\r\n"))
	}
	found = slices.DeleteFunc(found, func(part [2]int) bool { return part[0] == part[1] })
	if len(found) == 0 {
		return s, nil
	}
	return found.mask(s), f.values
}
