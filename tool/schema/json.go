package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth bounds how deep arguments and schemas are nested. What people and models write stays far below it, and all that walks a
// value may recurse.
const maxDepth = 100

// jsonReader reads one JSON value (RFC 8259) from text in UTF-8. It is stricter than encoding/json where that would guess: a member
// given twice, half a surrogate pair and a nesting of more than maxDepth are errors. Numbers keep their digits.
type jsonReader struct {
	src   string
	at    int
	depth int

	// mend also reads what models write in place of JSON; mended are the repairs that this took.
	mend   bool
	mended []string

	ordered bool // objects keep the order of their members
}

// readJSON reads JSON as it should be.
func readJSON(src string) (any, error) {
	r := jsonReader{src: src}
	return r.whole()
}

func isWordRune(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

var errEarlyEnd = errors.New("it ends too early")

func (r *jsonReader) note(repair string) {
	for _, m := range r.mended {
		if m == repair {
			return
		}
	}
	r.mended = append(r.mended, repair)
}

// misplaced says that what comes next may not stand there.
func (r *jsonReader) misplaced() error {
	if r.at >= len(r.src) {
		return errEarlyEnd
	}
	c, _ := utf8.DecodeRuneInString(r.src[r.at:])
	return fmt.Errorf("%q at byte %d is out of place", c, r.at)
}

func (r *jsonReader) whole() (any, error) {
	r.blanks()
	if r.at == len(r.src) {
		return nil, errors.New("it is empty")
	}
	v, err := r.value()
	if err != nil {
		return nil, err
	}
	if r.blanks(); r.at < len(r.src) {
		return nil, fmt.Errorf("more follows after the first value, at byte %d", r.at)
	}
	return v, nil
}

func (r *jsonReader) blanks() {
	for r.at < len(r.src) {
		switch r.src[r.at] {
		case ' ', '\t', '\n', '\r':
			r.at++
		default:
			return
		}
	}
}

// peek is the next byte; 0 at the end.
func (r *jsonReader) peek() byte {
	if r.at < len(r.src) {
		return r.src[r.at]
	}
	return 0
}

func (r *jsonReader) value() (any, error) {
	switch c := r.peek(); {
	case c == '"', c == '\'' && r.mend:
		return r.text()
	case c == '[':
		return r.array()
	case c == '{':
		return r.object()
	case c == '-' || '0' <= c && c <= '9':
		start := r.at
		err := r.number()
		return json.Number(r.src[start:r.at]), err
	}
	return r.word()
}

func (r *jsonReader) word() (any, error) {
	end := r.at
	for end < len(r.src) && isWordRune(rune(r.src[end])) {
		end++
	}
	var v any
	word := r.src[r.at:end]
	switch word {
	case "true", "True":
		v = true
	case "false", "False":
		v = false
	case "null", "None":
	default:
		return nil, r.misplaced()
	}
	if word[0] < 'a' {
		if !r.mend {
			return nil, r.misplaced()
		}
		r.note(PythonLiterals)
	}
	r.at = end
	return v, nil
}

func (r *jsonReader) digits() bool {
	start := r.at
	for '0' <= r.peek() && r.peek() <= '9' {
		r.at++
	}
	return r.at > start
}

// number passes over a number.
func (r *jsonReader) number() error {
	if r.peek() == '-' {
		r.at++
	}
	if r.peek() == '0' {
		r.at++
	} else if !r.digits() {
		return r.misplaced()
	}
	if r.peek() == '.' {
		if r.at++; !r.digits() {
			return r.misplaced()
		}
	}
	if c := r.peek(); c == 'e' || c == 'E' {
		r.at++
		if c := r.peek(); c == '+' || c == '-' {
			r.at++
		}
		if !r.digits() {
			return r.misplaced()
		}
	}
	return nil
}

// text reads a string. Its text aliases src where it holds no escape.
func (r *jsonReader) text() (string, error) {
	quote := r.src[r.at]
	if quote == '\'' {
		r.note(SingleQuotes)
	}
	r.at++
	start := r.at
	for r.at < len(r.src) {
		switch c := r.src[r.at]; {
		case c == quote:
			r.at++
			return r.src[start : r.at-1], nil
		case c == '\\':
			return r.escapedText(quote, start)
		case c < ' ':
			return "", r.misplaced()
		}
		r.at++
	}
	return "", errEarlyEnd
}

// escapedText reads on in a string that begins at start, from its first escape.
func (r *jsonReader) escapedText(quote byte, start int) (string, error) {
	b := []byte(r.src[start:r.at])
	for r.at < len(r.src) {
		c := r.src[r.at]
		switch {
		case c == quote:
			r.at++
			return string(b), nil
		case c < ' ':
			return "", r.misplaced()
		case c != '\\':
			b = append(b, c)
			r.at++
			continue
		}
		r.at++
		switch c := r.peek(); c {
		case '"', '\\', '/':
			b = append(b, c)
		case '\'':
			if quote != '\'' {
				return "", r.misplaced()
			}
			b = append(b, c)
		case 'b':
			b = append(b, '\b')
		case 'f':
			b = append(b, '\f')
		case 'n':
			b = append(b, '\n')
		case 'r':
			b = append(b, '\r')
		case 't':
			b = append(b, '\t')
		case 'u':
			code, err := r.codePoint()
			if err != nil {
				return "", err
			}
			b = utf8.AppendRune(b, code)
			continue
		default:
			return "", r.misplaced()
		}
		r.at++
	}
	return "", errEarlyEnd
}

// codePoint reads uXXXX, or uXXXX\uXXXX for a surrogate pair.
func (r *jsonReader) codePoint() (rune, error) {
	unit := func() (rune, error) {
		if len(r.src)-r.at < 5 {
			return 0, errEarlyEnd
		}
		code, err := strconv.ParseUint(r.src[r.at+1:r.at+5], 16, 16)
		if err != nil {
			return 0, r.misplaced()
		}
		r.at += 5
		return rune(code), nil
	}
	first, err := unit()
	if err != nil || !utf16.IsSurrogate(first) {
		return first, err
	}
	at := r.at
	if strings.HasPrefix(r.src[at:], `\u`) {
		r.at++
		second, err := unit()
		if err != nil {
			return 0, err
		}
		if pair := utf16.DecodeRune(first, second); pair != utf8.RuneError {
			return pair, nil
		}
	}
	return 0, fmt.Errorf("half a surrogate pair before byte %d", at)
}

func (r *jsonReader) down() error {
	r.at++
	if r.depth++; r.depth > maxDepth {
		return fmt.Errorf("it is nested more than %d deep", maxDepth)
	}
	r.blanks()
	return nil
}

// next reads what stands behind an element: a comma, where more follows, or the end.
func (r *jsonReader) next(end byte) (more bool, err error) {
	r.blanks()
	comma := r.peek() == ','
	if comma {
		r.at++
		r.blanks()
		if !r.mend || r.peek() != end {
			return true, nil
		}
		r.note(TrailingComma)
	}
	if r.peek() != end {
		return false, r.misplaced()
	}
	r.at++
	r.depth--
	return false, nil
}

func (r *jsonReader) array() (any, error) {
	if err := r.down(); err != nil {
		return nil, err
	}
	if r.peek() == ']' {
		r.at++
		r.depth--
		return []any{}, nil
	}
	list := make([]any, 0, 4)
	for {
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		if more, err := r.next(']'); err != nil || !more {
			return list, err
		}
	}
}

func (r *jsonReader) object() (any, error) {
	if err := r.down(); err != nil {
		return nil, err
	}
	members := map[string]any{}
	var names []string
	more := r.peek() != '}'
	if !more {
		r.at++
		r.depth--
	}
	for more {
		name, err := r.member(members)
		if err != nil {
			return nil, err
		}
		if r.ordered {
			names = append(names, name)
		}
		if more, err = r.next('}'); err != nil {
			return nil, err
		}
	}
	if r.ordered {
		return &ordered{names, members}, nil
	}
	return members, nil
}

// member reads one member into members.
func (r *jsonReader) member(members map[string]any) (name string, err error) {
	if c := r.peek(); c != '"' && (c != '\'' || !r.mend) {
		return "", r.misplaced()
	}
	if name, err = r.text(); err != nil {
		return "", err
	}
	if _, twice := members[name]; twice {
		return "", fmt.Errorf("the member %q is given twice", shorten(name))
	}
	if r.blanks(); r.peek() != ':' {
		return "", r.misplaced()
	}
	r.at++
	r.blanks()
	members[name], err = r.value()
	return name, err
}
