package orderedjson

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// IsNumber reports whether a text is a JSON number.
func IsNumber(text string) bool {
	r := Reader{src: text}
	return r.number() == nil && r.at == len(text)
}

// word reads true, false or null. If r.Repair is set, it also reads True, False and None of Python.
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
	if word[0] < 'a' { // a capital letter
		if !r.Repair {
			return nil, r.misplaced()
		}
		r.note(PythonLiterals)
	}
	r.at = end
	return v, nil
}

// digits skips digits, and reports whether there were any.
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

// text reads a string. If the string has no escape, the result shares the memory of src.
func (r *Reader) text() (string, error) {
	quote := r.src[r.at]
	if quote == '\'' {
		r.note(SingleQuotes)
	}
	r.at++
	var b []byte // the text up to start, if that contains an escape
	start := r.at
	for r.at < len(r.src) {
		switch c := r.src[r.at]; {
		case c == quote:
			rest := r.src[start:r.at]
			if r.at++; b == nil {
				return rest, nil
			}
			return string(append(b, rest...)), nil
		case c == '\\':
			b = append(b, r.src[start:r.at]...)
			code, err := r.escape(quote)
			if err != nil {
				return "", err
			}
			b, start = utf8.AppendRune(b, code), r.at
		case c < ' ':
			return "", r.misplaced()
		default:
			r.at++
		}
	}
	return "", errEarlyEnd
}

// escape reads an escape in a string between quotation marks.
func (r *Reader) escape(quote byte) (rune, error) {
	r.at++
	const letters, meanings = `"\/'bfnrt`, "\"\\/'\b\f\n\r\t"
	c := r.peek()
	i := strings.IndexByte(letters, c)
	switch {
	case c == 'u':
		return r.codePoint()
	case i < 0, c == '\'' && quote != c:
		return 0, r.misplaced()
	}
	r.at++
	return rune(meanings[i]), nil
}

// codePoint reads the rest of an escape after its backslash: u and four hexadecimal digits, and a
// second such escape if the first is half of a surrogate pair.
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
	return 0, errorf("half a surrogate pair before byte %d", at)
}

func isWordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
