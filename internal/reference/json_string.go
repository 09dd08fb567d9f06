package reference

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// str reads a JSON string. It returns the string as JSON with all repairs applied, and the text
// that it stands for (J8, J9, J10).
func (j *jsonReader) str() (written, meaning string, o outcome) {
	quote, from := j.text[j.p], j.p
	if quote == '\'' {
		j.repair("single_quotes", j.p, j.p+1)
	}
	var w, s strings.Builder
	w.WriteByte('"')
	first := true
	for j.p++; j.p < j.end; j.p++ {
		newLine := isLineStart(j.text, j.p) && j.p > from+1
		if j.passed < 0 && newLine && j.around.endsAt(j.text, j.p) || j.around.tagEnds(j.text, j.p) {
			j.passed = j.p
		}
		c := j.text[j.p]
		switch {
		case c == quote:
			j.p++
			w.WriteByte('"')
			return w.String(), s.String(), whole
		case c == '\\':
			n, text, meaning, o := j.escape(quote)
			if o != whole {
				j.p = j.end
				return w.String(), s.String(), o
			}
			w.WriteString(text)
			s.WriteString(meaning)
			j.p += n - 1
		case c == '"':
			w.WriteString(`\"`)
			s.WriteByte(c)
		case c < 0x20:
			if j.clean {
				return w.String(), s.String(), broken
			}
			if j.raw++; j.raw > 65536 {
				j.over = true
			}
			if first {
				j.repair("raw_line_break", j.p, j.p+1)
			}
			first = false
			w.WriteString(controlEscape(c))
			s.WriteByte(c)
		default:
			w.WriteByte(c)
			s.WriteByte(c)
		}
	}
	return w.String(), s.String(), truncated
}

func controlEscape(c byte) string {
	if i := strings.IndexByte("\n\r\t\b\f", c); i >= 0 {
		return []string{`\n`, `\r`, `\t`, `\b`, `\f`}[i]
	}
	return fmt.Sprintf(`\u%04x`, c)
}

// escape reads the escape at j.p. It returns its length, the escape with repairs applied, and the
// text that it stands for.
func (j *jsonReader) escape(quote byte) (n int, text, meaning string, o outcome) {
	rest := j.text[j.p:j.end]
	if len(rest) < 2 {
		return 0, "", "", truncated
	}
	if i := strings.IndexByte(`"\/bfnrt`, rest[1]); i >= 0 {
		return 2, rest[:2], string("\"\\/\b\f\n\r\t"[i]), whole
	}
	if rest[1] == '\'' && (quote == '\'' || !j.clean) {
		if quote == '"' {
			j.repair("bad_escape", j.p, j.p+1) // J10
		}
		return 2, "'", "'", whole
	}
	if rest[1] == 'u' {
		if len(rest) < 6 && strings.Trim(rest[2:], "0123456789abcdefABCDEF") == "" {
			return 0, "", "", truncated
		}
		if len(rest) >= 6 {
			if v, err := strconv.ParseUint(rest[2:6], 16, 16); err == nil {
				if r := rune(v); utf16.IsSurrogate(r) && len(rest) >= 12 && rest[6] == '\\' && rest[7] == 'u' {
					if v2, err := strconv.ParseUint(rest[8:12], 16, 16); err == nil {
						if pair := utf16.DecodeRune(r, rune(v2)); pair != utf8.RuneError {
							return 12, rest[:12], string(pair), whole
						}
					}
				}
				return 6, rest[:6], string(rune(v)), whole
			}
		}
	}
	if j.clean {
		return 0, "", "", broken
	}
	j.repair("bad_escape", j.p, j.p+1) // J10
	return 1, `\\`, `\`, whole
}
