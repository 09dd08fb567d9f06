package schema

import (
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// analysis is what reading and checking need to know of a schema and of its subschemas. It is
// computed once, when the schema is compiled.
type analysis struct {
	costs
	parts map[*jsonschema.Schema]*part
}

// part is the analysis of one schema. A schema without a part takes anything.
type part struct {
	*cost

	// types are the types that the schema may accept. The set may contain a type that the schema
	// never accepts, but lacks none that it accepts.
	types types
	// choices are the only values that the schema takes. nil means any.
	choices []any
	// fallback is the default if the schema takes it. A foreign schema may refuse its own default,
	// which is not the model's fault.
	fallback     any
	fallbackMass int
	hasFallback  bool
	// list is the subschema that alone describes the elements of an array, if they are scalars.
	list *part
	// listForm says how a plain list of those elements may be read.
	listForm listForm
}

// listForm says what a schema allows in a plain list of scalars. It decides how the list is read.
type listForm struct {
	numbers   bool // the elements are numbers
	fractions bool // the numbers may have fractions
	text      bool // the elements are strings of any content
	one       bool // at most one element is allowed
}

// anything is the part of a schema that takes anything.
var anything = part{cost: &cost{}, types: typeAny}

func (a analysis) of(n *jsonschema.Schema) *part {
	if p, ok := a.parts[n]; ok {
		return p
	}
	return &anything
}

// analyze computes the parts of root. It refuses what could not be checked in limited time.
func analyze(root *jsonschema.Schema) (analysis, error) {
	c, err := newCosts(root)
	if err != nil {
		return analysis{}, err
	}
	a := analysis{c, make(map[*jsonschema.Schema]*part, len(c))}
	for n := range c {
		a.addTypes(n)
	}
	for n, p := range a.parts {
		p.list, p.listForm = a.plainList(p)
		if d := defaultOf(n); d != nil {
			p.fallbackMass = mass(*d)
			if p.hasFallback = c.work(*d, p.fallbackMass, n, maxWork) <= maxWork && validates(n, *d); p.hasFallback {
				p.fallback = *d
			}
		}
	}
	return a, nil
}

// addTypes computes the types and choices of n and of the schemas that the same value is checked
// against. newCosts has refused schemas that lead back to n for the same value.
func (a analysis) addTypes(n *jsonschema.Schema) *part {
	if p := a.parts[n]; p != nil {
		return p
	}
	p, accepted := &part{cost: a.costs[n]}, typesHere(n)
	switch {
	case n.Enum != nil:
		p.choices = n.Enum.Values
	case n.Const != nil:
		p.choices = []any{*n.Const}
	}
	for _, sub := range p.always {
		accepted &= a.addTypes(sub).types
		if p.choices == nil {
			p.choices = a.parts[sub].choices
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
	a.parts[n] = p
	return p
}

// unite lists the choices of several alternatives. The result is nil if one of them has
// values that are not listed. Null needs no list.
func (a analysis) unite(alternatives []*jsonschema.Schema) []any {
	var choices []any
	listed := false
	for _, sub := range alternatives {
		switch p := a.parts[sub]; {
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

// plainList finds the one schema, among those that the same value is checked against, that
// describes the elements of an array.
func (a analysis) plainList(p *part) (list *part, form listForm) {
	if p.types&typeArray == 0 {
		return nil, listForm{}
	}
	several := false
	var find func(*part)
	find = func(p *part) {
		if several || p == list {
			return
		}
		if p.element(0) != nil {
			several, list = list != nil, p
		}
		for _, sub := range slices.Concat(append(slices.Clone(p.either), p.always)...) {
			find(a.parts[sub])
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

// withRefs calls visit with n and what it refers to, until visit returns true. References never
// form a cycle.
func withRefs(n *jsonschema.Schema, visit func(*jsonschema.Schema) bool) {
	for n != nil && !visit(n) {
		n = n.Ref
	}
}

// defaultOf returns the default of n or of what it refers to. It is nil if both lack a default.
func defaultOf(n *jsonschema.Schema) (found *any) {
	withRefs(n, func(n *jsonschema.Schema) bool {
		found = n.Default
		return found != nil
	})
	return found
}

// descriptionOf returns the description of n or of what it refers to.
func descriptionOf(n *jsonschema.Schema) (found string) {
	withRefs(n, func(n *jsonschema.Schema) bool {
		found = n.Description
		return found != ""
	})
	return found
}
