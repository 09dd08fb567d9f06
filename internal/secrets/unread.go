package secrets

import "strings"

// Unread masks the requests in text that no parser has read, whatever their form is. It masks more
// than secrets: a request of unknown form is masked as a whole.
type Unread struct {
	Names   Names    // names of secret arguments
	Methods []string // names of the methods that have secret arguments
}

// Mask returns a text with Mask in place of each part that may contain a secret argument:
//
//   - the paragraphs with a request between marks of any protocol, from its first mark to its last;
//   - a paragraph that contains the name of one of the methods in the form of a request, and the
//     brackets after the name;
//   - the text after the name of a secret argument, if it has the form of a value, up to the end of
//     the paragraph;
//   - the given parts, which are half-open ranges.
//
// Names and marks are found in up to four layers of escapes. Fenced code is one paragraph. A part
// whose end is missing extends to the end of the text. values are the masked values whose end is
// known. Mask takes time in proportion to the text and to the number of names and methods.
func (u Unread) Mask(s string, parts ...[2]int) (masked string, values []string) {
	if s == "" {
		return s, nil
	}
	plain := newPlainText(s)
	f := newUnreadFinder(string(plain.text))
	f.findMarks()
	for _, name := range NewNames(u.Methods) {
		f.findNames(name, f.methodPart)
	}
	for _, name := range u.Names {
		f.findNames(name, f.valuePart)
	}
	var found spans
	add := func(from, to int) {
		// Without the white space at the end, the next text stays on its own line.
		if part := strings.TrimRight(s[from:to], " \t\r\n"); part != "" {
			found.add(from, from+len(part))
		}
	}
	for _, part := range f.found {
		if part[0] < part[1] {
			add(plain.from[part[0]], plain.to[part[1]-1])
		}
	}
	for _, part := range parts {
		add(part[0], part[1])
	}
	if len(found) == 0 {
		return s, nil
	}
	return found.mask(s), f.values
}
