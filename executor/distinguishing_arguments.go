package executor

import (
	"encoding/json"
	"strings"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
)

// The limits of what DistinguishingArguments shows, in bytes.
const (
	maxShownValue     = 80  // of one argument
	maxShownArguments = 240 // of one call
)

// DistinguishingArguments returns for each result the arguments in which its call differs from
// other calls of the same method, as in "path=a.txt, startLine=1". The text is "" if there is no
// such argument. Values of secret arguments are masked, and long values are shortened.
func DistinguishingArguments(results []Result) []string {
	shown := make([]string, len(results))
	if len(results) < 2 {
		return shown
	}
	groups := map[string][]int{}
	for i := range results {
		if r := &results[i]; r.entry != nil && r.Arguments != nil {
			groups[r.Method] = append(groups[r.Method], i)
		}
	}
	for _, group := range groups {
		if len(group) > 1 {
			distinguish(results, group, shown)
		}
	}
	return shown
}

// distinguish sets shown[i] for each index i in group, from results[i]. The results of a group are
// of one method.
func distinguish(results []Result, group []int, shown []string) {
	calls := make([][]orderedjson.Member, len(group))
	values := map[string]map[string]int{} // by an argument's name and value: how many calls have it
	for i, index := range group {
		r := &results[index]
		// Typed arguments are always an object.
		calls[i], _ = orderedjson.Members(r.entry.MaskArguments(r.Arguments))
		for _, m := range calls[i] {
			if values[m.Name] == nil {
				values[m.Name] = map[string]int{}
			}
			values[m.Name][string(m.Value)]++
		}
	}
	for i, index := range group {
		var parts []string
		for _, m := range calls[i] {
			if values[m.Name][string(m.Value)] < len(group) {
				parts = append(parts, m.Name+"="+shownValue(m.Value))
			}
		}
		shown[index] = text.Valid(text.TruncateBytes(strings.Join(parts, ", "), maxShownArguments))
	}
}

// shownValue returns the text that shows an argument's value. A string has quotation marks only if
// it would be ambiguous without them.
func shownValue(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) != nil || s == "" || strings.ContainsAny(s, "\"=,\r\n\t") {
		s = string(value)
	}
	return text.TruncateBytes(s, maxShownValue)
}
