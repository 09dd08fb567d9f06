package schema

import (
	"encoding/json"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// types is a set of JSON types. typeNumber alone means numbers that are not integers; the type
// number of JSON Schema is typeNumber|typeInteger.
type types uint8

const (
	typeNull types = 1 << iota
	typeBoolean
	typeInteger
	typeNumber
	typeString
	typeArray
	typeObject

	typeAny = typeNull | typeBoolean | typeInteger | typeNumber | typeString | typeArray | typeObject
)

var typeNames = [...]struct {
	types types
	name  string
}{
	{typeString, "string"},
	{typeInteger, "integer"},
	{typeNumber, "number"},
	{typeBoolean, "boolean"},
	{typeArray, "array"},
	{typeObject, "object"},
	{typeNull, "null"},
}

// names lists the types. It omits integer if the set contains number.
func (k types) names() (names []string) {
	for _, n := range typeNames {
		if k&n.types != 0 && (n.types != typeInteger || k&typeNumber == 0) {
			names = append(names, n.name)
		}
	}
	return names
}

// single returns the only type of the set; null counts only if the set has no other type. It
// returns "" for an empty set and for several types.
func (k types) single() string {
	if k != typeNull {
		k &^= typeNull
	}
	if names := k.names(); len(names) == 1 {
		return names[0]
	}
	return ""
}

// typeNamed returns the set of the JSON Schema type name. It is empty if there is no such type.
func typeNamed(name string) types {
	if name == "number" {
		return typeNumber | typeInteger
	}
	for _, n := range typeNames {
		if n.name == name {
			return n.types
		}
	}
	return 0
}

// typesNamed returns the set of several JSON Schema types. Without names, it returns typeAny.
func typesNamed(names ...string) (k types) {
	if len(names) == 0 {
		return typeAny
	}
	for _, name := range names {
		k |= typeNamed(name)
	}
	return k
}

// statedTypes returns the types that the keyword type of n names; typeAny without that keyword.
func statedTypes(n *jsonschema.Schema) types {
	if n.Types == nil {
		return typeAny
	}
	return typesNamed(n.Types.ToStrings()...)
}

// typesHere returns the types that n allows, without regard to its subschemas.
func typesHere(n *jsonschema.Schema) types {
	if n.Bool != nil {
		if *n.Bool {
			return typeAny
		}
		return 0
	}
	k := statedTypes(n)
	if n.Const != nil {
		k &= typeOf(*n.Const)
	}
	if n.Enum != nil {
		var values types
		for _, v := range n.Enum.Values {
			values |= typeOf(v)
		}
		k &= values
	}
	return k
}

// typeOf returns the type of a decoded value.
func typeOf(v any) types {
	switch v := v.(type) {
	case nil:
		return typeNull
	case bool:
		return typeBoolean
	case string:
		return typeString
	case []any:
		return typeArray
	case map[string]any:
		return typeObject
	case json.Number:
		if isInteger(string(v)) {
			return typeInteger
		}
		return typeNumber
	}
	return 0
}
