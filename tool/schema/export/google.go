package export

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
)

// googleSchema converts a schema without references to the subset of OpenAPI 3.0 that the Gemini
// API accepts. In that subset, a schema has a single type, in capitals. It has nullable in place of
// the type null, and enum for strings only. It lacks const, oneOf, allOf and additionalProperties.
func googleSchema(v any) *orderedjson.Object {
	o, ok := v.(*orderedjson.Object)
	if !ok {
		return orderedjson.New("type", "STRING") // true and false name no type
	}
	o = merged(o)
	types, nullable := typesIn(o)
	alternatives, orNull := alternativesIn(o)
	switch {
	case len(types) == 0 && len(alternatives) == 1:
		only := alternatives[0].Clone()
		if description := o.Text("description"); description != "" {
			only.Set("description", description)
		}
		g := googleSchema(only)
		if orNull {
			g.Set("nullable", true)
		}
		return g
	case len(types) == 0 && len(alternatives) > 1:
		return googleAlternatives(o, alternatives, orNull)
	case len(types) > 1:
		var byType []*orderedjson.Object
		for _, t := range types {
			one := o.Clone()
			one.Delete("description", "default")
			one.Set("type", t)
			byType = append(byType, one)
		}
		return googleAlternatives(o, byType, nullable)
	}
	return googlePlain(o, impliedType(o, types), nullable)
}

// googleAlternatives returns a schema with the keyword anyOf. The API accepts no other keyword
// beside anyOf, so the first alternative gets the description of o. nullable adds null to each
// alternative that has no anyOf itself.
func googleAlternatives(o *orderedjson.Object, alternatives []*orderedjson.Object, nullable bool) *orderedjson.Object {
	list := make([]any, len(alternatives))
	for i, sub := range alternatives {
		g := googleSchema(sub)
		if i == 0 {
			g = withDescription(g, joinSentences(o.Text("description"), g.Text("description")))
		}
		if nullable && !g.Has("anyOf") {
			g.Set("nullable", true)
		}
		list[i] = g
	}
	return orderedjson.New("anyOf", list)
}

// googlePlain converts a schema of the type t without alternatives.
func googlePlain(o *orderedjson.Object, t string, nullable bool) *orderedjson.Object {
	g := orderedjson.New("type", strings.ToUpper(t))
	if format := o.Text("format"); slices.Contains(googleFormats[t], format) {
		g.Set("format", format)
	}
	choices := choicesIn(o)
	description := o.Text("description")
	if t != "string" && len(choices) > 0 { // enum is for strings only
		description = joinSentences(description, oneOf(choices))
	}
	g = withDescription(g, description)
	if nullable || slices.Contains(o.List("enum"), nil) {
		g.Set("nullable", true)
	}
	otherThanString := func(v any) bool { return typeOf(v) != "string" }
	if t == "string" && len(choices) > 0 && !slices.ContainsFunc(choices, otherThanString) {
		g.Set("enum", choices)
	}
	switch t {
	case "array":
		g.Set("items", googleItems(o))
	case "object":
		googleProperties(g, o)
	}
	for _, keyword := range googleLimits[t] {
		if _, isNumber := o.Values[keyword].(json.Number); isNumber || keyword == "pattern" && o.Has(keyword) {
			g.Set(keyword, o.Values[keyword])
		}
	}
	if o.Has("default") && o.Values["default"] != nil {
		g.Set("default", o.Values["default"])
	}
	return g
}

// oneOf returns a sentence that lists values.
func oneOf(values []any) string {
	const most, longest = 20, 80 // 20 values, each of up to 80 characters
	var shown []string
	for _, v := range values[:min(len(values), most)] {
		shown = append(shown, text.TruncateRunes(string(orderedjson.Append(nil, v)), longest))
	}
	list := "One of " + strings.Join(shown, ", ")
	if more := len(values) - most; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list + "."
}

// googleFormats are the formats that the API accepts, by type. It refuses a request with any other
// format.
var googleFormats = map[string][]string{
	"string": {"date-time"}, "number": {"float", "double"}, "integer": {"int32", "int64"},
}

// googleLimits are the limiting keywords that the API accepts, by type.
var googleLimits = map[string][]string{
	"string": {"minLength", "maxLength", "pattern"}, "number": {"minimum", "maximum"}, "integer": {"minimum", "maximum"},
	"array": {"minItems", "maxItems"}, "object": {"minProperties", "maxProperties"},
}

// googleItems returns one schema for all elements, because the API has no prefixItems.
func googleItems(o *orderedjson.Object) *orderedjson.Object {
	var forms []*orderedjson.Object
	for _, v := range append(slices.Clone(o.List("prefixItems")), o.Values["items"]) {
		if sub, ok := v.(*orderedjson.Object); ok {
			forms = append(forms, sub)
		}
	}
	switch len(forms) {
	case 0:
		return orderedjson.New("type", "STRING") // the API requires a schema for elements
	case 1:
		return googleSchema(forms[0])
	}
	return googleAlternatives(orderedjson.New(), forms, false)
}

// googleProperties sets properties and required in g, converted from o.
func googleProperties(g, o *orderedjson.Object) {
	properties := o.Object("properties")
	if properties == nil || len(properties.Names) == 0 {
		return
	}
	out := orderedjson.New()
	for _, name := range properties.Names {
		out.Set(name, googleSchema(properties.Values[name]))
	}
	g.Set("properties", out)
	var required []any
	for _, v := range o.List("required") {
		if name, ok := v.(string); ok && properties.Has(name) && !slices.Contains(required, v) {
			required = append(required, v)
		}
	}
	if required != nil {
		g.Set("required", required)
	}
}

// withDescription returns g with a description after its type and format.
func withDescription(g *orderedjson.Object, description string) *orderedjson.Object {
	if description == "" {
		return g
	}
	c := orderedjson.New()
	for _, name := range g.Names {
		if name == "type" || name == "format" {
			c.Set(name, g.Values[name])
		}
	}
	c.Set("description", description)
	for _, name := range g.Names {
		if !c.Has(name) {
			c.Set(name, g.Values[name])
		}
	}
	return c
}

// joinSentences returns a and then b, with a full stop after a if it ends without punctuation.
func joinSentences(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	if !strings.ContainsAny(a[len(a)-1:], ".!?") && !strings.HasSuffix(a, "。") {
		a += "."
	}
	return a + " " + b
}
