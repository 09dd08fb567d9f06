package schema

import (
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// analysis contains what reading and checking arguments needs to know about a schema and its
// subschemas. It is computed once, when the schema is compiled.
type analysis struct {
	costs
	infos map[*jsonschema.Schema]*schemaInfo
}

// schemaInfo is the analysis of one schema or subschema.
type schemaInfo struct {
	*cost

	// types contains every type that the schema accepts. It may also contain types that the schema
	// never accepts.
	types types
	// choices are the listed values (enum, const) that the schema accepts; nil means any value.
	choices []any
	// fallback is the default, or nil for a schema without one. It is also nil if the schema
	// itself refuses the default: a mistake in a foreign schema must not become an error for the
	// model.
	fallback     *any
	fallbackSize int // valueSize of fallback, or 0 if fallback is nil
	// defaults are the names of declared members that have a default.
	defaults []string
	// required contains the names of required members.
	required map[string]bool
	// list is the schema that describes the elements of an array: the analyzed schema, or another
	// that applies to the same value. It is nil unless exactly one schema describes the elements,
	// and allows only scalars.
	list *schemaInfo
	// listForm says how to read a plain list of these elements.
	listForm listForm
}

// listForm says which scalars a schema allows in a plain list: a list that a model writes without
// JSON, such as "a, b". The form decides which texts are ambiguous.
type listForm struct {
	numbers   bool // an element may be a number, but not a string
	fractions bool // an element may be a number with a fraction
	text      bool // an element may be any string
	one       bool // at most one element is allowed
}

// anything is the analysis of a schema that accepts every value.
var anything = schemaInfo{cost: &cost{}, types: typeAny}

// of returns the analysis of n. A schema that was not analyzed, or a nil schema, accepts anything.
func (a analysis) of(n *jsonschema.Schema) *schemaInfo {
	if p, ok := a.infos[n]; ok {
		return p
	}
	return &anything
}

// analyze analyzes root and its subschemas. It refuses a schema against which even a single value
// could not be checked in limited time.
func analyze(root *jsonschema.Schema) (analysis, error) {
	c, err := newCosts(root)
	if err != nil {
		return analysis{}, err
	}
	a := analysis{c, make(map[*jsonschema.Schema]*schemaInfo, len(c))}
	for n := range c {
		a.addTypes(n)
	}
	for n, p := range a.infos {
		p.list, p.listForm = a.plainList(p)
		if d := defaultOf(n); d != nil {
			size := valueSize(*d)
			if c.work(*d, size, n, maxWork) <= maxWork && validates(n, *d) {
				p.fallback, p.fallbackSize = d, size
			}
		}
	}
	for _, p := range a.infos {
		for _, name := range p.names {
			if a.of(p.named[name]).fallback != nil {
				p.defaults = append(p.defaults, name)
			}
		}
	}
	return a, nil
}

// addTypes computes the types and choices of n and of the schemas that the same value is checked
// against. The recursion ends, because newCosts has refused schemas that lead back to n for the
// same value.
func (a analysis) addTypes(n *jsonschema.Schema) *schemaInfo {
	if p := a.infos[n]; p != nil {
		return p
	}
	p, accepted := &schemaInfo{cost: a.costs[n], required: map[string]bool{}}, typesHere(n)
	for _, name := range n.Required {
		p.required[name] = true
	}
	switch {
	case n.Enum != nil:
		p.choices = n.Enum.Values
	case n.Const != nil:
		p.choices = []any{*n.Const}
	}
	for _, sub := range p.always {
		accepted &= a.addTypes(sub).types
		if p.choices == nil {
			p.choices = a.infos[sub].choices
		}
	}
	for _, group := range p.either {
		var union types
		for _, sub := range group {
			union |= a.addTypes(sub).types
		}
		accepted &= union
		if p.choices == nil {
			p.choices = a.unite(group)
		}
	}
	p.types = accepted
	a.infos[n] = p
	return p
}

// unite returns the choices of all alternatives. An alternative that accepts only null counts as a
// list of null. The result is nil if no alternative lists values, or if one accepts other values.
func (a analysis) unite(alternatives []*jsonschema.Schema) []any {
	var choices []any
	listed := false
	for _, sub := range alternatives {
		switch p := a.infos[sub]; {
		case p.choices != nil:
			choices, listed = append(choices, p.choices...), true
		case p.types == typeNull:
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

// plainList returns the fields list and listForm for p. It searches p, and the schemas that the
// same value is checked against, for the one that describes the elements of an array.
func (a analysis) plainList(p *schemaInfo) (list *schemaInfo, form listForm) {
	if p.types&typeArray == 0 {
		return nil, listForm{}
	}
	several := false
	var find func(*schemaInfo)
	find = func(p *schemaInfo) {
		if several || p == list {
			return
		}
		if p.element(0) != nil {
			several, list = list != nil, p
		}
		for _, sub := range slices.Concat(append(slices.Clone(p.either), p.always)...) {
			find(a.infos[sub])
		}
	}
	find(p)
	if list == nil || several {
		return nil, listForm{}
	}
	var elements types
	for _, sub := range withoutNil(append(slices.Clone(list.first), list.otherElements)...) {
		e := a.of(sub)
		elements |= e.types
		form.text = form.text || e.types&typeString != 0 && e.choices == nil
	}
	if elements&(typeArray|typeObject) != 0 || elements == 0 {
		return nil, listForm{}
	}
	form.numbers = elements&(typeNumber|typeInteger) != 0 && elements&typeString == 0
	form.fractions = elements&typeNumber != 0
	form.one = list.node.MaxItems != nil && *list.node.MaxItems <= 1
	return list, form
}

// defaultOf returns the default of n or of a schema that n refers to; nil if none has a default.
// References never form a cycle.
func defaultOf(n *jsonschema.Schema) *any {
	for ; n != nil; n = n.Ref {
		if n.Default != nil {
			return n.Default
		}
	}
	return nil
}

// descriptionOf returns the description of n or of a schema that n refers to; "" if none has one.
func descriptionOf(n *jsonschema.Schema) string {
	for n.Description == "" && n.Ref != nil {
		n = n.Ref
	}
	return n.Description
}
