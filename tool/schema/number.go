package schema

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// A number in an argument has at most maxDigits bytes and an exponent from -maxExponent to
// maxExponent, so that exact arithmetic with it is cheap.
const (
	maxDigits   = 1000
	maxExponent = 1000
)

// decimal is the number ±digits × 10^exponent. digits has no leading or trailing zeros, and is ""
// for 0.
type decimal struct {
	negative bool
	digits   string
	exponent int
}

// parseNumber reads a decimal number as people and models write it: a sign, digits with or without
// a point, an exponent. It reads no thousands separators, no other bases, no NaN and no infinity.
func parseNumber(s string) (decimal, bool) {
	if len(s) > maxDigits {
		return decimal{}, false
	}
	sign, whole, fraction, exponent := splitNumber(s)
	digits := whole + fraction
	if digits == "" || !allDigits(digits) {
		return decimal{}, false
	}
	n := decimal{negative: sign == "-", digits: strings.Trim(digits, "0")}
	if exponent != "" {
		e, err := strconv.Atoi(exponent[1:])
		if err != nil || e > maxExponent || e < -maxExponent {
			return decimal{}, false
		}
		n.exponent = e
	}
	if n.digits == "" {
		return decimal{negative: n.negative}, true
	}
	n.exponent += len(digits) - len(strings.TrimRight(digits, "0")) - len(fraction)
	return n, true
}

// splitNumber splits a number. sign is -, + or nothing, and exponent begins with its letter.
func splitNumber(s string) (sign, whole, fraction, exponent string) {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		sign, s = s[:1], s[1:]
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		s, exponent = s[:i], s[i:]
	}
	whole, fraction, _ = strings.Cut(s, ".")
	return sign, whole, fraction, exponent
}

// halfWidth replaces full-width digits, points and signs by their ASCII forms. The result has as
// many characters as the text.
func halfWidth(text string) string {
	if !strings.ContainsAny(text, fullWidth) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(fullWidth, r) {
			return r - '０' + '0' // signs and the point have the same distance to ASCII as digits
		}
		return r
	}, text)
}

const fullWidth = "０１２３４５６７８９．＋－"

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// isPlainInteger reports whether a text is an integer as JSON writes it, with at most 19 digits,
// the most that an int64 has. It returns false for -0.
func isPlainInteger(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	return digits != "" && len(digits) < 20 && allDigits(digits) && (digits[0] != '0' || s == "0")
}

// integerText converts an integer in any spelling ("5.0", "1e3", "007") to plain digits. ok is
// false if the text is not an integer.
func integerText(s string) (text string, ok bool) {
	n, ok := parseNumber(s)
	if !ok || n.exponent < 0 {
		return "", false
	}
	if n.digits == "" {
		return "0", true
	}
	text = n.digits + strings.Repeat("0", n.exponent)
	if n.negative {
		text = "-" + text
	}
	return text, true
}

// numberText converts a number to JSON. It keeps a text that is already JSON. Otherwise it only
// adds or removes zeros, and removes a plus sign or a point. ok is false if the text is not a
// number.
func numberText(s string) (text string, ok bool) {
	if _, ok := parseNumber(s); !ok {
		return "", false
	}
	if orderedjson.IsNumber(s) {
		return s, true
	}
	sign, whole, fraction, exponent := splitNumber(s)
	if fraction != "" {
		fraction = "." + fraction
	}
	return strings.TrimPrefix(sign, "+") + cmp.Or(strings.TrimLeft(whole, "0"), "0") + fraction + exponent, true
}

// isInteger reports whether the value of a number is an integer, such as 5.0.
func isInteger(s string) bool {
	n, ok := parseNumber(s)
	return ok && n.exponent >= 0
}
