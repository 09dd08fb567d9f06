package export

import (
	"slices"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/tool/schema"
)

// notAtTop are the keywords that providers refuse at the top level of a function's parameters.
var notAtTop = []string{"$ref", "allOf", "anyOf", "oneOf", "not", "enum", "const"}

// argumentsOf lists the names of the arguments that a schema declares.
func argumentsOf(s *schema.Schema) []string {
	var names []string
	for _, p := range s.Properties() {
		names = append(names, p.Name)
	}
	return names
}

// read decodes the JSON of a schema. raw must be valid.
func read(raw []byte) any {
	v, err := orderedjson.ReadOrdered(string(raw))
	if err != nil {
		return orderedjson.New()
	}
	return v
}

// plainObject returns a schema in JSON Schema 2020-12 that has the type object and none of notAtTop
// at its top level. names contains the provider's name of each argument.
func plainObject(s *schema.Schema, names map[string]string) *orderedjson.Object {
	top, ok := read(s.JSON()).(*orderedjson.Object)
	if !ok || slices.ContainsFunc(notAtTop, top.Has) {
		return inlined(s, names)
	}
	top.Delete("$schema")
	if !top.Has("properties") {
		top.Set("properties", orderedjson.New())
	}
	top.Set("type", "object")
	modern, _ := modernize(top).(*orderedjson.Object)
	rename(modern, names)
	return modern
}

// inlined returns a schema like plainObject, but without references. Its properties are all
// arguments that s declares, even those in alternatives.
func inlined(s *schema.Schema, names map[string]string) *orderedjson.Object {
	properties, required := orderedjson.New(), []any{}
	for _, p := range s.Properties() {
		properties.Set(nameIn(names, p.Name), modernize(read(p.Schema)))
		if p.Required {
			required = append(required, nameIn(names, p.Name))
		}
	}
	object := orderedjson.New("type", "object")
	if top, ok := read(s.JSON()).(*orderedjson.Object); ok && top.Text("description") != "" {
		object.Set("description", top.Text("description"))
	}
	object.Set("properties", properties)
	if len(required) > 0 {
		object.Set("required", required)
	}
	if !s.TakesOthers() {
		object.Set("additionalProperties", false)
	}
	return object
}

// rename replaces the names of the properties at the top level.
func rename(top *orderedjson.Object, names map[string]string) {
	properties := top.Object("properties")
	if properties == nil {
		return
	}
	renamed := orderedjson.New()
	for _, name := range properties.Names {
		renamed.Set(nameIn(names, name), properties.Values[name])
	}
	top.Set("properties", renamed)
	if required := slices.Clone(top.List("required")); required != nil {
		for i, v := range required {
			if name, ok := v.(string); ok {
				required[i] = nameIn(names, name)
			}
		}
		top.Set("required", required)
	}
}

// nameIn returns the provider's name of an argument.
func nameIn(names map[string]string, name string) string {
	if wireName, ok := names[name]; ok {
		return wireName
	}
	return name
}
