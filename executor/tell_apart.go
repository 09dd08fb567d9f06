package executor

import (
	"encoding/json"
	"strings"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
)

// Limits of what TellApart says of one argument and of one result, in bytes.
const (
	maxToldValue = 80
	maxTold      = 240
)

// TellApart returns for each result the arguments that tell its call apart from the other calls of
// the same method, as in "path=a.txt, startLine=1"; "" if no argument does. Values of secret
// arguments are masked, and long ones are shortened.
func TellApart(results []Result) []string {
	told := make([]string, len(results))
	if len(results) < 2 {
		return told
	}
	groups := map[string][]int{}
	for i := range results {
		if r := &results[i]; r.entry != nil && r.Arguments != nil {
			groups[r.Method] = append(groups[r.Method], i)
		}
	}
	for _, group := range groups {
		if len(group) > 1 {
			tellGroupApart(results, group, told)
		}
	}
	return told
}

// tellGroupApart sets the arguments that distinguish the results at these indexes, which are all of
// one method.
func tellGroupApart(results []Result, group []int, told []string) {
	calls := make([][]orderedjson.Member, len(group))
	values := map[string]map[string]int{} // how many calls have an argument with a value
	for i, at := range group {
		r := &results[at]
		calls[i], _ = orderedjson.Members(r.entry.MaskArguments(r.Arguments)) // typed arguments are always an object
		for _, m := range calls[i] {
			if values[m.Name] == nil {
				values[m.Name] = map[string]int{}
			}
			values[m.Name][string(m.Value)]++
		}
	}
	for i, at := range group {
		var parts []string
		for _, m := range calls[i] {
			if values[m.Name][string(m.Value)] < len(group) {
				parts = append(parts, m.Name+"="+shownValue(m.Value))
			}
		}
		told[at] = text.Valid(text.TruncateBytes(strings.Join(parts, ", "), maxTold))
	}
}

// shownValue returns a value as it is shown among others: a string without quotation marks unless
// it needs them.
func shownValue(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) != nil || s == "" || strings.ContainsAny(s, "\"=,\r\n\t") {
		s = string(value)
	}
	return text.TruncateBytes(s, maxToldValue)
}
