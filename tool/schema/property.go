package schema

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
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
	// Schema is the property's own schema as declared.
	Schema json.RawMessage
}

// shape is what the text of a request is matched against: the arguments that a schema declares anywhere at its top level, and how
// its parts are found again by their place.
type shape struct {
	root     *jsonschema.Schema
	names    []string // in declared order
	nodes    map[string]*jsonschema.Schema
	raws     map[string]json.RawMessage
	order    map[string]int
	required map[string]bool
	folded   map[string][]string // folded name to names
	open     bool                // takes arguments that it does not declare

	byLocation map[string]*jsonschema.Schema // every part, by the place that the validator's findings name
	kinds      kindTable
}

func newShape(root *jsonschema.Schema, raw json.RawMessage) *shape {
	sh := &shape{
		root:     root,
		nodes:    map[string]*jsonschema.Schema{},
		raws:     map[string]json.RawMessage{},
		order:    map[string]int{},
		required: map[string]bool{},
		folded:   map[string][]string{},

		byLocation: map[string]*jsonschema.Schema{},
		kinds:      kindTable{},
	}
	sh.index(root)
	collector{shape: sh, doc: raw, seen: map[collected]bool{}}.collect(root, raw, true)
	for i, name := range sh.names {
		sh.order[name] = i
		sh.folded[fold(name)] = append(sh.folded[fold(name)], name)
	}
	sh.open = takesOthers(root, len(sh.names) > 0)
	return sh
}

// index notes n and all parts of it by their place.
func (sh *shape) index(n *jsonschema.Schema) {
	if n == nil || sh.byLocation[n.Location] != nil {
		return
	}
	sh.byLocation[n.Location] = n
	sh.kinds.add(n)
	for _, sub := range n.Properties {
		sh.index(sub)
	}
	for _, sub := range n.PatternProperties {
		sh.index(sub)
	}
	for _, subs := range [][]*jsonschema.Schema{n.AllOf, n.AnyOf, n.OneOf, n.PrefixItems} {
		for _, sub := range subs {
			sh.index(sub)
		}
	}
	for _, sub := range []any{n.AdditionalProperties, n.Items, n.AdditionalItems} {
		switch sub := sub.(type) {
		case *jsonschema.Schema:
			sh.index(sub)
		case []*jsonschema.Schema:
			for _, s := range sub {
				sh.index(s)
			}
		}
	}
	for _, sub := range []*jsonschema.Schema{n.Ref, n.Items2020, n.If, n.Then, n.Else, n.UnevaluatedProperties} {
		sh.index(sub)
	}
}

// collector gathers the properties that a schema declares at its top level.
type collector struct {
	*shape
	doc  json.RawMessage // the whole schema
	seen map[collected]bool
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
	_, members := object(raw)
	order, declared := object(members["properties"])
	for _, name := range sortedKeys(n.Properties) {
		if _, ok := declared[name]; !ok {
			order = append(order, name)
		}
	}
	for _, name := range order {
		if _, seen := c.nodes[name]; seen || n.Properties[name] == nil {
			continue
		}
		c.names = append(c.names, name)
		c.nodes[name] = n.Properties[name]
		c.raws[name] = declared[name]
	}
	if always {
		for _, name := range n.Required {
			c.required[name] = true
		}
	}
	if n.Ref != nil {
		c.collect(n.Ref, resolve(c.doc, members["$ref"]), always)
	}
	for _, group := range []struct {
		keyword string
		subs    []*jsonschema.Schema
	}{{"allOf", n.AllOf}, {"anyOf", n.AnyOf}, {"oneOf", n.OneOf}} {
		var raws []json.RawMessage
		_ = json.Unmarshal(members[group.keyword], &raws) // the compiler has read it: it is an array or absent
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
func (sh *shape) describe() []Property {
	list := make([]Property, 0, len(sh.names))
	for _, name := range sh.names {
		n := sh.nodes[name]
		p := Property{
			Name:        name,
			Type:        sh.kinds.of(n).single(),
			Required:    sh.required[name],
			Description: annotation(n, func(n *jsonschema.Schema) string { return n.Description }),
			Schema:      sh.raws[name],
		}
		if d := defaultOf(n); d != nil {
			p.Default, _ = encode(*d) // it was decoded from JSON
		}
		for _, v := range enumOf(n) {
			if text, err := encode(v); err == nil {
				p.Enum = append(p.Enum, text)
			}
		}
		list = append(list, p)
	}
	return list
}

// maxReferences bounds how many references are followed to find what a part says of itself: they may go round in a circle.
const maxReferences = 16

// annotation reads text of n or, where it has none, of what it refers to.
func annotation(n *jsonschema.Schema, read func(*jsonschema.Schema) string) string {
	for range maxReferences {
		if n == nil {
			break
		}
		if text := read(n); text != "" {
			return text
		}
		n = n.Ref
	}
	return ""
}

// defaultOf is the default of n or of what it refers to; nil where there is none.
func defaultOf(n *jsonschema.Schema) *any {
	for range maxReferences {
		if n == nil {
			break
		}
		if n.Default != nil {
			return n.Default
		}
		n = n.Ref
	}
	return nil
}

// usableDefault is the default of n where n itself takes it. A foreign schema may declare one that it does not take, which must not
// be held against the model.
func usableDefault(n *jsonschema.Schema) (any, bool) {
	d := defaultOf(n)
	if d == nil || !valid(*d, n) {
		return nil, false
	}
	return *d, true
}

// enumOf lists the only values that n allows; nil where it does not list them.
func enumOf(n *jsonschema.Schema) []any {
	for range maxReferences {
		switch {
		case n == nil:
			return nil
		case n.Enum != nil:
			return n.Enum.Values
		case n.Const != nil:
			return []any{*n.Const}
		}
		n = n.Ref
	}
	return nil
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

// fold brings names together that differ in case, hyphens and underscores only.
func fold(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(name))
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
