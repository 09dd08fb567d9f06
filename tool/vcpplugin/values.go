package vcpplugin

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// members returns the members of an object, or nil for anything else.
func members(v any) map[string]any {
	object, _ := v.(map[string]any)
	return object
}

// scalar returns a text, a number or a truth value as text, or "" for anything else.
func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// scalars returns the texts of a list, or one text as a list.
func scalars(v any) (list []string) {
	items, ok := v.([]any)
	if !ok {
		items = []any{v}
	}
	for _, item := range items {
		if s := scalar(item); s != "" {
			list = append(list, s)
		}
	}
	return list
}

// firstScalar returns the first of the fields that is not blank. It removes the white space around
// the text, except around descriptions and examples.
func firstScalar(object map[string]any, fields ...string) string {
	for _, field := range fields {
		s := scalar(object[field])
		if field != "description" && field != "example" {
			s = strings.TrimSpace(s)
		}
		if strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
