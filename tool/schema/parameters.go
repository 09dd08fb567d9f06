package schema

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
)

// Property is one argument that a schema declares.
type Property struct {
	Name string
	// Type is the JSON Schema type, apart from null. It is "null" if only null is allowed, and ""
	// if several types are.
	Type string
	// Nullable reports that null is allowed in addition to Type and Enum.
	Nullable    bool
	Required    bool
	Default     json.RawMessage
	Enum        []json.RawMessage
	Description string
	// Schema is the property's schema as declared, with references replaced by their targets. A
	// recursive reference becomes its type and description.
	Schema json.RawMessage
}

// parameters are the arguments that a schema declares at its top level, and the analysis of the
// schema. The arguments of a request are matched against them.
type parameters struct {
	analysis
	root       *jsonschema.Schema
	doc        document
	declared   []parameter            // in declared order
	names      []string               // the names of declared
	index      map[string]int         // index in declared, by name
	folded     map[string]int         // index in declared, by text.FoldName of the name; -1 if several names fold to it
	open       bool                   // the schema accepts arguments that it does not declare
	silent     bool                   // the schema does not say whether it accepts such arguments
	byLocation map[string]*schemaInfo // by the location in the validator's findings
	fast       bool                   // the fast checks of declared cover the whole schema
}

// parameter is one argument that the schema declares.
type parameter struct {
	declaration
	more     []declaration // further declarations, if they differ
	name     string
	required bool
	fast     *fastCheck // fast check of the first declaration; nil if the validator must decide
}

// declaration is one subschema that describes an argument. A schema can describe an argument
// several times: in its own properties, and in those of allOf, anyOf or oneOf.
type declaration struct {
	info   *schemaInfo
	text   json.RawMessage // the subschema as JSON
	always bool            // it applies in any case, not only in one of several alternatives
}

func newParameters(root *jsonschema.Schema, doc document) (*parameters, error) {
	a, err := analyze(root)
	if err != nil {
		return nil, err
	}
	ps := &parameters{
		analysis: a, root: root, doc: doc, index: map[string]int{},
		folded: map[string]int{}, byLocation: map[string]*schemaInfo{},
	}
	for n, p := range a.infos {
		ps.byLocation[n.Location] = p
	}
	ps.fast = isPlainObject(root)
	required := map[string]bool{}
	ps.collect(appliedSchema{root, true}, map[appliedSchema]bool{}, required)
	for i := range ps.declared {
		d := &ps.declared[i]
		ps.names = append(ps.names, d.name)
		if ps.fast {
			d.fast = newFastCheck(d.info.node)
			ps.fast = d.fast != nil
		}
		d.required = required[d.name]
		folded := text.FoldName(d.name)
		if _, twice := ps.folded[folded]; twice {
			i = -1
		}
		ps.folded[folded] = i
	}
	ps.open = takesOthers(root, len(ps.declared) > 0)
	ps.silent = !ps.open && a.isSilent(root)
	return ps, nil
}

// appliedSchema is a schema, and whether it always applies or is one of several alternatives.
type appliedSchema struct {
	node   *jsonschema.Schema
	always bool
}

// collect declares the properties of a schema, and then those of the schemas that apply to the same
// value. It adds the names of properties that are always required to required. seen contains the
// schemas that were collected already.
func (ps *parameters) collect(c appliedSchema, seen map[appliedSchema]bool, required map[string]bool) {
	if seen[c] {
		return
	}
	seen[c] = true
	if o, ok := ps.doc.at(c.node).(*orderedjson.Object); ok && o.Object("properties") != nil {
		properties := o.Object("properties")
		for _, name := range properties.Names {
			if n := c.node.Properties[name]; n != nil {
				ps.declare(name, declaration{ps.of(n), orderedjson.Append(nil, properties.Values[name]), c.always})
			}
		}
	}
	if c.always {
		for _, name := range c.node.Required {
			required[name] = true
		}
	}
	p := ps.of(c.node)
	for _, sub := range p.always {
		ps.collect(appliedSchema{sub, c.always}, seen, required)
	}
	for _, sub := range slices.Concat(p.either...) {
		ps.collect(appliedSchema{sub, false}, seen, required)
	}
}

// declare adds a declaration of an argument, unless it says nothing new.
func (ps *parameters) declare(name string, n declaration) {
	i, seen := ps.index[name]
	if !seen {
		ps.index[name] = len(ps.declared)
		ps.declared = append(ps.declared, parameter{name: name, declaration: n})
		return
	}
	d := &ps.declared[i]
	same := func(m declaration) bool { return bytes.Equal(m.text, n.text) }
	switch {
	case n.saysNothing() || same(d.declaration):
	case d.saysNothing():
		d.declaration = n
	case !slices.ContainsFunc(d.more, same):
		d.more = append(d.more, n)
	}
}

// saysNothing reports whether the declaration accepts any value and has no description.
func (d *declaration) saysNothing() bool { return string(d.text) == "{}" || string(d.text) == "true" }

// takesOthers reports whether arguments that the schema does not declare are accepted. The default
// of JSON Schema is yes. But models invent arguments, so if a schema declares arguments, others are
// accepted only if the schema says so.
func takesOthers(root *jsonschema.Schema, declares bool) bool {
	switch others := root.AdditionalProperties.(type) {
	case bool:
		return others
	case *jsonschema.Schema:
		return others.Bool == nil || *others.Bool
	}
	if root.UnevaluatedProperties != nil {
		return root.UnevaluatedProperties.Bool == nil || *root.UnevaluatedProperties.Bool
	}
	return !declares || len(root.PatternProperties) > 0
}

// isSilent reports whether no keyword of n, or of a schema that applies to the same value, could
// refuse an undeclared argument or depend on it.
func (a analysis) isSilent(n *jsonschema.Schema) bool {
	p := a.of(n)
	if n.Bool != nil || n.AdditionalProperties != nil ||
		len(p.patterns)+len(p.anyMember)+len(p.conditions)+len(n.DependentRequired)+len(n.Dependencies) > 0 {
		return false
	}
	return !slices.ContainsFunc(p.inPlace(), func(sub *jsonschema.Schema) bool { return !a.isSilent(sub) })
}

// match returns the index of the declared argument that a name means; -1 and false for no argument.
func (ps *parameters) match(name string) (i int, ok bool) {
	if i, ok := ps.index[name]; ok {
		return i, true
	}
	if i, ok := ps.folded[text.FoldName(name)]; ok && i >= 0 {
		return i, true
	}
	return -1, false
}

// takesOther reports whether an undeclared argument of that name is passed on.
func (ps *parameters) takesOther(name string) bool {
	return ps.open || ps.of(ps.root).member(name) != nil
}

// declarations lists all declarations of an argument.
func (d *parameter) declarations() []declaration {
	return append([]declaration{d.declaration}, d.more...)
}

// split returns the declarations that always apply, and the alternatives.
func (d *parameter) split() (always, alternatives []declaration) {
	for _, n := range d.declarations() {
		if n.always {
			always = append(always, n)
		} else {
			alternatives = append(alternatives, n)
		}
	}
	return always, alternatives
}

// unite combines all declarations of an argument. It returns the types that they allow together,
// and the listed values; nil means any value.
func (d *parameter) unite() (k types, choices []any) {
	always, alternatives := d.split()
	k = typeAny
	for _, n := range always {
		k &= n.info.types
		if choices == nil {
			choices = n.info.choices
		}
	}
	var either types
	var listed []any
	seen := map[string]bool{} // the identities of listed
	for i, n := range alternatives {
		either |= n.info.types
		if n.info.choices == nil || i > 0 && listed == nil { // one alternative allows any value
			listed = nil
			continue
		}
		for _, v := range n.info.choices {
			if id := identity(v); !seen[id] {
				seen[id], listed = true, append(listed, v)
			}
		}
	}
	if len(alternatives) > 0 {
		k &= either
	}
	if choices == nil {
		choices = listed
	}
	return k, choices
}

// merged returns all declarations of an argument as one schema.
func (d *parameter) merged(in *inliner) any {
	join := func(keyword string, list []any) any {
		if len(list) == 1 {
			return list[0]
		}
		return orderedjson.New(keyword, list)
	}
	always, alternatives := d.split()
	var parts, either []any
	for _, n := range always {
		parts = append(parts, in.inline(n.info.node))
	}
	for _, n := range alternatives {
		either = append(either, in.inline(n.info.node))
	}
	if either != nil {
		parts = append(parts, join("anyOf", either))
	}
	return join("allOf", parts)
}

// properties returns the result of Schema.Properties.
func (ps *parameters) properties() []Property {
	list := make([]Property, 0, len(ps.declared))
	in := &inliner{analysis: ps.analysis, doc: ps.doc, open: map[*jsonschema.Schema]bool{}, left: maxInlined}
	for i := range ps.declared {
		d := &ps.declared[i]
		k, choices := d.unite()
		p := Property{Name: d.name, Type: k.single(), Required: d.required, Schema: d.text}
		// The text may contain references or definitions, which merged replaces.
		if d.more != nil || bytes.Contains(d.text, []byte(`"$`)) || bytes.Contains(d.text, []byte(`"definitions"`)) {
			p.Schema = orderedjson.Append(nil, d.merged(in))
		}
		for _, n := range d.declarations() {
			if p.Description == "" {
				p.Description = descriptionOf(n.info.node)
			}
			if v := defaultOf(n.info.node); v != nil && p.Default == nil {
				p.Default = orderedjson.Append(nil, *v)
			}
		}
		for _, v := range choices {
			p.Enum = append(p.Enum, orderedjson.Append(nil, v))
		}
		p.Nullable = k&typeNull != 0 && p.Type != "" && p.Type != "null" && !slices.Contains(choices, nil)
		list = append(list, p)
	}
	return list
}
