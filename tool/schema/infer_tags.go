package schema

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"

	infer "github.com/google/jsonschema-go/jsonschema"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// applyTags adds the tags of a field of the struct owner to s, the schema of the field. parent is
// the schema of owner, and name is the field's name in parent.
func applyTags(parent, s *infer.Schema, name string, owner reflect.Type, field reflect.StructField) error {
	fail := func(tag, value, why string) error {
		return fmt.Errorf("schema: field %s.%s: tag %s %q %s", typeName(owner), field.Name, tag, value, why)
	}
	scalar := s
	for scalar.Items != nil {
		scalar = scalar.Items
	}
	if n := formatNote(s); n != "" && s.Description != n {
		s.Description += " (" + n + ")"
	}
	if value, ok := field.Tag.Lookup("enum"); ok {
		for part := range strings.SplitSeq(value, ",") {
			v, err := tagValue(strings.TrimSpace(part), scalar)
			if err != nil {
				return fail("enum", value, err.Error())
			}
			scalar.Enum = append(scalar.Enum, v)
		}
	}
	for _, limit := range []struct {
		tag  string
		goal **float64
	}{{"minimum", &scalar.Minimum}, {"maximum", &scalar.Maximum}} {
		value, ok := field.Tag.Lookup(limit.tag)
		if !ok {
			continue
		}
		if k := typesOf(scalar); k&typeInteger == 0 { // the type number contains integers
			return fail(limit.tag, value, "is for numbers, and the field is "+english.types(k))
		}
		f, err := exactFloat(value)
		if err != nil {
			return fail(limit.tag, value, err.Error())
		}
		*limit.goal = &f
	}
	for _, limit := range []struct {
		tag  string
		of   *infer.Schema
		want types
		goal **int
	}{
		{"minLength", scalar, typeString, &scalar.MinLength},
		{"maxLength", scalar, typeString, &scalar.MaxLength},
		{"minItems", s, typeArray, &s.MinItems},
		{"maxItems", s, typeArray, &s.MaxItems},
	} {
		value, ok := field.Tag.Lookup(limit.tag)
		if !ok {
			continue
		}
		if k := typesOf(limit.of); k&limit.want == 0 {
			return fail(limit.tag, value, "is for "+english.types(limit.want)+", and the field is "+english.types(k))
		}
		n, err := strconv.ParseUint(value, 10, 31)
		if err != nil {
			return fail(limit.tag, value, "must be a whole number from 0 to 2147483647")
		}
		length := int(n)
		*limit.goal = &length
	}
	if value, ok := field.Tag.Lookup("pattern"); ok {
		scalar.Pattern = value
	}
	if value, ok := field.Tag.Lookup("format"); ok {
		scalar.Format = value
	}
	if value, ok := field.Tag.Lookup("default"); ok {
		v, err := tagValue(value, s)
		if err != nil {
			return fail("default", value, err.Error())
		}
		s.Default = orderedjson.Append(nil, v)
		parent.Required = slices.DeleteFunc(parent.Required, func(n string) bool { return n == name })
	}
	return nil
}

// typesOf returns the types that an inferred schema names.
func typesOf(s *infer.Schema) types {
	if s.Type != "" {
		return typeNamed(s.Type)
	}
	return typesNamed(s.Types...)
}

// tagValue reads the text of a tag as a value of the field's type.
func tagValue(text string, s *infer.Schema) (any, error) {
	k := typesOf(s)
	if k&typeString != 0 {
		return text, nil
	}
	v, _, ok := readConstant(text, k)
	if !ok {
		return nil, fmt.Errorf("is not of type %s", english.types(k))
	}
	return v, nil
}

// exactFloat reads a limit. The inferred schema keeps limits as float64, so exactFloat refuses a
// number that would have another value in the JSON of the schema.
func exactFloat(text string) (float64, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return 0, fmt.Errorf("is not a number")
	}
	want, wantOK := new(big.Rat).SetString(text)
	have, haveOK := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
	if !wantOK || !haveOK || want.Cmp(have) != 0 {
		return 0, fmt.Errorf("has more digits than a float64 has")
	}
	return f, nil
}

// formatNote describes the format of s to models. The result is "" if the format needs no
// description.
func formatNote(s *infer.Schema) string {
	switch {
	case s.Format == formatDuration:
		return durationExample
	case s.ContentEncoding != "":
		return bytesNote
	}
	return ""
}

// The descriptions of formats and encodings whose names do not show how a value is written.
var (
	durationExample = english.say(`a duration such as "1m30s"`)
	bytesNote       = "bytes in base64"
)
