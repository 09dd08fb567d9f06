package secrets

import "strings"

// A namedValue is the value after the name of a secret.
type namedValue struct {
	text     string
	assigned bool // after an equals sign without white space, or after an HTTP authentication scheme such as Bearer
	quoted   bool // between quotation marks, between marks of the VCP dialect, or in a tag
}

// isSecret reports whether the value is a secret. weak says that the name has other meanings, so
// that the value must look random.
func (v namedValue) isSecret(weak bool) bool {
	switch {
	case isPlaceholder(v.text):
		return false
	case weak:
		return looksRandom(v.text)
	case v.assigned, v.quoted:
		return len(v.text) >= minSecret
	}
	return len(v.text) >= 6 && hasDigit(v.text) // shorter values, or those without a digit, may be words or expressions
}

// maxExamined limits how much of a value is examined, in bytes.
const maxExamined = 128

// isPlaceholder reports whether a value stands for a secret, or is an expression of a program.
func isPlaceholder(value string) bool {
	value = value[:min(len(value), maxExamined)]
	switch strings.ToLower(value) {
	case "", "null", "nil", "none", "true", "false", "undefined", "required", "optional",
		"password", "secret", "string":
		return true
	}
	return strings.ContainsAny(value[:1], "$<{[%*(,;)}] ") || strings.ContainsAny(value, "(") ||
		strings.Trim(value, "*.xX•…-_") == ""
}

// looksRandom reports whether a value looks like a random key: at least 16 letters and digits, some
// of each, without the form of an absolute path, an address, a hash or a UUID.
func looksRandom(value string) bool {
	random, hexadecimal := hasKeyForm(value)
	return random && !hexadecimal
}

// hasKeyForm examines the form of a value. ok reports that the value looks like a random key, a
// hash or a UUID: it has at least minKeyCharacters, and both letters and digits. hexadecimal
// reports that the value contains only hexadecimal digits and hyphens, as a hash or a UUID does.
func hasKeyForm(value string) (ok, hexadecimal bool) {
	value = value[:min(len(value), maxExamined)]
	letters, digits := 0, 0
	hexadecimal = true
	for i := range len(value) {
		switch c := value[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			letters++
			hexadecimal = hexadecimal && c|0x20 <= 'f'
		case c == '-':
		case c == '_', c == '+', c == '=', c == '/' && i > 0, c == '.':
			hexadecimal = false
		default:
			return false, false
		}
	}
	return letters+digits >= minKeyCharacters && letters > 0 && digits > 0, hexadecimal
}

// minKeyCharacters is how many letters and digits a random key has at least. With fewer it could be
// an ordinary name.
const minKeyCharacters = 16

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }
