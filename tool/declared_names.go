package tool

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/vcpgo/vcp/internal/text"
)

// secretProblem returns why name cannot be a secret parameter, or "" if it can. Names must be
// declared, because a misspelled name would leave the secret unmasked.
func (m *Method) secretProblem(name string) string {
	found := m.declaredNames()
	same := func(n string) bool { return text.FoldName(n) == text.FoldName(name) }
	if found.anyName || slices.ContainsFunc(found.names, same) {
		return ""
	}
	reason := fmt.Sprintf("secret parameter %q: the parameters declare no such name", name)
	if near := text.Nearest(name, found.names); len(near) > 0 {
		reason += fmt.Sprintf("; did you mean %s?", near[0])
	}
	return reason
}

// declaredNames returns the names that the method's parameters declare.
func (m *Method) declaredNames() (found declaredNames) {
	var doc any
	if json.Unmarshal(m.Parameters.JSON(), &doc) == nil { // it never fails: a compiled schema is valid JSON
		found.addFrom(doc)
	}
	return found
}

// declaredNames are the names that a schema declares for arguments, and for members of objects at
// any depth.
type declaredNames struct {
	names   []string
	anyName bool // an object in the schema allows members of any name
}

// addFrom adds the names that a schema, or a list of schemas, declares. If an object declares
// members, it counts as closed unless it allows other members explicitly.
func (f *declaredNames) addFrom(v any) {
	if list, ok := v.([]any); ok {
		for _, sub := range list {
			f.addFrom(sub)
		}
	}
	members, ok := v.(map[string]any)
	if !ok {
		return
	}
	if takesAnyMember(members) {
		f.anyName = true
	}
	for keyword, value := range members {
		switch keyword {
		case "default", "examples", "enum", "const": // their values are data, not schemas
		case "additionalProperties", "unevaluatedProperties":
			if value != false {
				f.anyName = true
			}
		case "patternProperties":
			f.anyName = true
		case "properties", "$defs", "definitions", "dependentSchemas":
			schemas, _ := value.(map[string]any)
			for name, sub := range schemas {
				if keyword == "properties" {
					f.names = append(f.names, name)
				}
				if sub == true {
					f.anyName = true
				}
				f.addFrom(sub)
			}
		case "items", "prefixItems", "contains":
			if value == true {
				f.anyName = true
			}
			f.addFrom(value)
		default:
			f.addFrom(value)
		}
	}
}

// takesAnyMember reports whether a schema allows objects and does not restrict their members.
func takesAnyMember(schema map[string]any) bool {
	switch t := schema["type"].(type) {
	case string:
		if t != "object" {
			return false
		}
	case []any:
		if !slices.Contains(t, any("object")) {
			return false
		}
	}
	// Each of these keywords restricts the members, or contains schemas that may do so.
	for _, keyword := range []string{
		"properties", "additionalProperties", "unevaluatedProperties", "patternProperties", "required", "enum", "const",
		"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if",
	} {
		if _, ok := schema[keyword]; ok {
			return false
		}
	}
	return true
}
