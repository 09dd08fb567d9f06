package export

import (
	"slices"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// Keywords that contain schemas, by the form of their value.
var (
	schemaMaps    = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
	schemaLists   = []string{"allOf", "anyOf", "oneOf", "prefixItems"}
	singleSchemas = []string{
		"items", "additionalItems", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames",
		"unevaluatedProperties", "unevaluatedItems",
	}
)

// modernize converts a schema of an older draft to draft 2020-12: a list in items becomes
// prefixItems, and an exclusive limit becomes a number.
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
			limit := "m" + name[len("exclusiveM"):] // minimum or maximum
			if o.Has(limit) {
				c.Set(name, o.Values[limit])
			}
		case v == false && (name == "exclusiveMinimum" || name == "exclusiveMaximum"): // omitted: the limit is inclusive
		case name == "minimum" && o.Values["exclusiveMinimum"] == true, name == "maximum" && o.Values["exclusiveMaximum"] == true:
			// omitted: the exclusive limit replaces it
		default:
			c.Set(name, v)
		}
	}
	mapSchemas(c, modernize)
	return c
}

// withItems adds the keyword items, with a schema that accepts any element, to each array without
// it, because OpenAI's API requires the keyword.
func withItems(v any) any {
	o, ok := v.(*orderedjson.Object)
	if !ok {
		return v
	}
	c := o.Clone()
	mapSchemas(c, withItems)
	types := append(slices.Clone(c.List("type")), c.Values["type"]) // the keyword is a list or a single name
	if slices.Contains(types, any("array")) && !c.Has("items") {
		c.Set("items", orderedjson.New())
	}
	return c
}

// mapSchemas applies f to each subschema directly within o.
func mapSchemas(o *orderedjson.Object, f func(any) any) {
	for _, keyword := range schemaMaps {
		if m := o.Object(keyword); m != nil {
			m = m.Clone()
			for _, name := range m.Names {
				m.Set(name, f(m.Values[name]))
			}
			o.Set(keyword, m)
		}
	}
	for _, keyword := range schemaLists {
		if list := slices.Clone(o.List(keyword)); list != nil {
			for i := range list {
				list[i] = f(list[i])
			}
			o.Set(keyword, list)
		}
	}
	for _, keyword := range singleSchemas {
		if sub := o.Object(keyword); sub != nil {
			o.Set(keyword, f(sub))
		}
	}
}
