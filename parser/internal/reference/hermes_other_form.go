package reference

import (
	"regexp"
	"strings"
)

// Beginnings of the forms of T4: JSON after backticks or tildes, a name, and a tag.
var (
	jsonAfter = regexp.MustCompile("^(?:`{1,2}[{\\[]|(?:`{3,24}|~{3,24})[A-Za-z]{0,24}[ \\t\\r\\n]{0,24}[{\\[])")
	nameOnly  = regexp.MustCompile(`^[\p{L}\p{Nd}_][\p{L}\p{Nd}_./-]{0,63}`)
	otherTag  = regexp.MustCompile(`^<[A-Za-z]`)
)

// otherFormAt reports whether a call was meant in another form (T4).
func (in *input) otherFormAt(m marker) bool {
	rest := in.text[m.end:]
	blanks := " \t\r\n"
	if in.startIsQuoted(m) {
		blanks += ">" // T3
	}
	body := strings.TrimLeft(rest, blanks)
	if body == "" || len(rest)-len(body) >= 1024 {
		return false
	}
	at := len(in.text) - len(body)
	if body[0] == '"' || body[0] == '\'' || jsonAfter.MatchString(body) {
		return true
	}
	_, isTag := hermesMarkerAt(in.text, at)
	isHermesTag := isTag || responseTag.MatchString(body) || toolsTag.MatchString(body)
	if !isHermesTag && otherTag.MatchString(body) {
		return true
	}
	name := nameOnly.FindString(body)
	if name != "" && strings.HasPrefix(body[len(name):], "(") {
		return true
	}
	if name == "" || at > m.end && !strings.ContainsAny(in.text[m.end:at], "\r\n") {
		return false
	}
	after := body[len(name):]
	trimmed := strings.TrimLeft(after, " \t")
	if trimmed == "" {
		return false
	}
	if after[0] == ':' || strings.ContainsRune("{\r\n", rune(trimmed[0])) {
		return true
	}
	if toolsTag.MatchString(trimmed) || responseTag.MatchString(trimmed) {
		return false
	}
	if next, ok := hermesMarkerAt(in.text, len(in.text)-len(trimmed)); ok {
		return next.kind == requestEnd && strings.Contains(name, "_")
	}
	return otherTag.MatchString(trimmed)
}
