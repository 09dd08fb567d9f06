package schema

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// booleans are the spellings that models use, in any case.
var booleans = map[string]bool{
	"true": true, "yes": true, "1": true, "是": true,
	"false": false, "no": false, "0": false, "否": false,
}

// readScalar reads a text as null, a number or a boolean, whichever of them k has, and returns the
// repair that this took; "" if none.
func readScalar(text string, k types) (v any, repair string, ok bool) {
	text = strings.TrimSpace(text)
	if k&typeNull != 0 && strings.EqualFold(text, "null") {
		return nil, "", true
	}
	if k&typeInteger != 0 && isPlainInteger(text) {
		return json.Number(text), "", true
	}
	if k&(typeNumber|typeInteger) != 0 {
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

// readConstant reads a text as one of the types in k, of which none is string.
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

// choose finds the listed value that a text names: a string exactly, another value by its JSON, or
// else the one string that differs in case only.
func choose(text string, choices []any) (v any, repair string, ok bool) {
	for _, v := range choices {
		if s, isString := v.(string); isString && s == text {
			return v, "", true
		}
	}
	text = strings.TrimSpace(text)
	var folded []string
	for _, v := range choices {
		if s, isString := v.(string); isString && strings.EqualFold(s, text) && !slices.Contains(folded, s) {
			folded = append(folded, s)
		}
	}
	for _, v := range choices {
		if read, repair, ok := readConstant(text, typeOf(v)); ok && equal(read, v) {
			return v, repair, true
		}
	}
	if len(folded) != 1 {
		return nil, "", false
	}
	if folded[0] != text {
		repair = EnumCase
	}
	return folded[0], repair, true
}

// equal reports whether two values are equal; numbers by their value.
func equal(a, b any) bool {
	x, ok1 := a.(json.Number)
	y, ok2 := b.(json.Number)
	if ok1 && ok2 {
		m, ok1 := parseNumber(string(x))
		n, ok2 := parseNumber(string(y))
		return ok1 && ok2 && m == n
	}
	return bytes.Equal(orderedjson.Append(nil, a), orderedjson.Append(nil, b))
}
