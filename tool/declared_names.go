package tool

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/vcpgo/vcp/internal/text"
)

// secretProblem says why a name cannot be that of a secret parameter. The result is "" if it can.
// If a name were misspelled, no record would mask the secret.
func (m *Method) secretProblem(name string) string {
	found := m.declaredNames()
	same := func(n string) bool { return text.FoldName(n) == text.FoldName(name) }
	if found.any || slices.ContainsFunc(found.names, same) {
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
	if json.Unmarshal(m.Parameters.JSON(), &doc) == nil { // it is JSON: the schema was compiled from it
		found.addFrom(doc)
	}
	return found
}

// declaredNames are the names of members of objects in a schema, at any depth.
type declaredNames struct {
	names []string
	any   bool // somewhere any name is allowed
}

// addFrom adds the names in one part of a schema. If an object declares members, they count as all
// that it may have, unless it allows others explicitly.
func (f *declaredNames) addFrom(part any) {
	if list, ok := part.([]any); ok {
		for _, p := range list {
			f.addFrom(p)
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
			parts, _ := value.(map[string]any)
			for name, p := range parts {
				if keyword == "properties" {
					f.names = append(f.names, name)
				}
				if p == true {
					f.any = true
				}
				f.addFrom(p)
			}
		case "items", "prefixItems", "contains":
			if value == true {
				f.any = true
			}
			f.addFrom(value)
		default:
			f.addFrom(value)
		}
	}
}

// takesAnyMember reports whether a part of a schema allows objects and says nothing about their
// members.
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
	// Each of these describes the members, or refers to a part that does.
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
