package schema

import (
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// facts is what reading needs to know of each part of a schema, worked out once.
type facts map[*jsonschema.Schema]*fact

type fact struct {
	part *jsonschema.Schema // nil for anything
	// kinds are the types that a value must have to stand a chance; it may be too wide, never too narrow.
	kinds kinds
	// choices are the only values that the part takes; nil where it does not list them.
	choices []any
	// fallback is the default, where the part itself takes it: a foreign schema may declare one that it does not take, which must
	// not be held against the model.
	fallback     any
	fallbackMass int
	hasFallback  bool
	// list is the part that says what the elements of an array are, where they are scalars; nil where none or several do.
	list *jsonschema.Schema
	// numbers says that those elements are numbers.
	numbers bool
}

// of is the fact of n; a part without one may take anything.
func (f facts) of(n *jsonschema.Schema) *fact {
	if fact, ok := f[n]; ok {
		return fact
	}
	return &anything
}

var anything = fact{kinds: kindAny}

// newFacts works out the facts of all parts that have costs, which are those that a value can meet.
func newFacts(c costs) facts {
	f := facts{}
	for n := range c {
		f.add(n)
	}
	for n, fact := range f {
		fact.list, fact.numbers = f.plainList(n)
		if d := defaultOf(n); d != nil {
			size := mass(*d)
			if c.of(*d, size, n, maxWork) <= maxWork && accepts(n, *d) {
				fact.fallback, fact.fallbackMass, fact.hasFallback = *d, size, true
			}
		}
	}
	return f
}

// add works out kinds and choices of n and of what the same value is held against. That never leads back to n.
func (f facts) add(n *jsonschema.Schema) *fact {
	if fact := f[n]; fact != nil {
		return fact
	}
	k := ownKinds(n)
	var choices []any
	switch {
	case n.Enum != nil:
		choices = n.Enum.Values
	case n.Const != nil:
		choices = []any{*n.Const}
	}
	always := n.AllOf
	if n.Ref != nil {
		always = append([]*jsonschema.Schema{n.Ref}, always...)
	}
	for _, sub := range always {
		k &= f.add(sub).kinds
		if choices == nil {
			choices = f.add(sub).choices
		}
	}
	for _, alternatives := range [][]*jsonschema.Schema{n.AnyOf, n.OneOf} {
		if len(alternatives) == 0 {
			continue
		}
		var union kinds
		for _, sub := range alternatives {
			union |= f.add(sub).kinds
		}
		k &= union
		if choices == nil {
			choices = f.unite(alternatives)
		}
	}
	f[n] = &fact{part: n, kinds: k, choices: choices}
	return f[n]
}

// unite lists the choices of several alternatives; nil where one of them has values that are not listed. Null needs no list.
func (f facts) unite(alternatives []*jsonschema.Schema) []any {
	var choices []any
	listed := false
	for _, sub := range alternatives {
		switch fact := f.add(sub); {
		case fact.choices != nil:
			choices, listed = append(choices, fact.choices...), true
		case fact.kinds == kindNull:
			choices = append(choices, nil)
		default:
			return nil
		}
	}
	if !listed {
		return nil
	}
	return choices
}

// plainList finds the one part, among those that the same value is held against, that says what the elements of an array are.
func (f facts) plainList(n *jsonschema.Schema) (list *jsonschema.Schema, numbers bool) {
	if f[n].kinds&kindArray == 0 {
		return nil, false
	}
	several := false
	var find func(*jsonschema.Schema)
	find = func(n *jsonschema.Schema) {
		if n == nil || several || n == list {
			return
		}
		if elementOf(n, 0) != nil {
			several = list != nil
			list = n
		}
		find(n.Ref)
		for _, group := range [][]*jsonschema.Schema{n.AllOf, n.AnyOf, n.OneOf} {
			for _, sub := range group {
				find(sub)
			}
		}
	}
	find(n)
	if list == nil || several {
		return nil, false
	}
	var k kinds
	for _, sub := range elements(list) {
		if sub != nil && sub != list.Contains && sub != list.UnevaluatedItems {
			k |= f.of(sub).kinds
		}
	}
	if k&(kindArray|kindObject) != 0 || k == 0 {
		return nil, false
	}
	return list, k&(kindNumber|kindInteger) != 0 && k&kindString == 0
}

// elementOf is the part that says what the element at an index is; nil where none does.
func elementOf(n *jsonschema.Schema, i int) *jsonschema.Schema {
	if i < len(n.PrefixItems) {
		return n.PrefixItems[i]
	}
	if n.Items2020 != nil {
		return n.Items2020
	}
	switch items := n.Items.(type) { // drafts before 2020-12
	case *jsonschema.Schema:
		return items
	case []*jsonschema.Schema:
		if i < len(items) {
			return items[i]
		}
		rest, _ := n.AdditionalItems.(*jsonschema.Schema)
		return rest
	}
	return nil
}

// memberOf is the part that says what the member of that name is; nil where none does.
func memberOf(n *jsonschema.Schema, name string) *jsonschema.Schema {
	if sub := n.Properties[name]; sub != nil {
		return sub
	}
	first, found := "", (*jsonschema.Schema)(nil)
	for pattern, sub := range n.PatternProperties {
		if p := pattern.String(); (found == nil || p < first) && pattern.MatchString(name) {
			first, found = p, sub
		}
	}
	if found != nil {
		return found
	}
	others, _ := n.AdditionalProperties.(*jsonschema.Schema)
	return others
}

// defaultOf is the default of n or of what it refers to; nil where there is none.
func defaultOf(n *jsonschema.Schema) *any {
	for ; n != nil; n = n.Ref { // references do not go round in circles
		if n.Default != nil {
			return n.Default
		}
	}
	return nil
}

// accepts reports whether n takes v. A validator that gives up takes nothing.
func accepts(n *jsonschema.Schema, v any) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return n.Validate(v) == nil
}
