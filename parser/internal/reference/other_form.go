package reference

import (
	"strings"
	"unicode"
)

// otherForm reports whether a body begins as a JSON object or as a tag, in a fence or not (B7).
func otherForm(body string) bool {
	body = unfenced(body)
	if _, opens := openerAt(body, 0); opens {
		return false
	}
	return strings.HasPrefix(body, "{") || len(body) > 1 && body[0] == '<' && isLetter(body[1])
}

// meansRequest reports whether a body without fields was meant as a request, by its first KiB (B7).
func meansRequest(body string) bool { return otherForm(body) || strings.Contains(body, "tool_name") }

// withoutClosers removes the closers from a body, because they are not part of its text.
func withoutClosers(body string) string {
	var b strings.Builder
	for i := 0; i < len(body); i++ {
		if c, ok := closerAt(body, i); ok {
			i = c.end - 1
			continue
		}
		b.WriteByte(body[i])
	}
	return b.String()
}

// unfenced removes the opening line of a fence around the body, and its closing line.
func unfenced(body string) string {
	body = strings.TrimFunc(body, unicode.IsSpace)
	f, ok := fenceOpener(body[:lineEnd(body, 0)])
	if !ok {
		return body
	}
	body = body[lineEnd(body, 0):]
	last := lineStart(body, len(body))
	if f.closes(body[last:]) {
		body = body[:last]
	}
	return strings.TrimFunc(body, unicode.IsSpace)
}

// complete reports whether all brackets or tags of a body are closed in the right order (B7). After
// the last bracket may come only the marks of a fence. A body that begins with neither a bracket
// nor a tag is complete.
func complete(body string) bool {
	body = strings.TrimFunc(withoutClosers(body), unicode.IsSpace)
	for body != "" && strings.ContainsRune("`~", rune(body[0])) { // the line of a fence around it
		body = strings.TrimFunc(body[lineEnd(body, 0):], unicode.IsSpace)
	}
	if strings.HasPrefix(body, "<") {
		return completeTags(body)
	}
	if !strings.HasPrefix(body, "{") && !strings.HasPrefix(body, "[") {
		return true
	}
	var open []byte
	for i := 0; i < len(body); i++ {
		switch c := body[i]; c {
		case '"', '\'':
			for i++; i < len(body) && body[i] != c; i++ {
				if body[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			open = append(open, c+2) // the bracket that closes it is two characters further in ASCII
		case '}', ']':
			if len(open) == 0 || open[len(open)-1] != c {
				return false
			}
			open = open[:len(open)-1]
			if len(open) == 0 {
				isMark := func(c rune) bool { return c == '`' || c == '~' || unicode.IsSpace(c) }
				return strings.TrimFunc(body[i+1:], isMark) == "" // the marks of a fence are no text
			}
		}
	}
	return false
}

// completeTags is complete for a body of tags.
func completeTags(body string) bool {
	var open []string
	closed := false
	for i := 0; i < len(body); i++ {
		if body[i] != '<' {
			continue
		}
		if name := strings.TrimPrefix(body[i+1:], "/"); name == "" || !beginsTagName(name[0]) {
			continue
		}
		end := tagEnd(body[i:])
		if end < 0 {
			return false
		}
		inner := body[i+1 : i+end]
		name := strings.ToLower(strings.TrimPrefix(inner, "/"))
		if n := strings.IndexAny(name, "/ \t\r\n\v\f"); n >= 0 {
			name = name[:n]
		}
		if name == "" {
			continue
		}
		switch {
		case strings.HasPrefix(inner, "/"):
			if len(open) == 0 || open[len(open)-1] != name {
				return false
			}
			open = open[:len(open)-1]
		case strings.HasSuffix(inner, "/"):
		default:
			open = append(open, name)
		}
		i += end
		if len(open) == 0 {
			closed = true
		}
	}
	return closed && len(open) == 0
}

// tagEnd returns the offset of the '>' that ends the tag at the start of s, or -1 if the tag has no
// end. A quotation mark in it opens an attribute's value.
func tagEnd(s string) int {
	quote := rune(0)
	for i, c := range s {
		switch {
		case quote == 0 && c == '>':
			return i
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case c == quote:
			quote = 0
		}
	}
	return -1
}
