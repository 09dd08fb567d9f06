package schema

import (
	"encoding/json"
	"reflect"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Most schemas say of their arguments which types they have and which are required, and no more. Arguments that have been read by their
// types can be seen to fit such a schema at a glance, which takes a small part of what the validator does. What cannot be seen to fit is for
// the validator.

// annotations are the fields of a compiled schema that no value is held against.
var annotations = []string{
	"DraftVersion", "Location", "ID", "Anchor", "DynamicAnchor", "Title", "Description", "Default", "Comment", "ReadOnly", "WriteOnly",
	"Examples", "Deprecated",
}

// saysOnly reports whether n holds a value against nothing but what stands in fields. A field that is not known here counts as more.
func saysOnly(n *jsonschema.Schema, fields ...string) bool {
	v := reflect.ValueOf(n).Elem()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.IsExported() && !v.Field(i).IsZero() && !slices.Contains(annotations, f.Name) && !slices.Contains(fields, f.Name) {
			return false
		}
	}
	return true
}

// saysTypesOnly reports whether the schema of all arguments says no more than their types, which are required, and whether there may be
// others.
func (sh *shape) saysTypesOnly() bool {
	if !saysOnly(sh.root, "Types", "Properties", "Required", "AdditionalProperties") || ownTypes(sh.root)&kindObject == 0 {
		return false
	}
	switch sh.root.AdditionalProperties.(type) {
	case nil, bool:
	default:
		return false
	}
	for i := range sh.declared {
		if !saysOnly(sh.declared[i].node, "Types") {
			return false
		}
	}
	return !slices.ContainsFunc(sh.root.Required, func(name string) bool { return !slices.Contains(sh.names, name) })
}

// fitAtAGlance reports whether the arguments, which hold no undeclared ones, surely fit a schema that says types only.
func (b *builder) fitAtAGlance() bool {
	if !b.shape.typesOnly || len(b.found)+len(b.others) > 0 {
		return false
	}
	for i := range b.slots {
		d := &b.shape.declared[i]
		switch {
		case b.slots[i].read:
			if plainKindOf(b.slots[i].value)&d.types == 0 {
				return false
			}
		case d.required:
			return false
		}
	}
	return true
}

// plainKindOf is the type of a decoded value. An integer in another spelling than the plain one is taken for a number.
func plainKindOf(v any) kinds {
	if n, ok := v.(json.Number); ok {
		if isPlainInteger(string(n)) {
			return kindInteger
		}
		return kindNumber
	}
	return kindOf(v)
}
