package schema

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// equal reports whether two values are equal. It compares two numbers by value, but numbers within
// arrays and objects by their text.
func equal(a, b any) bool {
	x, xIsNumber := a.(json.Number)
	y, yIsNumber := b.(json.Number)
	if xIsNumber && yIsNumber {
		m, mOK := parseNumber(string(x))
		n, nOK := parseNumber(string(y))
		return mOK && nOK && m == n
	}
	return bytes.Equal(orderedjson.Append(nil, a), orderedjson.Append(nil, b))
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
	if !isHuge(v) {
		return nil, false
	}
	path = slices.Clip(path)
	switch v := v.(type) {
	case []any:
		i := slices.IndexFunc(v, isHuge)
		return hugeNumber(v[i], append(path, strconv.Itoa(i))...)
	case map[string]any:
		names := sortedKeys(v)
		i := slices.IndexFunc(names, func(name string) bool { return isHuge(v[name]) })
		return hugeNumber(v[names[i]], append(path, names[i])...)
	}
	return path, true
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
