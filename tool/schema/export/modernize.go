package export

import (
	"slices"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// The keywords that contain schemas, by the form of their value.
var (
	schemaMaps  = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
	schemaLists = []string{"allOf", "anyOf", "oneOf", "prefixItems"}
	schemaOnes  = []string{
		"items", "additionalItems", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames",
		"unevaluatedProperties", "unevaluatedItems",
	}
)

// modernize writes a schema of an older draft as draft 2020-12: a list of schemas for the first
// elements is prefixItems, and an exclusive limit is a number.
func modernize(v any) any {
	o, ok := v.(*orderedjson.Object)
	if !ok {
		return v
	}
	c := orderedjson.New()
	for _, name := range o.Names {
		v := o.Values[name]
		_, isList := v.([]any)
		switch {
		case name == "items" && isList:
			c.Set("prefixItems", v)
		case name == "additionalItems":
			if len(o.List("items")) > 0 {
				c.Set("items", v)
			}
		case v == true && (name == "exclusiveMinimum" || name == "exclusiveMaximum"):
			limit := "m" + name[len("exclusiveM"):]
			if o.Has(limit) {
				c.Set(name, o.Values[limit])
			}
		case v == false && (name == "exclusiveMinimum" || name == "exclusiveMaximum"):
		case name == "minimum" && o.Values["exclusiveMinimum"] == true, name == "maximum" && o.Values["exclusiveMaximum"] == true:
		default:
			c.Set(name, v)
		}
	}
	for _, keyword := range schemaMaps {
		if m := c.Object(keyword); m != nil {
			m = m.Clone()
			for _, name := range m.Names {
				m.Set(name, modernize(m.Values[name]))
			}
			c.Set(keyword, m)
		}
	}
	for _, keyword := range schemaLists {
		if list := slices.Clone(c.List(keyword)); list != nil {
			for i := range list {
				list[i] = modernize(list[i])
			}
			c.Set(keyword, list)
		}
	}
	for _, keyword := range schemaOnes {
		if sub := c.Object(keyword); sub != nil {
			c.Set(keyword, modernize(sub))
		}
	}
	return c
}
