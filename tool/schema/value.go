package schema

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// identity returns a text that is the same for two values if and only if they are equal. Two
// numbers are equal if they have the same value, but numbers within arrays and objects only if they
// have the same text.
func identity(v any) string {
	number, isNumber := v.(json.Number)
	if !isNumber {
		return string(orderedjson.Append(nil, v))
	}
	n, ok := parseNumber(string(number))
	if !ok {
		return string(number)
	}
	text := n.digits + "e" + strconv.Itoa(n.exponent) // no JSON of another type begins like this
	if n.negative {
		return "-" + text
	}
	return text
}

// valueSize returns the size of a value, with its content, roughly in bytes of JSON. It is an upper
// bound of the number of values in it.
func valueSize(v any) int {
	size := 2
	switch v := v.(type) {
	case string:
		size += len(v)
	case json.Number:
		size += len(v)
	case []any:
		for _, e := range v {
			size += valueSize(e)
		}
	case map[string]any:
		for name, e := range v {
			size += len(name) + valueSize(e)
		}
	}
	return size
}

// isHuge reports whether a value is or contains a number that exceeds maxDigits or maxExponent.
func isHuge(v any) bool {
	switch v := v.(type) {
	case json.Number:
		if isPlainInteger(string(v)) {
			return false
		}
		_, ok := parseNumber(string(v))
		return !ok
	case []any:
		return slices.ContainsFunc(v, isHuge)
	case map[string]any:
		for _, e := range v {
			if isHuge(e) {
				return true
			}
		}
	}
	return false
}

// hugeNumber finds the first number in v that exceeds maxDigits or maxExponent, and returns its
// path, which begins with path, the path of v.
func hugeNumber(v any, path ...string) (found []string, huge bool) {
	if !isHuge(v) { // faster than pathToHuge, which sorts the members of objects
		return nil, false
	}
	inner, _ := pathToHuge(v)
	slices.Reverse(inner)
	return slices.Concat(path, inner), true
}

// pathToHuge returns the path of the first number in v that isHuge finds, from the number up to v.
// It visits each value once. ok is false if there is no such number.
func pathToHuge(v any) (path []string, ok bool) {
	switch v := v.(type) {
	case json.Number:
		return nil, isHuge(v)
	case []any:
		for i, e := range v {
			if path, ok := pathToHuge(e); ok {
				return append(path, strconv.Itoa(i)), true
			}
		}
	case map[string]any:
		for _, name := range sortedKeys(v) {
			if path, ok := pathToHuge(v[name]); ok {
				return append(path, name), true
			}
		}
	}
	return nil, false
}

// validates reports whether n accepts v. If the validator panics, the result is false.
func validates(n *jsonschema.Schema, v any) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return n.Validate(v) == nil
}
