package vcp

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/protocol/scan"
)

// The members of a JSON body that names its tool by "name" (B18).
const (
	memberName       = "name"
	memberArguments  = "arguments"
	memberParameters = "parameters"
)

// jsonFields returns the fields of a request that is written as a JSON object; nil if text is
// anything else (B18).
func jsonFields(text []byte, maxKey int) []scan.Field {
	if !utf8.Valid(text) || halfSurrogate(text) || !uniqueKeys(text) {
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
			return nil // they may be the arguments, or one of them
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
		fields[i] = scan.Field{Name: m.Name}
		if fields[i].JSON = json.Unmarshal(m.Value, &fields[i].Value) != nil || m.Value[0] != '"'; fields[i].JSON {
			fields[i].Value = string(m.Value)
		}
	}
	return fields
}

func fieldOf(fields []scan.Field, name string) *scan.Field {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}

// uniqueKeys reports whether text is JSON and no object in it contains a key twice.
func uniqueKeys(text []byte) bool {
	if !json.Valid(text) {
		return false
	}
	type container struct {
		keys  map[string]bool // nil in a list
		value bool            // the next token is the value of a key
	}
	var open []container
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	for {
		t, err := d.Token()
		if err != nil {
			return true // the end
		}
		top := len(open) - 1
		if key, ok := t.(string); ok && top >= 0 && open[top].keys != nil && !open[top].value {
			if open[top].keys[key] {
				return false
			}
			open[top].keys[key], open[top].value = true, true
			continue
		}
		if top >= 0 {
			open[top].value = false
		}
		switch t {
		case json.Delim('{'):
			open = append(open, container{keys: map[string]bool{}})
		case json.Delim('['):
			open = append(open, container{})
		case json.Delim('}'), json.Delim(']'):
			open = open[:top]
		}
	}
}

// halfSurrogate reports whether JSON contains an escape of half a surrogate pair, which is not a
// character.
func halfSurrogate(text []byte) bool {
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 || i+1 == len(text) {
			return false
		}
		r := escapedUnit(text[i:])
		text = text[i+2:]
		if !utf16.IsSurrogate(r) {
			continue
		}
		text = text[4:]
		if utf16.DecodeRune(r, escapedUnit(text)) == utf8.RuneError {
			return true
		}
		text = text[6:]
	}
}

// escapedUnit returns the UTF-16 code unit of the escape at the start of b; -1 for any other text.
func escapedUnit(b []byte) rune {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}
