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
		if _, ok := integerText(string(v)); ok {
			return kindInteger
		}
		return kindNumber
	}
	return 0
}

// kindTable holds, for each part of a schema, the set of types that a value must have to stand a chance with it. A set may be too
// wide, never too narrow.
type kindTable map[*jsonschema.Schema]kinds

// of is the set of n; a part that the table does not hold may take anything.
func (t kindTable) of(n *jsonschema.Schema) kinds {
	if k, ok := t[n]; ok {
		return k
	}
	return kindAny
}

// add works out the set of n and of all that it includes, each once: schemas may refer to themselves.
func (t kindTable) add(n *jsonschema.Schema) kinds {
	if n == nil {
		return kindAny
	}
	if k, ok := t[n]; ok {
		return k
	}
	t[n] = kindAny // until it is known
	k := ownKinds(n)
	if n.Ref != nil {
		k &= t.add(n.Ref)
	}
	for _, sub := range n.AllOf {
		k &= t.add(sub)
	}
	for _, alternatives := range [][]*jsonschema.Schema{n.AnyOf, n.OneOf} {
		if len(alternatives) == 0 {
			continue
		}
		var union kinds
		for _, sub := range alternatives {
			union |= t.add(sub)
		}
		k &= union
	}
	t[n] = k
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
	k := kindAny
	if n.Types != nil && !n.Types.IsEmpty() {
		var types kinds
		for _, name := range n.Types.ToStrings() {
			types |= kindNamed(name)
		}
		k &= types
	}
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
