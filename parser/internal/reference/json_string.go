package reference

import (
	"encoding/json"
	"regexp"
	"strings"
)

// str reads a JSON string. It returns the string as JSON with all repairs applied (J8, J9, J10).
func (j *jsonReader) str() (written string, o outcome) {
	quote, start := j.text[j.p], j.p
	if quote == '\'' {
		j.repair("single_quotes", j.p, j.p+1)
	}
	var w strings.Builder
	w.WriteByte('"')
	firstRaw := true // the next raw control character is the first one
	for j.p++; j.p < len(j.text); j.p++ {
		newLine := isLineStart(j.text, j.p) && j.p > start+1
		if j.passed < 0 && newLine && j.around.endsAt(j.text, j.p) || j.around.tagEnds(j.text, j.p) {
			j.passed = j.p
		}
		c := j.text[j.p]
		switch {
		case c == quote:
			j.p++
			w.WriteByte('"')
			return w.String(), whole
		case c == '\\':
			n, text, o := j.escape(quote)
			if o != whole {
				j.p = len(j.text)
				return w.String(), o
			}
			w.WriteString(text)
			j.p += n - 1
		case c == '"':
			w.WriteString(`\"`)
		case c < 0x20:
			if j.clean {
				return w.String(), broken
			}
			if j.raw++; j.raw > 65536 { // J17
				j.over = true
			}
			if firstRaw {
				j.repair("raw_line_break", j.p, j.p+1)
			}
			firstRaw = false
			escaped, _ := json.Marshal(string(c)) // a string always encodes
			w.Write(escaped[1 : len(escaped)-1])
		default:
			w.WriteByte(c)
		}
	}
	return w.String(), truncated
}

// unicodeEscape matches the escape of a character by its number.
var unicodeEscape = regexp.MustCompile(`^\\u[0-9a-fA-F]{4}`)

// escape reads the escape at j.p. It returns its length, and the escape with repairs applied.
func (j *jsonReader) escape(quote byte) (n int, text string, o outcome) {
	rest := j.text[j.p:]
	switch {
	case len(rest) < 2:
		return 0, "", truncated
	case strings.IndexByte(`"\/bfnrt`, rest[1]) >= 0:
		return 2, rest[:2], whole
	case rest[1] == '\'' && (quote == '\'' || !j.clean):
		if quote == '"' {
			j.repair("bad_escape", j.p, j.p+1) // J10
		}
		return 2, "'", whole
	case unicodeEscape.MatchString(rest):
		return 6, rest[:6], whole
	case rest[1] == 'u' && len(rest) < 6 && strings.Trim(rest[2:], "0123456789abcdefABCDEF") == "":
		return 0, "", truncated
	case j.clean:
		return 0, "", broken
	}
	j.repair("bad_escape", j.p, j.p+1) // J10
	return 1, `\\`, whole
}

// escapes match an escape in a string, or the two of a surrogate pair.
var escapes = regexp.MustCompile(`\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|u....|.)`)

// meaning returns the text that a JSON string stands for. Bytes that are not UTF-8 stay as they
// are.
func meaning(written string) string {
	return escapes.ReplaceAllStringFunc(written[1:len(written)-1], func(escape string) (text string) {
		_ = json.Unmarshal([]byte(`"`+escape+`"`), &text) // a valid escape
		return text
	})
}
