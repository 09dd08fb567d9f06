package vcpplugin

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// members returns the members of an object, or nil for anything else.
func members(v any) map[string]any {
	object, _ := v.(map[string]any)
	return object
}

// scalar returns a text, a number or a boolean as text, or "" for anything else.
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

// firstScalar returns the text of the first of the fields that is not blank, or "".
func firstScalar(object map[string]any, fields ...string) string {
	for _, field := range fields {
		if s := scalar(object[field]); strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
