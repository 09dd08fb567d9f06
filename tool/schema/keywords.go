package schema

import (
	"cmp"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// keywords are the subschemas of one schema, grouped by what they apply to.
type keywords struct {
	// These apply to the same value as the schema itself. The value must fit each schema of always,
	// and at least one schema of each group of either.
	always []*jsonschema.Schema   // $ref, allOf
	either [][]*jsonschema.Schema // anyOf, oneOf
	// conditions may apply to the same value: not, if, then, else, dependentSchemas and
	// dependencies.
	conditions []*jsonschema.Schema

	named        map[string]*jsonschema.Schema // properties
	names        []string                      // the keys of named, sorted
	patterns     []patternMember               // patternProperties
	otherMembers *jsonschema.Schema            // additionalProperties
	anyMember    []*jsonschema.Schema          // unevaluatedProperties, propertyNames

	first         []*jsonschema.Schema // prefixItems, or items if it is a list
	otherElements *jsonschema.Schema   // items, or additionalItems if items is a list
	anyElement    []*jsonschema.Schema // contains, unevaluatedItems
}

// patternMember is one entry of patternProperties.
type patternMember struct {
	pattern jsonschema.Regexp // matches the names of the members
	node    *jsonschema.Schema
}

func keywordsOf(n *jsonschema.Schema) keywords {
	k := keywords{
		always:        withoutNil(append([]*jsonschema.Schema{n.Ref}, n.AllOf...)...),
		conditions:    []*jsonschema.Schema{n.Not, n.If, n.Then, n.Else},
		named:         n.Properties,
		names:         sortedKeys(n.Properties),
		otherMembers:  schemaIn(n.AdditionalProperties),
		anyMember:     withoutNil(n.UnevaluatedProperties, n.PropertyNames),
		first:         n.PrefixItems,
		otherElements: cmp.Or(n.Items2020, schemaIn(n.Items)),
		anyElement:    withoutNil(n.Contains, n.UnevaluatedItems),
	}
	for _, group := range [][]*jsonschema.Schema{n.AnyOf, n.OneOf} {
		if len(group) > 0 {
			k.either = append(k.either, group)
		}
	}
	for _, name := range sortedKeys(n.DependentSchemas) {
		k.conditions = append(k.conditions, n.DependentSchemas[name])
	}
	for _, name := range sortedKeys(n.Dependencies) {
		k.conditions = append(k.conditions, schemaIn(n.Dependencies[name]))
	}
	k.conditions = withoutNil(k.conditions...)
	for pattern, sub := range n.PatternProperties {
		k.patterns = append(k.patterns, patternMember{pattern, sub})
	}
	slices.SortFunc(k.patterns, func(a, b patternMember) int { return cmp.Compare(a.pattern.String(), b.pattern.String()) })
	if items, ok := n.Items.([]*jsonschema.Schema); ok { // drafts before 2020-12
		k.first, k.otherElements = items, schemaIn(n.AdditionalItems)
	}
	return k
}

// schemaIn returns v if it is a schema, and otherwise nil. v is the value of a keyword that allows
// other values too.
func schemaIn(v any) *jsonschema.Schema {
	n, _ := v.(*jsonschema.Schema)
	return n
}

// withoutNil returns the schemas of list that are not nil. It changes list itself.
func withoutNil(list ...*jsonschema.Schema) []*jsonschema.Schema {
	return slices.DeleteFunc(list, func(n *jsonschema.Schema) bool { return n == nil })
}

// inPlace returns the subschemas that apply to the same value as the schema itself.
func (k *keywords) inPlace() []*jsonschema.Schema {
	return slices.Concat(append(slices.Clone(k.either), k.always, k.conditions)...)
}

// children returns the subschemas that apply to members, names of members, or elements of the
// value.
func (k *keywords) children() []*jsonschema.Schema {
	list := k.elements()
	for _, name := range k.names {
		list = append(list, k.named[name])
	}
	return append(list, k.otherThanNamed(true)...)
}

// elements returns the subschemas that an element may be checked against.
func (k *keywords) elements() []*jsonschema.Schema {
	return withoutNil(append(slices.Concat(k.first, k.anyElement), k.otherElements)...)
}

// members returns the subschemas that a member of that name, or its name, may be checked against.
func (k *keywords) members(name string) []*jsonschema.Schema {
	sub := k.named[name]
	return withoutNil(append(k.otherThanNamed(sub == nil), sub)...)
}

// otherThanNamed returns the subschemas for members apart from those in named. withOthers adds
// otherMembers.
func (k *keywords) otherThanNamed(withOthers bool) []*jsonschema.Schema {
	list := slices.Clone(k.anyMember)
	for _, p := range k.patterns {
		list = append(list, p.node)
	}
	if withOthers {
		list = append(list, k.otherMembers)
	}
	return withoutNil(list...)
}

// element returns the subschema that describes the element with the index i; nil if no subschema
// does.
func (k *keywords) element(i int) *jsonschema.Schema {
	if i < len(k.first) {
		return k.first[i]
	}
	return k.otherElements
}

// member returns the subschema that describes the member of that name; nil if no subschema does. If
// several patterns match the name, the first counts.
func (k *keywords) member(name string) *jsonschema.Schema {
	if sub := k.named[name]; sub != nil {
		return sub
	}
	for _, p := range k.patterns {
		if p.pattern.MatchString(name) {
			return p.node
		}
	}
	return k.otherMembers
}
