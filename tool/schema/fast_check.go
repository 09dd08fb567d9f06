package schema

import (
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Most schemas use only keywords for types, limits, listed strings and required arguments. For such
// a schema, the fast check takes a small fraction of the validator's time. If the fast check does
// not accept the arguments, the validator decides.

// annotations are the fields of a compiled schema that do not restrict values.
var annotations = []string{
	"DraftVersion", "Location", "ID", "Anchor", "DynamicAnchor", "Title", "Description", "Default", "Comment",
	"ReadOnly", "WriteOnly", "Examples", "Deprecated",
}

// statesOnly reports whether n restricts values only by the given fields. A field of a later
// version of the library counts as a restriction.
func statesOnly(n *jsonschema.Schema, fields ...string) bool {
	v := reflect.ValueOf(n).Elem()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		known := slices.Contains(annotations, f.Name) || slices.Contains(fields, f.Name)
		if f.IsExported() && !v.Field(i).IsZero() && !known {
			return false
		}
	}
	return true
}

// fastCheck contains all restrictions of a schema on a value.
type fastCheck struct {
	types                types
	limited              bool // a number must be from least to most
	least, most          int64
	minLength, maxLength int      // limits of a string, in characters
	words                []string // the listed strings; nil means any value
	minItems, maxItems   int
	items                *fastCheck // restrictions of each element; nil means any element
}

// newFastCheck returns the fast check of n, or nil if n has restrictions that a fastCheck cannot
// express.
func newFastCheck(n *jsonschema.Schema) *fastCheck {
	if !statesOnly(n, "Types", "Minimum", "Maximum", "MinLength", "MaxLength", "Enum",
		"MinItems", "MaxItems", "Items", "Items2020") {
		return nil
	}
	f := &fastCheck{
		types: statedTypes(n), least: math.MinInt64, most: math.MaxInt64, maxLength: math.MaxInt, maxItems: math.MaxInt,
	}
	for _, limit := range [...]struct {
		stated *big.Rat
		to     *int64
	}{{n.Minimum, &f.least}, {n.Maximum, &f.most}} {
		if limit.stated == nil {
			continue
		}
		if !limit.stated.IsInt() || !limit.stated.Num().IsInt64() {
			return nil
		}
		f.limited, *limit.to = true, limit.stated.Num().Int64()
	}
	for _, limit := range [...]struct{ stated, to *int }{
		{n.MinLength, &f.minLength}, {n.MaxLength, &f.maxLength}, {n.MinItems, &f.minItems}, {n.MaxItems, &f.maxItems},
	} {
		if limit.stated != nil {
			*limit.to = *limit.stated
		}
	}
	if n.Enum != nil {
		f.words = make([]string, len(n.Enum.Values))
		for i, v := range n.Enum.Values {
			word, ok := v.(string)
			if !ok {
				return nil
			}
			f.words[i] = word
		}
	}
	k := keywordsOf(n)
	if len(k.first) > 0 {
		return nil
	}
	if k.otherElements != nil {
		if f.items = newFastCheck(k.otherElements); f.items == nil {
			return nil
		}
	}
	return f
}

// isPlainObject reports whether a schema restricts an object only by properties, required, and an
// additionalProperties that is a boolean. All required properties must be declared.
func isPlainObject(root *jsonschema.Schema) bool {
	if !statesOnly(root, "Types", "Properties", "Required", "AdditionalProperties") || statedTypes(root)&typeObject == 0 {
		return false
	}
	unknown := func(name string) bool { return root.Properties[name] == nil }
	return schemaIn(root.AdditionalProperties) == nil && !slices.ContainsFunc(root.Required, unknown)
}

// maxFastElements limits the elements of lists that the fast check of a request examines. The
// validator checks longer lists; its work is limited.
const maxFastElements = 4096

// accepts reports whether a decoded value surely fits. left limits the elements that may still be
// examined; accepts reduces it.
func (f *fastCheck) accepts(v any, left *int) bool {
	if spelledType(v)&f.types == 0 {
		return false
	}
	switch v := v.(type) {
	case json.Number:
		return f.words == nil && (!f.limited || f.within(string(v)))
	case string:
		return (f.words == nil || slices.Contains(f.words, v)) && f.hasLength(v)
	case []any:
		if *left -= len(v); *left < 0 || f.words != nil || len(v) < f.minItems || len(v) > f.maxItems {
			return false
		}
		for i := range v {
			if f.items != nil && !f.items.accepts(v[i], left) {
				return false
			}
		}
		return true
	}
	return f.words == nil
}

// within reports whether a number is an integer in its plain spelling and within the limits.
func (f *fastCheck) within(number string) bool {
	if !isPlainInteger(number) {
		return false
	}
	n, err := strconv.ParseInt(number, 10, 64)
	return err == nil && f.least <= n && n <= f.most
}

// hasLength reports whether the length of a string is within the limits. It counts the characters
// only if the number of bytes does not decide.
func (f *fastCheck) hasLength(s string) bool {
	most := len(s)                                  // characters, if each has one byte
	least := (most + utf8.UTFMax - 1) / utf8.UTFMax // characters, if each has utf8.UTFMax bytes
	if f.minLength <= least && most <= f.maxLength {
		return true
	}
	n := utf8.RuneCountInString(s)
	return f.minLength <= n && n <= f.maxLength
}

// spelledType returns the type of a decoded value. An integer in another spelling, such as 5.0 or
// 1e3, counts as a number.
func spelledType(v any) types {
	if n, ok := v.(json.Number); ok {
		if isPlainInteger(string(n)) {
			return typeInteger
		}
		return typeNumber
	}
	return typeOf(v)
}
