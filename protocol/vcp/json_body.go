package vcp

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/protocol/scan"
)

// The members of a JSON body that may stand for tool_name and for the arguments (B18).
const (
	memberName       = "name"
	memberArguments  = "arguments"
	memberParameters = "parameters"
)

// jsonFields returns the fields of a request that is written as a JSON object, or nil if text is
// anything else (B18).
func jsonFields(text []byte, maxKey int) []scan.Field {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if !utf8.Valid(text) || !json.Valid(text) || halfSurrogate(text) || !uniqueKeys(d) {
		return nil
	}
	members, err := orderedjson.Members(text)
	if err != nil {
		return nil
	}
	fields := plainFields(members)
	tool := fieldOf(fields, keyToolName)
	switch {
	case tool != nil:
		if fieldOf(fields, memberArguments) != nil || fieldOf(fields, memberParameters) != nil {
			return nil // these members may contain the arguments, or be arguments themselves
		}
	case len(members) == 2 && fieldOf(fields, memberName) != nil && fieldOf(fields, memberArguments) != nil:
		inner, err := orderedjson.Members([]byte(fieldOf(fields, memberArguments).Value))
		if err != nil {
			return nil
		}
		name := *fieldOf(fields, memberName)
		name.Name = keyToolName
		fields = append([]scan.Field{name}, plainFields(inner)...)
		tool = &fields[0]
	default:
		return nil
	}
	if tool.JSON || strings.TrimSpace(tool.Value) == "" || len(fields) > scan.MaxFields {
		return nil
	}
	for i := range fields {
		if !validKey(fields[i].Name, maxKey) {
			return nil
		}
	}
	return fields
}

// plainFields returns members as fields: strings as text, other values as JSON.
func plainFields(members []orderedjson.Member) []scan.Field {
	fields := make([]scan.Field, len(members))
	for i, m := range members {
		fields[i] = scan.Field{Name: m.Name, Value: orderedjson.PlainText(m.Value), JSON: m.Value[0] != '"'}
	}
	return fields
}

// fieldOf returns the first field of that name, or nil if no field has it.
func fieldOf(fields []scan.Field, name string) *scan.Field {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}

// uniqueKeys reports whether no object in the next value of d contains a key twice. The value must
// be valid JSON.
func uniqueKeys(d *json.Decoder) bool {
	open, _ := d.Token()
	if open != json.Delim('{') && open != json.Delim('[') {
		return true
	}
	seen := map[json.Token]bool{}
	for d.More() {
		if open == json.Delim('{') {
			key, _ := d.Token()
			if seen[key] {
				return false
			}
			seen[key] = true
		}
		if !uniqueKeys(d) {
			return false
		}
	}
	_, _ = d.Token() // the end
	return true
}

// escapes finds each escape of JSON as a whole. Its group is the beginning of half a surrogate
// pair.
var escapes = regexp.MustCompile(`\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]|(u[dD][89a-fA-F])|.)`)

// halfSurrogate reports whether JSON contains an escape of half a surrogate pair, which is not a
// character.
func halfSurrogate(text []byte) bool {
	return slices.ContainsFunc(escapes.FindAllSubmatchIndex(text, -1), func(at []int) bool { return at[2] >= 0 })
}
