package schema

import (
	"encoding/json"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// kinds is a set of JSON types. The set of a number schema holds kindInteger too.
type kinds uint8

const (
	kindNull kinds = 1 << iota
	kindBoolean
	kindInteger
	kindNumber
	kindString
	kindArray
	kindObject

	kindAny = kindNull | kindBoolean | kindInteger | kindNumber | kindString | kindArray | kindObject
)

var kindNames = [...]struct {
	kind kinds
	name string
}{
	{kindString, "string"},
	{kindInteger, "integer"},
	{kindNumber, "number"},
	{kindBoolean, "boolean"},
	{kindArray, "array"},
	{kindObject, "object"},
	{kindNull, "null"},
}

// String lists the types as a sentence would: "string or null".
func (k kinds) String() string {
	if k == kindAny {
		return "any value"
	}
	var names []string
	for _, n := range kindNames {
		if k&n.kind == 0 || n.kind == kindInteger && k&kindNumber != 0 {
			continue
		}
		names = append(names, n.name)
	}
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, " or ")
}

// single is the one JSON Schema type in the set, null aside; "" where there are several or all.
func (k kinds) single() string {
	if k == kindNull {
		return "null"
	}
	found := ""
	for _, n := range kindNames {
		if n.kind == kindNull || k&n.kind == 0 || n.kind == kindInteger && k&kindNumber != 0 {
			continue
		}
		if found != "" {
			return ""
		}
		found = n.name
	}
	return found
}

func kindNamed(name string) kinds {
	if name == "number" {
		return kindNumber | kindInteger
	}
	for _, n := range kindNames {
		if n.name == name {
			return n.kind
		}
	}
	return 0
}

// kindOf is the type of a decoded value.
func kindOf(v any) kinds {
	switch v := v.(type) {
	case nil:
		return kindNull
	case bool:
		return kindBoolean
	case string:
		return kindString
	case []any:
		return kindArray
	case map[string]any:
		return kindObject
	case json.Number:
		if isInteger(string(v)) {
			return kindInteger
		}
		return kindNumber
	}
	return 0
}

// ownTypes is what the types of n say, apart from its other keywords and what it includes.
func ownTypes(n *jsonschema.Schema) kinds {
	if n.Types == nil || n.Types.IsEmpty() {
		return kindAny
	}
	var k kinds
	for _, name := range n.Types.ToStrings() {
		k |= kindNamed(name)
	}
	return k
}

// ownKinds is what n itself says, apart from what it includes.
func ownKinds(n *jsonschema.Schema) kinds {
	if n.Bool != nil {
		if *n.Bool {
			return kindAny
		}
		return 0
	}
	k := ownTypes(n)
	if n.Const != nil {
		k &= kindOf(*n.Const)
	}
	if n.Enum != nil {
		var values kinds
		for _, v := range n.Enum.Values {
			values |= kindOf(v)
		}
		k &= values
	}
	return k
}
