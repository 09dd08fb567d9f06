package schema

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// The keywords whose values are schemas, by the form in which they hold them.
var (
	schemaMaps  = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
	schemaLists = []string{"allOf", "anyOf", "oneOf", "prefixItems"}
	schemaOnes  = []string{
		"items", "additionalItems", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames",
		"unevaluatedProperties", "unevaluatedItems",
	}
)

// notAtTop are the keywords that providers refuse at the top of a function's parameters.
var notAtTop = []string{"$ref", "allOf", "anyOf", "oneOf", "not", "enum", "const"}

// declaration is the schema as JSON Schema 2020-12 whose top is a plain object, with other names for arguments.
func (s *Schema) declaration(arguments map[string]string) *ordered {
	top := s.document()
	if slices.ContainsFunc(notAtTop, top.has) {
		return s.inlined(arguments)
	}
	top.delete("$schema")
	if !top.has("properties") {
		top.set("properties", newOrdered())
	}
	top.set("type", "object")
	modern, _ := modernise(top).(*ordered)
	rename(modern, arguments)
	return modern
}

// document reads the schema anew, its members in order.
func (s *Schema) document() *ordered {
	v, err := readOrdered(string(s.raw))
	top, ok := v.(*ordered)
	if err != nil || !ok { // it has been read before
		return newOrdered()
	}
	return top
}

// rename gives the properties at the top other names.
func rename(top *ordered, names map[string]string) {
	properties, ok := top.values["properties"].(*ordered)
	if !ok {
		return
	}
	renamed := newOrdered()
	for _, name := range properties.names {
		renamed.set(nameIn(names, name), properties.values[name])
	}
	top.set("properties", renamed)
	if required := top.list("required"); required != nil {
		required = slices.Clone(required)
		for i, v := range required {
			if name, ok := v.(string); ok {
				required[i] = nameIn(names, name)
			}
		}
		top.set("required", required)
	}
}

func nameIn(names map[string]string, name string) string {
	if other, ok := names[name]; ok {
		return other
	}
	return name
}

// modernise writes a schema of an older draft as draft 2020-12 has it: a list of schemas for the first elements is prefixItems, and
// an exclusive limit is a number.
func modernise(v any) any {
	o, ok := v.(*ordered)
	if !ok {
		return v
	}
	c := newOrdered()
	for _, name := range o.names {
		v := o.values[name]
		_, isList := v.([]any)
		switch {
		case name == "items" && isList:
			c.set("prefixItems", v)
		case name == "additionalItems":
			if len(o.list("items")) > 0 {
				c.set("items", v)
			}
		case v == true && (name == "exclusiveMinimum" || name == "exclusiveMaximum"):
			limit := "m" + name[len("exclusiveM"):]
			if o.has(limit) {
				c.set(name, o.values[limit])
			}
		case v == false && (name == "exclusiveMinimum" || name == "exclusiveMaximum"):
		case name == "minimum" && o.values["exclusiveMinimum"] == true, name == "maximum" && o.values["exclusiveMaximum"] == true:
		default:
			c.set(name, v)
		}
	}
	return eachSchema(c, func(_ []string, v any) any { return modernise(v) })
}

// eachSchema replaces the schemas that o holds directly by what fn makes of them; at is the way from o to each.
func eachSchema(o *ordered, fn func(at []string, v any) any) *ordered {
	for _, keyword := range schemaMaps {
		if m, ok := o.values[keyword].(*ordered); ok {
			m = m.clone()
			for _, name := range m.names {
				m.set(name, fn([]string{keyword, name}, m.values[name]))
			}
			o.set(keyword, m)
		}
	}
	for _, keyword := range append(slices.Clone(schemaLists), "items") {
		if list := o.list(keyword); list != nil {
			list = slices.Clone(list)
			for i := range list {
				list[i] = fn([]string{keyword, strconv.Itoa(i)}, list[i])
			}
			o.set(keyword, list)
		}
	}
	for _, keyword := range schemaOnes {
		if sub, ok := o.values[keyword].(*ordered); ok {
			o.set(keyword, fn([]string{keyword}, sub))
		}
	}
	return o
}

// maxInlined bounds the parts that are written where references are written out: no more than a schema without them may have.
const maxInlined = maxParts

// inlined is the schema as a plain object with all arguments that it declares anywhere, without references, with other names for
// arguments. Where a reference leads back to where it stands, only the type is left.
func (s *Schema) inlined(arguments map[string]string) *ordered {
	in := s.inliner()
	properties, required := newOrdered(), []any{}
	for _, d := range s.shape.declared {
		properties.set(nameIn(arguments, d.name), d.schema(in.declared))
		if d.required {
			required = append(required, nameIn(arguments, d.name))
		}
	}
	top := newOrdered("type", "object")
	if description := in.top.text("description"); description != "" {
		top.set("description", description)
	}
	top.set("properties", properties)
	if len(required) > 0 {
		top.set("required", required)
	}
	if !s.shape.open {
		top.set("additionalProperties", false)
	}
	return top
}

// inliner puts what references lead to in their place.
type inliner struct {
	shape *shape
	top   *ordered
	open  map[string]bool // the places that are being written
	left  int
}

func (s *Schema) inliner() *inliner {
	return &inliner{shape: s.shape, top: s.document(), open: map[string]bool{}, left: maxInlined}
}

// declared is the schema of one declaration of an argument.
func (in *inliner) declared(d *declaration) any { return in.at(pointerOf(d.node.Location)) }

// pointerOf is the way to a part, from the place by which the validator names it.
func pointerOf(place string) []string {
	_, fragment, _ := strings.Cut(place, "#")
	var tokens []string
	for i, token := range strings.Split(fragment, "/") {
		if i == 0 {
			continue
		}
		if plain, err := url.PathUnescape(token); err == nil {
			token = plain
		}
		tokens = append(tokens, strings.NewReplacer("~1", "/", "~0", "~").Replace(token))
	}
	return tokens
}

// placeOf is the inverse of pointerOf.
func placeOf(pointer []string) string {
	var b strings.Builder
	b.WriteString(location + "#")
	for _, token := range pointer {
		b.WriteString("/" + url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(token)))
	}
	return b.String()
}

// at writes the part that a pointer leads to.
func (in *inliner) at(pointer []string) any {
	var v any = in.top
	for _, token := range pointer {
		switch holder := v.(type) {
		case *ordered:
			v = holder.values[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(holder) {
				return newOrdered()
			}
			v = holder[i]
		}
	}
	return in.part(pointer, v)
}

// part writes v, the part at a pointer.
func (in *inliner) part(pointer []string, v any) any {
	o, ok := v.(*ordered)
	if !ok {
		return v
	}
	place := placeOf(pointer)
	n := in.shape.byLocation[place]
	if in.left--; in.left < 0 || in.open[place] {
		cut := newOrdered()
		if t := in.shape.facts.of(n).kinds.single(); t != "" {
			cut.set("type", t)
		}
		if description := o.text("description"); description != "" {
			cut.set("description", description)
		}
		return cut
	}
	in.open[place] = true
	defer delete(in.open, place)

	c := o.clone()
	c.delete("$defs", "definitions", "$ref", "$id", "$anchor")
	c = eachSchema(c, func(at []string, v any) any { return in.part(slices.Concat(pointer, at), v) })
	if n == nil || n.Ref == nil {
		return modernise(c)
	}
	target, ok := in.at(pointerOf(n.Ref.Location)).(*ordered)
	if !ok {
		return modernise(c)
	}
	target = target.clone()
	for _, name := range c.names {
		target.set(name, c.values[name]) // what stands beside a reference comes first
	}
	return modernise(target)
}
