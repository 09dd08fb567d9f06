package orderedjson

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxDepth limits how deep values are nested. What people and models write stays far below it, and
// code that walks a value may recurse.
const MaxDepth = 100

// The tolerances of a Reader that repairs.
const (
	SingleQuotes   = "single_quotes"   // strings in single quotation marks
	TrailingComma  = "trailing_comma"  // a comma after the last element or member
	PythonLiterals = "python_literals" // True, False and None
	PythonTuple    = "python_tuple"    // a list between ( and ), with one comma at least
)

// Reader reads one JSON value (RFC 8259) from text in UTF-8. It is stricter than encoding/json: a
// member given twice, half a surrogate pair and a nesting of more than MaxDepth are errors. Numbers
// are json.Number and keep their digits.
type Reader struct {
	// Repair also reads what models write in place of JSON.
	Repair bool
	// Repairs are the applied repairs, each once.
	Repairs []string
	// Ordered reads objects as *Object, and else as map[string]any.
	Ordered bool

	src   string
	at    int
	depth int
}

// Read reads a text as one JSON value, its objects as map[string]any.
func Read(src string) (any, error) { return new(Reader).Read(src) }

// ReadOrdered reads a text as one JSON value, its objects as *Object.
func ReadOrdered(src string) (any, error) { return (&Reader{Ordered: true}).Read(src) }

// ReadString reads the string at the start of a text, and returns the rest of the text.
func (r *Reader) ReadString(src string) (s, rest string, err error) {
	r.src, r.at = src, 0
	if s, err = r.text(); err != nil {
		return "", src, err
	}
	return s, src[r.at:], nil
}

// IsNumber reports whether a text is a number as JSON writes it.
func IsNumber(text string) bool {
	r := Reader{src: text}
	return r.number() == nil && r.at == len(text)
}

var errEarlyEnd = errors.New("it ends too early")

func (r *Reader) note(repair string) {
	if !slices.Contains(r.Repairs, repair) {
		r.Repairs = append(r.Repairs, repair)
	}
}

// misplaced is the error for a character that cannot come next.
func (r *Reader) misplaced() error {
	if r.at >= len(r.src) {
		return errEarlyEnd
	}
	c, _ := utf8.DecodeRuneInString(r.src[r.at:])
	return fmt.Errorf("%q at byte %d is out of place", c, r.at)
}

// Read reads a text as one JSON value.
func (r *Reader) Read(src string) (any, error) {
	r.src, r.at, r.depth = src, 0, 0
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

func (r *Reader) blanks() {
	for r.at < len(r.src) {
		switch r.src[r.at] {
		case ' ', '\t', '\n', '\r':
			r.at++
		default:
			return
		}
	}
}

// peek returns the next byte; 0 at the end.
func (r *Reader) peek() byte {
	if r.at < len(r.src) {
		return r.src[r.at]
	}
	return 0
}

func (r *Reader) value() (any, error) {
	switch c := r.peek(); {
	case c == '"', c == '\'' && r.Repair:
		return r.text()
	case c == '[':
		return r.array()
	case c == '(' && r.Repair:
		return r.tuple()
	case c == '{':
		return r.object()
	case c == '-' || '0' <= c && c <= '9':
		start := r.at
		err := r.number()
		return json.Number(r.src[start:r.at]), err
	}
	return r.word()
}

func (r *Reader) word() (any, error) {
	end := r.at
	for end < len(r.src) && isWordByte(r.src[end]) {
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
		if !r.Repair {
			return nil, r.misplaced()
		}
		r.note(PythonLiterals)
	}
	r.at = end
	return v, nil
}

func (r *Reader) digits() bool {
	start := r.at
	for '0' <= r.peek() && r.peek() <= '9' {
		r.at++
	}
	return r.at > start
}

// number skips a number.
func (r *Reader) number() error {
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

// text reads a string. The result is a part of src if the string has no escape.
func (r *Reader) text() (string, error) {
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

// escapedText reads the rest of a string that begins at start, from its first escape.
func (r *Reader) escapedText(quote byte, start int) (string, error) {
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
func (r *Reader) codePoint() (rune, error) {
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

func (r *Reader) down() error {
	r.at++
	if r.depth++; r.depth > MaxDepth {
		return fmt.Errorf("it is nested more than %d deep", MaxDepth)
	}
	r.blanks()
	return nil
}

// next reads the comma after an element, if more follows, or the end.
func (r *Reader) next(end byte) (more bool, err error) {
	r.blanks()
	comma := r.peek() == ','
	if comma {
		r.at++
		r.blanks()
		if !r.Repair || r.peek() != end {
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

func (r *Reader) array() (any, error) {
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

// tuple reads a tuple of Python. Brackets without a comma are none.
func (r *Reader) tuple() (any, error) {
	if err := r.down(); err != nil {
		return nil, err
	}
	list := make([]any, 0, 4)
	for {
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		r.blanks()
		if r.peek() == ')' && len(list) > 1 {
			break
		}
		if r.peek() != ',' {
			return nil, r.misplaced()
		}
		r.at++
		if r.blanks(); r.peek() == ')' {
			break
		}
	}
	r.at++
	r.depth--
	r.note(PythonTuple)
	return list, nil
}

func (r *Reader) object() (any, error) {
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
		if r.Ordered {
			names = append(names, name)
		}
		if more, err = r.next('}'); err != nil {
			return nil, err
		}
	}
	if r.Ordered {
		return &Object{names, members}, nil
	}
	return members, nil
}

// member reads one member into members.
func (r *Reader) member(members map[string]any) (name string, err error) {
	if c := r.peek(); c != '"' && (c != '\'' || !r.Repair) {
		return "", r.misplaced()
	}
	if name, err = r.text(); err != nil {
		return "", err
	}
	if _, twice := members[name]; twice {
		return "", fmt.Errorf("the member %q is given twice", excerpt(name))
	}
	if r.blanks(); r.peek() != ':' {
		return "", r.misplaced()
	}
	r.at++
	r.blanks()
	members[name], err = r.value()
	return name, err
}

func isWordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// excerpt shortens a name for an error.
func excerpt(name string) string {
	const most = 80 // characters
	count := 0
	for i := range name {
		if count++; count > most {
			return name[:i] + "…"
		}
	}
	return name
}
