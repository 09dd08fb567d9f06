package schema

import (
	"encoding/json"
	"slices"
	"strings"
)

// googleSchema writes a schema without references in the subset of OpenAPI 3.0 that the Gemini API reads: one type in capitals,
// nullable in place of null, lists of strings alone, and neither const, oneOf, allOf nor additionalProperties.
func googleSchema(v any) *ordered {
	o, ok := v.(*ordered)
	if !ok {
		return newOrdered("type", "STRING") // true and false say nothing of the value
	}
	o = merged(o)
	types, nullable := typesIn(o)
	alternatives, orNull := alternativesIn(o)
	switch {
	case len(types) == 0 && len(alternatives) == 1:
		only := alternatives[0].clone()
		if description := o.text("description"); description != "" {
			only.set("description", description)
		}
		g := googleSchema(only)
		if orNull {
			g.set("nullable", true)
		}
		return g
	case len(types) == 0 && len(alternatives) > 1:
		return googleAlternatives(o, alternatives, orNull)
	case len(types) > 1:
		for _, t := range types {
			one := o.clone()
			one.delete("description", "default")
			one.set("type", t)
			alternatives = append(alternatives, one)
		}
		return googleAlternatives(o, alternatives[len(alternatives)-len(types):], nullable)
	}
	return googlePlain(o, impliedType(o, types), nullable)
}

// merged takes the parts of allOf into the schema that holds them.
func merged(o *ordered) *ordered {
	parts := o.list("allOf")
	if len(parts) == 0 {
		return o
	}
	c := o.clone()
	c.delete("allOf")
	for _, v := range parts {
		part, ok := v.(*ordered)
		if !ok {
			continue
		}
		part = merged(part)
		for _, name := range part.names {
			have, add := c.values[name], part.values[name]
			if properties, ok := have.(*ordered); ok && name == "properties" {
				if more, ok := add.(*ordered); ok {
					properties = properties.clone()
					for _, p := range more.names {
						properties.set(p, more.values[p])
					}
					add = properties
				}
			} else if required, ok := have.([]any); ok && name == "required" {
				if more, ok := add.([]any); ok {
					add = slices.Concat(required, more)
				}
			} else if have != nil {
				add = have
			}
			c.set(name, add)
		}
	}
	return c
}

// typesIn lists the types that a schema names, null aside.
func typesIn(o *ordered) (types []string, nullable bool) {
	listed := o.list("type")
	if t := o.text("type"); t != "" {
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

// alternativesIn lists the alternatives of a schema, null aside.
func alternativesIn(o *ordered) (alternatives []*ordered, nullable bool) {
	for _, v := range slices.Concat(o.list("anyOf"), o.list("oneOf")) {
		if sub, ok := v.(*ordered); ok {
			if types, null := typesIn(sub); null && len(types) == 0 {
				nullable = true
				continue
			}
			alternatives = append(alternatives, sub)
		}
	}
	return alternatives, nullable
}

// googleAlternatives writes alternatives. Beside them the API takes nothing, so what is said of them all goes to the first.
func googleAlternatives(o *ordered, alternatives []*ordered, nullable bool) *ordered {
	list := make([]any, len(alternatives))
	for i, sub := range alternatives {
		g := googleSchema(sub)
		if i == 0 {
			g = withDescription(g, joinSentences(o.text("description"), g.text("description")))
		}
		if nullable && !g.has("anyOf") {
			g.set("nullable", true)
		}
		list[i] = g
	}
	return newOrdered("anyOf", list)
}

// impliedType is the type of a schema; where it names none, the one that its other keywords are about.
func impliedType(o *ordered, types []string) string {
	switch {
	case len(types) > 0:
		return types[0]
	case o.has("properties"):
		return "object"
	case o.has("items"), o.has("prefixItems"):
		return "array"
	}
	var k kinds
	for _, v := range choicesIn(o) {
		k |= kindOf(v)
	}
	if t := k.single(); t != "" && k&kindString == 0 {
		return t
	}
	return "string"
}

// choicesIn lists the values that a schema allows, null aside; nil where it does not list them.
func choicesIn(o *ordered) []any {
	choices := o.list("enum")
	if o.has("const") {
		choices = []any{o.values["const"]}
	}
	return slices.DeleteFunc(slices.Clone(choices), func(v any) bool { return v == nil })
}

// googlePlain writes a schema of one type.
func googlePlain(o *ordered, t string, nullable bool) *ordered {
	g := newOrdered("type", strings.ToUpper(t))
	if format := o.text("format"); slices.Contains(googleFormats[t], format) {
		g.set("format", format)
	}
	choices := choicesIn(o)
	description := o.text("description")
	if t != "string" && len(choices) > 0 { // only strings may be listed
		description = joinSentences(description, strings.ToUpper(oneOf(choices)[:1])+oneOf(choices)[1:]+".")
	}
	g = withDescription(g, description)
	if nullable || slices.Contains(o.list("enum"), nil) {
		g.set("nullable", true)
	}
	if t == "string" && len(choices) > 0 && !slices.ContainsFunc(choices, func(v any) bool { return kindOf(v) != kindString }) {
		g.set("enum", choices)
	}
	switch t {
	case "array":
		g.set("items", googleItems(o))
	case "object":
		googleProperties(g, o)
	}
	for _, keyword := range googleLimits[t] {
		if _, isNumber := o.values[keyword].(json.Number); isNumber || keyword == "pattern" && o.has(keyword) {
			g.set(keyword, o.values[keyword])
		}
	}
	if o.has("default") && o.values["default"] != nil {
		g.set("default", o.values["default"])
	}
	return g
}

// googleFormats are the formats that the API takes; it refuses a request with any other.
var googleFormats = map[string][]string{
	"string": {"date-time"}, "number": {"float", "double"}, "integer": {"int32", "int64"},
}

var googleLimits = map[string][]string{
	"string": {"minLength", "maxLength", "pattern"}, "number": {"minimum", "maximum"}, "integer": {"minimum", "maximum"},
	"array": {"minItems", "maxItems"}, "object": {"minProperties", "maxProperties"},
}

// googleItems is the form of all elements: the API knows no other.
func googleItems(o *ordered) *ordered {
	var forms []*ordered
	for _, v := range append(slices.Clone(o.list("prefixItems")), o.values["items"]) {
		if sub, ok := v.(*ordered); ok {
			forms = append(forms, sub)
		}
	}
	switch len(forms) {
	case 0:
		return newOrdered("type", "STRING")
	case 1:
		return googleSchema(forms[0])
	}
	return googleAlternatives(newOrdered(), forms, false)
}

func googleProperties(g, o *ordered) {
	properties, ok := o.values["properties"].(*ordered)
	if !ok || len(properties.names) == 0 {
		return
	}
	out := newOrdered()
	for _, name := range properties.names {
		out.set(name, googleSchema(properties.values[name]))
	}
	g.set("properties", out)
	var required []any
	for _, v := range o.list("required") {
		if name, ok := v.(string); ok && properties.has(name) && !slices.Contains(required, v) {
			required = append(required, v)
		}
	}
	if required != nil {
		g.set("required", required)
	}
}

// withDescription puts a description behind the type.
func withDescription(g *ordered, description string) *ordered {
	if description == "" {
		return g
	}
	c := newOrdered()
	for _, name := range g.names {
		if name == "type" || name == "format" {
			c.set(name, g.values[name])
		}
	}
	c.set("description", description)
	for _, name := range g.names {
		if !c.has(name) {
			c.set(name, g.values[name])
		}
	}
	return c
}

func joinSentences(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	if !strings.ContainsAny(a[len(a)-1:], ".!?") && !strings.HasSuffix(a, "。") {
		a += "."
	}
	return a + " " + b
}
