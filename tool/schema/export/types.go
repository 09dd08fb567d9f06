package export

import (
	"cmp"
	"encoding/json"
	"math/big"
	"slices"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// merged returns o with the keywords of the subschemas in allOf. Keywords of o take precedence,
// except that properties and required are united. If o and a subschema declare the same
// property, the declaration in the subschema counts.
func merged(o *orderedjson.Object) *orderedjson.Object {
	parts := o.List("allOf")
	if len(parts) == 0 {
		return o
	}
	c := o.Clone()
	c.Delete("allOf")
	for _, v := range parts {
		part, ok := v.(*orderedjson.Object)
		if !ok {
			continue
		}
		part = merged(part)
		for _, name := range part.Names {
			have := c.Object(name)
			switch more := part.Object(name); {
			case name == "properties" && have != nil && more != nil:
				united := have.Clone()
				united.SetAll(more)
				c.Set(name, united)
			case name == "required":
				c.Set(name, slices.Concat(c.List(name), part.List(name)))
			case c.Values[name] == nil:
				c.Set(name, part.Values[name])
			}
		}
	}
	return c
}

// typesIn returns the types that a schema names, except null. nullable reports whether it names
// null.
func typesIn(o *orderedjson.Object) (types []string, nullable bool) {
	listed := o.List("type")
	if t := o.Text("type"); t != "" {
		listed = []any{t}
	}
	for _, v := range listed {
		switch t, _ := v.(string); t {
		case "null":
			nullable = true
		case "":
		default:
			types = append(types, t)
		}
	}
	return types, nullable
}

// alternativesIn returns the schemas in anyOf and oneOf, except those for null only. nullable
// reports whether there is one for null only.
func alternativesIn(o *orderedjson.Object) (alternatives []*orderedjson.Object, nullable bool) {
	for _, v := range slices.Concat(o.List("anyOf"), o.List("oneOf")) {
		if sub, ok := v.(*orderedjson.Object); ok {
			if types, null := typesIn(sub); null && len(types) == 0 {
				nullable = true
				continue
			}
			alternatives = append(alternatives, sub)
		}
	}
	return alternatives, nullable
}

// impliedType returns the first of types, the types that a schema names. If the schema names none,
// impliedType derives a type from its other keywords.
func impliedType(o *orderedjson.Object, types []string) string {
	switch {
	case len(types) > 0:
		return types[0]
	case o.Has("properties"):
		return "object"
	case o.Has("items"), o.Has("prefixItems"):
		return "array"
	}
	implied := ""
	for _, v := range choicesIn(o) { // integers and other numbers imply number; other mixtures imply string
		switch t := typeOf(v); {
		case implied == "" || implied == t || implied == "integer" && t == "number":
			implied = t
		case implied != "number" || t != "integer":
			return "string"
		}
	}
	return cmp.Or(implied, "string")
}

// typeOf returns the JSON Schema type of a listed value.
func typeOf(v any) string {
	switch v := v.(type) {
	case string:
		return "string"
	case bool:
		return "boolean"
	case []any:
		return "array"
	case json.Number:
		if r, ok := new(big.Rat).SetString(string(v)); ok && r.IsInt() {
			return "integer"
		}
		return "number"
	}
	return "object"
}

// choicesIn returns the values that a schema lists, except null. The result is nil if the schema
// lists no values.
func choicesIn(o *orderedjson.Object) []any {
	choices := o.List("enum")
	if o.Has("const") {
		choices = []any{o.Values["const"]}
	}
	return slices.DeleteFunc(slices.Clone(choices), func(v any) bool { return v == nil })
}
