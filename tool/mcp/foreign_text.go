package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
)

const (
	maxDescription = 8 << 10 // limits a description, in bytes
	maxTitle       = 200     // limits a title, in bytes
)

// clean returns a server's text without invisible characters and without white space around it. A
// text of more than limit bytes is truncated. With invisible characters, a server could tell a
// model something that no person sees.
func clean(s string, limit int) string {
	return text.TruncateBytes(strings.TrimSpace(text.RemoveHidden(s)), limit)
}

// cleanSchema removes invisible characters from every name and text of a schema, and shortens its
// titles and descriptions. It returns an error if raw is not JSON, or if two names of an object
// become equal.
func cleanSchema(raw json.RawMessage) (json.RawMessage, error) {
	v, err := orderedjson.ReadOrdered(string(raw))
	if err == nil {
		v, err = cleanValue(v, roleSchema)
	}
	if err != nil {
		return nil, err
	}
	return orderedjson.Append(nil, v), nil
}

// role is what a value within a schema is.
type role int

const (
	roleSchema        role = iota // a schema, or a list of schemas
	roleSchemasByName             // an object whose members are schemas, such as that of "properties"
	roleData                      // data, such as a default: its "title" and "description" do not describe it
)

// ofMember returns the role of a member of an object that has the role r.
func (r role) ofMember(name string) role {
	switch {
	case r == roleData, r == roleSchema && slices.Contains([]string{"default", "examples", "enum", "const"}, name):
		return roleData
	case r == roleSchema && slices.Contains(
		[]string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}, name):
		return roleSchemasByName
	}
	return roleSchema
}

// cleanValue cleans a value within a schema. It shortens the titles and descriptions of schemas.
func cleanValue(v any, r role) (any, error) {
	var err error
	switch v := v.(type) {
	case string:
		return text.RemoveHidden(v), nil
	case []any:
		for i := range v {
			if v[i], err = cleanValue(v[i], r); err != nil {
				return nil, err
			}
		}
		return v, nil
	case *orderedjson.Object:
		cleaned := orderedjson.New()
		for _, name := range v.Names {
			shown := text.RemoveHidden(name)
			if cleaned.Has(shown) {
				return nil, fmt.Errorf("two names in its schema differ in invisible characters only: %q", shown)
			}
			value, err := cleanValue(v.Values[name], r.ofMember(shown))
			if err != nil {
				return nil, err
			}
			if s, ok := value.(string); ok && r == roleSchema && (shown == "title" || shown == "description") {
				value = clean(s, maxDescription)
			}
			cleaned.Set(shown, value)
		}
		return cleaned, nil
	}
	return v, nil
}
