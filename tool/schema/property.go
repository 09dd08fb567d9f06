package schema

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/vcpgo/vcp/internal/text"
)

// Property is one argument that a schema declares.
type Property struct {
	Name string
	// Type is the JSON Schema type, null aside; "" where several are allowed.
	Type        string
	Required    bool
	Default     json.RawMessage
	Enum        []json.RawMessage
	Description string
	// Schema is the property's own schema as declared, with what references lead to in their place: whoever reads it does not see
	// the rest. Where a reference leads back to where it stands, only the type is left.
	Schema json.RawMessage
}

// shape is what the text of a request is matched against: the arguments that a schema declares anywhere at its top level, and what
// is known of its parts.
type shape struct {
	root     *jsonschema.Schema
	declared []declared     // in declared order
	names    []string       // of declared
	index    map[string]int // place in declared by name
	folded   map[string]int // by folded name; -1 where several names fold so
	open     bool           // takes arguments that it does not declare

	glances []*glance // newGlances

	byLocation map[string]*jsonschema.Schema // every part, by the place that the validator's findings name
	costs      costs
	facts      facts
}

// declared is one argument that the schema declares.
type declared struct {
	declaration
	more     []declaration // that say something else of it
	name     string
	key      []byte // the name as JSON
	types    kinds  // that the first declaration's node names itself
	required bool
}

func newShape(root *jsonschema.Schema, raw json.RawMessage) (*shape, error) {
	costs, err := newCosts(root)
	if err != nil {
		return nil, err
	}
	sh := &shape{
		root:   root,
		index:  map[string]int{},
		folded: map[string]int{},

		byLocation: map[string]*jsonschema.Schema{},
		costs:      costs,
		facts:      newFacts(costs),
	}
	for n := range costs {
		sh.byLocation[n.Location] = n
	}
	c := collector{shape: sh, doc: raw, seen: map[collected]bool{}, required: map[string]bool{}}
	c.collect(root, raw, true)
	for i := range sh.declared {
		d := &sh.declared[i]
		sh.names = append(sh.names, d.name)
		d.key, d.fact, d.required = appendText(nil, d.name), sh.facts.of(d.node), c.required[d.name]
		d.types = ownTypes(d.node)
		for i := range d.more {
			d.more[i].fact = sh.facts.of(d.more[i].node)
		}
		folded := text.FoldName(d.name)
		if _, twice := sh.folded[folded]; twice {
			i = -1
		}
		sh.folded[folded] = i
	}
	sh.open = takesOthers(root, len(sh.declared) > 0)
	sh.glances = sh.newGlances()
	return sh, nil
}

// match finds the declared argument that a name means; -1 and false where there is none.
func (sh *shape) match(name string) (int, bool) {
	if i, ok := sh.index[name]; ok {
		return i, true
	}
	if i, ok := sh.folded[text.FoldName(name)]; ok && i >= 0 {
		return i, true
	}
	return -1, false
}

// collector gathers the properties that a schema declares at its top level.
type collector struct {
	*shape
	doc  json.RawMessage // the whole schema
	seen map[collected]bool

	required map[string]bool
}

// collected is a part that has been gathered from. A part that is always in force counts apart from the same part as an alternative.
type collected struct {
	n      *jsonschema.Schema
	always bool
}

// collect gathers the properties of n: its own first, then those that it includes. raw is n's JSON, nil where it is not at hand;
// always says that n is in force, not one of several alternatives.
func (c collector) collect(n *jsonschema.Schema, raw json.RawMessage, always bool) {
	if n == nil || c.seen[collected{n, always}] {
		return
	}
	c.seen[collected{n, always}] = true
	_, keywords := object(raw)
	order, members := object(keywords["properties"])
	for _, name := range sortedKeys(n.Properties) {
		if _, ok := members[name]; !ok {
			order = append(order, name)
		}
	}
	for _, name := range order {
		if n.Properties[name] == nil {
			continue
		}
		said := declaration{node: n.Properties[name], raw: members[name], always: always}
		if i, seen := c.index[name]; seen {
			c.declared[i].also(said)
			continue
		}
		c.index[name] = len(c.declared)
		c.shape.declared = append(c.shape.declared, declared{name: name, declaration: said})
	}
	if always {
		for _, name := range n.Required {
			c.required[name] = true
		}
	}
	if n.Ref != nil {
		c.collect(n.Ref, resolve(c.doc, keywords["$ref"]), always)
	}
	for _, group := range []struct {
		keyword string
		subs    []*jsonschema.Schema
	}{{"allOf", n.AllOf}, {"anyOf", n.AnyOf}, {"oneOf", n.OneOf}} {
		var raws []json.RawMessage
		_ = json.Unmarshal(keywords[group.keyword], &raws) // the compiler has read it: it is an array or absent
		for i, sub := range group.subs {
			var subRaw json.RawMessage
			if i < len(raws) {
				subRaw = raws[i]
			}
			c.collect(sub, subRaw, always && group.keyword == "allOf")
		}
	}
}

// takesOthers reports whether arguments that the schema does not declare are welcome. JSON Schema takes silence for yes; models
// invent arguments, so here a schema that declares some must say so.
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

// describe lists the properties.
func (s *Schema) describe() []Property {
	list := make([]Property, 0, len(s.shape.declared))
	in := s.inliner()
	for _, d := range s.shape.declared {
		k, choices := d.unite()
		p := Property{Name: d.name, Type: k.single(), Required: d.required}
		if p.Schema = d.raw; d.more != nil || d.raw == nil || bytes.Contains(d.raw, []byte(`"$ref"`)) {
			p.Schema = appendJSON(nil, d.schema(in.declared))
		}
		for _, n := range append([]declaration{d.declaration}, d.more...) {
			if p.Description == "" {
				p.Description = descriptionOf(n.node)
			}
			if v := defaultOf(n.node); v != nil && p.Default == nil {
				p.Default = appendJSON(nil, *v)
			}
		}
		for _, v := range choices {
			p.Enum = append(p.Enum, appendJSON(nil, v))
		}
		list = append(list, p)
	}
	return list
}

// descriptionOf is the description of n or, where it has none, of what it refers to.
func descriptionOf(n *jsonschema.Schema) string {
	for ; n != nil; n = n.Ref { // references do not go round in circles
		if n.Description != "" {
			return n.Description
		}
	}
	return ""
}

// object reads the members of a JSON object in their order; nothing where raw is none.
func object(raw json.RawMessage) (order []string, members map[string]json.RawMessage) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, nil
	}
	members = map[string]json.RawMessage{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, nil
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, nil
		}
		name, _ := key.(string) // a member's key is a string
		if _, twice := members[name]; !twice {
			order = append(order, name)
		}
		members[name] = value
	}
	return order, members
}

// resolve finds what a reference within the document points to; nil where it is another kind of reference.
func resolve(doc, ref json.RawMessage) json.RawMessage {
	var target string
	if json.Unmarshal(ref, &target) != nil || target != "#" && !strings.HasPrefix(target, "#/") {
		return nil
	}
	for _, token := range strings.Split(target, "/")[1:] {
		_, members := object(doc)
		doc = members[strings.NewReplacer("~1", "/", "~0", "~").Replace(token)]
	}
	return doc
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
