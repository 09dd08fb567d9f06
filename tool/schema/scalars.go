package schema

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// booleans are the spellings of booleans that models use, in lower case.
var booleans = map[string]bool{
	"true": true, "yes": true, "1": true, "是": true,
	"false": false, "no": false, "0": false, "否": false,
}

// readScalar reads a text as null, a number or a boolean, if k contains that type. It returns the
// name of the applied repair, or "".
func readScalar(text string, k types) (v any, repair string, ok bool) {
	text = strings.TrimSpace(text)
	if k&typeNull != 0 && strings.EqualFold(text, "null") {
		return nil, "", true
	}
	if k&typeInteger != 0 && isPlainInteger(text) {
		return json.Number(text), "", true
	}
	if numeric := k & (typeNumber | typeInteger); numeric != 0 {
		read := integerText
		if k&typeNumber != 0 {
			read = numberText
		}
		if number, ok := read(text); ok {
			if number != text && !orderedjson.IsNumber(text) {
				repair = NumberSpelling
			}
			return json.Number(number), repair, true
		}
		if narrow := halfWidth(text); narrow != text {
			if v, _, ok := readScalar(narrow, numeric); ok {
				return v, FullWidthDigits, true
			}
		}
	}
	if k&typeBoolean != 0 {
		if b, ok := booleans[strings.ToLower(text)]; ok {
			if text != "true" && text != "false" {
				repair = BooleanSpelling
			}
			return b, repair, true
		}
	}
	return nil, "", false
}

// readConstant reads a text as one of the types in k, except string. Arrays and objects must be
// valid JSON.
func readConstant(text string, k types) (v any, repair string, ok bool) {
	if v, repair, ok := readScalar(text, k); ok {
		return v, repair, true
	}
	if k&(typeArray|typeObject) == 0 {
		return nil, "", false
	}
	v, err := orderedjson.Read(text)
	return v, "", err == nil && typeOf(v)&k != 0
}

// constant is a text as a value of one type.
type constant struct {
	identity string // of the value
	repair   string // the name of the applied repair, or ""
	ok       bool   // the text can be read as the type
}

func constantIn(text string, k types) constant {
	v, repair, ok := readConstant(text, k)
	if !ok {
		return constant{}
	}
	return constant{identity(v), repair, true}
}

// choose returns the listed value that a text means. The text may be equal to a listed string, or a
// spelling of another listed value. It may differ from a listed string in case, or in the
// separators between words, if only one listed string is that similar. It may also be in quotation
// marks.
func choose(text string, choices []any) (v any, repairs []string, ok bool) {
	for _, v := range choices {
		if s, isString := v.(string); isString && s == text {
			return v, nil, true
		}
	}
	text = strings.TrimSpace(text)
	var constants map[types]constant // text, read once as each type of choices
	for _, v := range choices {
		k := typeOf(v)
		if k == typeString {
			continue
		}
		c, known := constants[k]
		if !known {
			c = constantIn(text, k)
			if constants == nil {
				constants = map[types]constant{}
			}
			constants[k] = c
		}
		if c.ok && c.identity == identity(v) {
			if c.repair != "" {
				repairs = []string{c.repair}
			}
			return v, repairs, true
		}
	}
	same := func(s string) bool { return strings.EqualFold(s, text) }
	if s, ok := onlyString(choices, same); ok {
		if s != text {
			repairs = []string{EnumCase}
		}
		return s, repairs, true
	}
	if slices.ContainsFunc(choices, func(v any) bool { s, isString := v.(string); return isString && same(s) }) {
		return nil, nil, false // several differ in case only
	}
	if s, ok := onlyString(choices, func(s string) bool { return sameWords(s, text) }); ok {
		return s, []string{EnumSpelling}, true
	}
	if inner, ok := withoutQuotes(text); ok {
		v, repairs, ok := choose(inner, choices)
		return v, append([]string{QuotedValue}, repairs...), ok
	}
	return nil, nil, false
}

// onlyString returns the only string among choices for which fits returns true. ok is false if fits
// returns true for none or for several different ones.
func onlyString(choices []any, fits func(string) bool) (only string, ok bool) {
	for _, v := range choices {
		s, isString := v.(string)
		if !isString || !fits(s) || ok && s == only {
			continue
		}
		if ok {
			return "", false
		}
		only, ok = s, true
	}
	return only, ok
}

// sameWords reports whether two texts differ only in case, and in the blanks, hyphens and
// underscores between letters and digits. A hyphen at the start makes a difference: "-1" is not
// "1".
func sameWords(a, b string) bool {
	for i, j := 0, 0; ; {
		var x, y rune
		x, i = nextOfWords(a, i)
		y, j = nextOfWords(b, j)
		if x != y {
			return false
		}
		if x < 0 {
			return true
		}
	}
}

// nextOfWords returns the character at the index i in lower case, and the index of the next one. It
// returns one underscore for all separators between two words, and -1 at the end of s.
func nextOfWords(s string, i int) (r rune, next int) {
	if i == len(s) {
		return -1, i
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	previous, _ := utf8.DecodeLastRuneInString(s[:i])
	if !isSeparator(r) || !isWordRune(previous) {
		return unicode.ToLower(r), i + n
	}
	end := len(s) - len(strings.TrimLeftFunc(s[i:], isSeparator))
	if following, _ := utf8.DecodeRuneInString(s[end:]); isWordRune(following) {
		return '_', end
	}
	return r, i + n
}

func isSeparator(r rune) bool { return r == '_' || r == '-' || unicode.IsSpace(r) }
func isWordRune(r rune) bool  { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// quotes are the quotation marks that models put around a listed value.
var quotes = [...][2]string{{`"`, `"`}, {"'", "'"}, {"`", "`"}, {"“", "”"}, {"‘", "’"}}

// withoutQuotes removes one pair of quotation marks around a text. ok is false if the text has no
// such pair, if nothing is within the pair, or if the text contains more of these marks.
func withoutQuotes(text string) (inner string, ok bool) {
	for _, q := range quotes {
		if len(text) > len(q[0])+len(q[1]) && strings.HasPrefix(text, q[0]) && strings.HasSuffix(text, q[1]) {
			inner = text[len(q[0]) : len(text)-len(q[1])]
			return inner, !strings.Contains(inner, q[0]) && !strings.Contains(inner, q[1])
		}
	}
	return "", false
}
