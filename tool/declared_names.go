package tool

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/vcpgo/vcp/internal/text"
)

// badSecret says why a name is none of a secret parameter; "" where it may be. A misspelt one would leave a secret in every record.
func (m *Method) badSecret(name string) string {
	found := m.declaredNames()
	same := func(n string) bool { return text.FoldName(n) == text.FoldName(name) }
	if found.any || slices.ContainsFunc(found.names, same) {
		return ""
	}
	why := fmt.Sprintf("has the secret parameter %q, which its parameters have nowhere", name)
	if near := text.Nearest(name, found.names); len(near) > 0 {
		why += fmt.Sprintf("; did you mean %s?", near[0])
	}
	return why
}

// memberNames returns the names that the method's parameters declare.
func (m *Method) declaredNames() (found declaredNames) {
	var doc any
	if json.Unmarshal(m.Parameters.JSON(), &doc) == nil { // the schema was compiled from it
		found.add(doc)
	}
	return found
}

// memberNames are the names that members of objects have in a schema, at any depth.
type declaredNames struct {
	names []string
	any   bool // somewhere any name is welcome
}

// add gathers the names in one part of a schema. Where an object declares members and says nothing of others, those are taken for all.
func (f *declaredNames) add(part any) {
	if list, ok := part.([]any); ok {
		for _, p := range list {
			f.add(p)
		}
	}
	members, ok := part.(map[string]any)
	if !ok {
		return
	}
	if takesAnyMember(members) {
		f.any = true
	}
	for keyword, value := range members {
		switch keyword {
		case "default", "examples", "enum", "const": // data
		case "additionalProperties", "unevaluatedProperties":
			if value != false {
				f.any = true
			}
		case "patternProperties":
			f.any = true
		case "properties", "$defs", "definitions", "dependentSchemas":
			named, _ := value.(map[string]any)
			for name, p := range named {
				if keyword == "properties" {
					f.names = append(f.names, name)
				}
				if p == true {
					f.any = true
				}
				f.add(p)
			}
		case "items", "prefixItems", "contains":
			if value == true {
				f.any = true
			}
			f.add(value)
		default:
			f.add(value)
		}
	}
}

// takesAnyMember reports whether a part of a schema takes objects of which it says nothing.
func takesAnyMember(part map[string]any) bool {
	switch t := part["type"].(type) {
	case string:
		if t != "object" {
			return false
		}
	case []any:
		if !slices.Contains(t, any("object")) {
			return false
		}
	}
	// Each of these says what an object holds, or leads to a part that does.
	for _, keyword := range []string{
		"properties", "additionalProperties", "unevaluatedProperties", "patternProperties", "required", "enum", "const",
		"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if",
	} {
		if _, ok := part[keyword]; ok {
			return false
		}
	}
	return true
}
