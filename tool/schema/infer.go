package schema

import (
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	infer "github.com/google/jsonschema-go/jsonschema"

	"github.com/vcpgo/vcp/tool/internal/jsonfield"
)

// For derives the schema of T, a struct or a map with string keys, from its Go type.
//
// The fields are those that encoding/json reads, also those of embedded structs. A field's name
// comes from its json tag; omitempty or omitzero makes it optional. Its description is the whole
// jsonschema tag, which must not begin with a word and an equals sign.
//
// The tags enum (values separated by commas), minimum, maximum, minLength, maxLength, pattern and
// format add the JSON Schema keywords of the same names. On a list of scalars they apply to its
// elements. The tags minItems and maxItems limit the list itself. Other keywords have no tag: use
// tool.Raw with a JSON Schema. The tag default is the value of an absent argument: text for a
// string, and JSON for anything else. An argument with a default is optional.
//
// A time.Time is a string in the format date-time. A time.Duration is a string that
// time.ParseDuration accepts, such as "1m30s"; tool.New converts it, encoding/json alone does not.
// A []byte is a string in base64, a json.Number is a number, and a json.RawMessage may be anything.
// A type that implements encoding.TextUnmarshaler but not json.Unmarshaler is a string. The schema
// cannot tell which strings its UnmarshalText accepts; the tags pattern, format and enum can.
func For[T any]() (*Schema, error) {
	t := reflect.TypeFor[T]()
	known := maps.Clone(knownTypes)
	if err := addKnown(known, t, map[reflect.Type]bool{}); err != nil {
		return nil, err
	}
	s, err := infer.ForType(t, &infer.ForOptions{TypeSchemas: known})
	if err != nil {
		return nil, fmt.Errorf("schema: %s: %w", typeName(t), err)
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	dropNull(s)
	if s.Type != "object" {
		return nil, fmt.Errorf("schema: arguments are named, so they are the fields of a struct or the keys of a map, not %s",
			typeName(t))
	}
	if err := overlay(s, t); err != nil {
		return nil, err
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("schema: %s: %w", typeName(t), err)
	}
	compiled, err := Compile(raw)
	if err != nil {
		return nil, fmt.Errorf("%w (in %s)", err, typeName(t))
	}
	if len(compiled.unchecked) > 0 { // in a foreign schema this is no error, but here it is a mistake
		return nil, fmt.Errorf("schema: %s: %s", typeName(t), compiled.unchecked[0])
	}
	for _, location := range sortedKeys(compiled.parameters.byLocation) {
		if p := compiled.parameters.byLocation[location]; p.node.Default != nil && p.fallback == nil {
			_, path, _ := strings.Cut(location, "#/properties/")
			return nil, fmt.Errorf("schema: %s: the default %s of %s is not among the values that its other tags allow",
				typeName(t), english.describe(*p.node.Default), path)
		}
	}
	return compiled, nil
}

// typeName returns the name of a type, for errors. It returns "an anonymous struct" for a struct
// without a name, because String would list all of its fields.
func typeName(t reflect.Type) string {
	if t.Kind() == reflect.Struct && t.Name() == "" {
		return "an anonymous struct"
	}
	return t.String()
}

// knownTypes are the schemas of types that encoding/json or tool.New does not read by their kind.
var knownTypes = map[reflect.Type]*infer.Schema{
	goDuration:                   {Type: "string", Format: formatDuration, Description: durationExample},
	reflect.TypeFor[time.Time](): {Type: "string", Format: "date-time"},
	reflect.TypeFor[big.Int]():   {Type: "integer"},
	goNumber:                     {Type: "number"},
	goRaw:                        {},
}

var (
	goDuration      = reflect.TypeFor[time.Duration]()
	goNumber        = reflect.TypeFor[json.Number]()
	goRaw           = reflect.TypeFor[json.RawMessage]()
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// addKnown adds to known the types within t that are read from strings, whatever their kind, and
// the structs that embed a type.
func addKnown(known map[reflect.Type]*infer.Schema, t reflect.Type, seen map[reflect.Type]bool) error {
	if seen[t] || known[t] != nil {
		return nil
	}
	root := len(seen) == 0 // t is the type of the arguments as a whole, which are never a string
	seen[t] = true
	p := reflect.PointerTo(t)
	if !root && t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface {
		switch {
		case p.Implements(jsonUnmarshaler):
			return nil // only its UnmarshalJSON knows what it reads
		case p.Implements(textUnmarshaler):
			known[t] = &infer.Schema{Type: "string"}
			return nil
		case isBytes(t):
			known[t] = &infer.Schema{Type: "string", ContentEncoding: "base64", Description: bytesNote}
			return nil
		}
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return addKnown(known, t.Elem(), seen)
	case reflect.Struct:
	default:
		return nil
	}
	embeds := false
	for i := range t.NumField() {
		embeds = embeds || t.Field(i).Anonymous
		if err := addKnown(known, t.Field(i).Type, seen); err != nil {
			return err
		}
	}
	if !embeds || p.Implements(jsonUnmarshaler) {
		return nil
	}
	return addEmbedding(known, t)
}

// addEmbedding adds to known a struct that embeds a type. infer.ForType does not read it as
// encoding/json does: it ignores the json tag of an embedded type, for example.
func addEmbedding(known map[reflect.Type]*infer.Schema, t reflect.Type) error {
	s := &infer.Schema{
		Type: "object", Properties: map[string]*infer.Schema{}, AdditionalProperties: &infer.Schema{Not: &infer.Schema{}},
	}
	for _, field := range jsonfield.Of(t) {
		fail := func(why string) error {
			return fmt.Errorf("schema: field %s.%s: %s", typeName(t), field.StructField.Name, why)
		}
		outer := t
		for _, i := range field.Index[:len(field.Index)-1] {
			if outer.Kind() == reflect.Pointer {
				outer = outer.Elem()
			}
			embedded := outer.Field(i)
			if outer = embedded.Type; outer.Kind() == reflect.Pointer && !embedded.IsExported() {
				return fail(fmt.Sprintf("encoding/json cannot set a field of %s, since its name is not exported; embed the struct itself", outer))
			}
		}
		sub, err := infer.ForType(field.Type, &infer.ForOptions{TypeSchemas: known})
		if err != nil {
			return fail(err.Error())
		}
		if description, ok := field.Tag.Lookup("jsonschema"); ok {
			if description == "" || tagKeyword.MatchString(description) {
				return fail(fmt.Sprintf("tag jsonschema %q must be a description that does not begin with a word and an equals sign", description))
			}
			sub.Description = description
		}
		s.Properties[field.Name] = sub
		s.PropertyOrder = append(s.PropertyOrder, field.Name)
		if !field.Optional {
			s.Required = append(s.Required, field.Name)
		}
	}
	known[t] = s
	return nil
}

// tagKeyword matches the beginning of a jsonschema tag that is not a description.
var tagKeyword = regexp.MustCompile(`^[^ \t\n]*=`)

// isBytes reports whether encoding/json reads t from a base64 string, and not by methods of its
// elements.
func isBytes(t reflect.Type) bool {
	if t.Kind() != reflect.Slice || t.Elem().Kind() != reflect.Uint8 {
		return false
	}
	p := reflect.PointerTo(t.Elem())
	return !p.Implements(jsonUnmarshaler) && !p.Implements(textUnmarshaler)
}

// overlay adds the tags of t's fields to s, the schema of t, at any depth. It always ends, because
// infer.ForType has refused types that contain themselves.
func overlay(s *infer.Schema, t reflect.Type) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == goRaw {
		s.Types = nil // infer.ForType allows only null for a pointer to a json.RawMessage
		return nil
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		// infer.ForType allows null, because a nil slice is encoded as null. As an argument, null
		// is an error.
		if t.Kind() == reflect.Slice {
			dropNull(s)
		}
		if s.Items != nil {
			return overlay(s.Items, t.Elem())
		}
	case reflect.Map:
		if s.AdditionalProperties != nil {
			return overlay(s.AdditionalProperties, t.Elem())
		}
	case reflect.Struct:
		for _, field := range jsonfield.Of(t) {
			sub := s.Properties[field.Name]
			if sub == nil {
				continue
			}
			if err := overlay(sub, field.Type); err != nil {
				return err
			}
			if err := applyTags(s, sub, field.Name, t, field.StructField); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropNull removes null from the types of s.
func dropNull(s *infer.Schema) {
	s.Types = slices.DeleteFunc(s.Types, func(t string) bool { return t == "null" })
	if len(s.Types) == 1 {
		s.Type, s.Types = s.Types[0], nil
	}
}
