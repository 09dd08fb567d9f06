package schema

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// cost is the cost of checking a value against one schema. The unit is a visit: one value checked
// against one schema, without the value's members and elements.
type cost struct {
	node *jsonschema.Schema
	keywords

	stated  types // the types that the keyword type of the schema names
	own     int   // cost of one visit, apart from the value's size
	pattern int   // size of the schema's own pattern, in instructions
	rank    int   // larger than the rank of every schema in keywords.inPlace()
	// namePatterns is the size of all patterns in patternProperties, in instructions.
	namePatterns int
	// shallow is the cost of checking one value without its members and elements. It is 0 before
	// addShallow computes it, and -1 while addShallow runs.
	shallow int
	// perByte is an upper bound of the cost of checking a value with its content, for each byte of
	// the value. It is math.MaxInt if the schema contains itself, and 0 before it is computed.
	perByte int
}

// costs are the costs of a schema and of all its subschemas.
type costs map[*jsonschema.Schema]*cost

// newCosts computes the costs of root. It refuses a schema against which even a single value could
// not be checked in limited time.
func newCosts(root *jsonschema.Schema) (costs, error) {
	c := costs{}
	if err := c.collect(root); err != nil {
		return nil, err
	}
	nodes := slices.SortedFunc(maps.Keys(c), func(a, b *jsonschema.Schema) int {
		return cmp.Compare(a.Location, b.Location)
	})
	for _, n := range nodes {
		if err := c.addShallow(n); err != nil {
			return nil, err
		}
	}
	c.addPerByte(root)
	return c, nil
}

// collect adds n and all of its subschemas.
func (c costs) collect(n *jsonschema.Schema) error {
	if c[n] != nil {
		return nil
	}
	if err := checkReferences(n); err != nil {
		return err
	}
	k := costOf(n)
	c[n] = k
	for _, sub := range slices.Concat(k.inPlace(), k.children()) {
		if err := c.collect(sub); err != nil {
			return err
		}
	}
	return nil
}

// Amounts of other work that take about as long as a visit.
const (
	bytesPerVisit = 64 // comparing bytes, or matching them with one instruction of a pattern
	namesPerVisit = 16 // looking up members by names that the schema requires
)

func costOf(n *jsonschema.Schema) *cost {
	names := len(n.Required)
	for _, required := range n.DependentRequired {
		names += 1 + len(required)
	}
	for _, v := range n.Dependencies {
		required, _ := v.([]string)
		names += 1 + len(required)
	}
	c := &cost{node: n, keywords: keywordsOf(n), stated: statedTypes(n), own: 1 + names/namesPerVisit}
	if n.Enum != nil {
		c.own += comparisonCost(n.Enum.Values)
	}
	if n.Const != nil {
		c.own += comparisonCost([]any{*n.Const})
	}
	if n.Pattern != nil {
		c.pattern = patternSize(n.Pattern.String())
	}
	for _, p := range c.patterns {
		c.namePatterns = saturated(c.namePatterns, patternSize(p.pattern.String()))
	}
	return c
}

// matchingCost returns the cost of matching bytes of text with instructions of patterns.
func matchingCost(bytes, instructions int) int {
	return saturatedProduct(bytes, instructions) / bytesPerVisit
}

// comparisonCost returns the cost of comparing a value with listed values. Numbers cost more
// because they are compared exactly.
func comparisonCost(values []any) int {
	bytes := 0
	for _, v := range values {
		if _, isNumber := v.(json.Number); isNumber {
			bytes += bytesPerVisit
		}
		bytes += valueSize(v)
	}
	return bytes / bytesPerVisit
}

// checkReferences refuses a schema outside of the document, and references whose target depends on
// the value.
func checkReferences(n *jsonschema.Schema) error {
	if !strings.HasPrefix(n.Location, location) {
		return &ReferenceError{URL: n.Location}
	}
	if n.DynamicRef != nil || n.RecursiveRef != nil {
		return &LimitError{"uses $dynamicRef or $recursiveRef at " + locationIn(n) + ", whose target depends on the value; use $ref"}
	}
	return nil
}

// addShallow computes the fields shallow and rank of the cost of n. It refuses a schema that refers
// to itself for the same value.
func (c costs) addShallow(n *jsonschema.Schema) error {
	k := c[n]
	switch {
	case k.shallow > 0:
		return nil
	case k.shallow < 0:
		return &LimitError{"refers at " + locationIn(n) + " to itself for the same value, so that nothing could fit it"}
	}
	k.shallow = -1
	shallow := k.own
	for _, sub := range k.inPlace() {
		if err := c.addShallow(sub); err != nil {
			return err
		}
		k.rank = max(k.rank, c[sub].rank+1)
		shallow = saturated(shallow, c[sub].shallow)
	}
	if shallow > maxExpansion {
		return &LimitError{fmt.Sprintf("checks one value at %s against more than %d schemas and listed values, "+
			"alternatives within alternatives counted", locationIn(n), maxExpansion)}
	}
	k.shallow = shallow
	return nil
}

// addPerByte computes and returns the field perByte of the cost of n.
func (c costs) addPerByte(n *jsonschema.Schema) int {
	k := c[n]
	if k.perByte > 0 {
		return k.perByte
	}
	k.perByte = math.MaxInt // for a schema below n that leads back to n
	perByte := saturated(k.own, saturated(k.pattern, k.namePatterns))
	for _, sub := range slices.Concat(k.inPlace(), k.children()) {
		perByte = saturated(perByte, c.addPerByte(sub))
	}
	k.perByte = perByte
	return perByte
}

// work returns an upper bound of the cost of checking v against n. size must be at least
// valueSize(v). If the bound exceeds the limit, the result may be smaller than the cost, but it
// exceeds the limit, too.
func (c costs) work(v any, size int, n *jsonschema.Schema, limit int) int {
	if cheap := saturatedProduct(size, c[n].perByte); cheap <= limit {
		return cheap
	}
	w := worker{costs: c, limit: limit}
	w.visit(v, map[*jsonschema.Schema]int{n: 1})
	return w.done
}

// worker adds up the cost of a check without running it.
type worker struct {
	costs costs
	limit int // stop counting after this cost
	done  int // the cost so far
}

// visit adds the cost of checking v and its content. The keys of at are the schemas that v is
// checked against, and the values say how often.
func (w *worker) visit(v any, at map[*jsonschema.Schema]int) {
	parts := w.spread(v, at)
	descend := func(e any, subs func(*cost) []*jsonschema.Schema) (withinLimit bool) {
		below := map[*jsonschema.Schema]int{}
		for _, p := range parts {
			for _, sub := range subs(p) {
				below[sub] = saturated(below[sub], at[p.node])
			}
		}
		w.visit(e, below)
		return w.done <= w.limit
	}
	if w.done > w.limit {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if !descend(e, func(p *cost) []*jsonschema.Schema { return p.elements() }) {
				return
			}
		}
	case map[string]any:
		namesAreChecked := slices.ContainsFunc(parts, func(p *cost) bool { return p.node.PropertyNames != nil })
		for name, e := range v {
			if namesAreChecked && !descend(name, func(p *cost) []*jsonschema.Schema { return withoutNil(p.node.PropertyNames) }) {
				return
			}
			if !descend(e, func(p *cost) []*jsonschema.Schema { return p.members(name) }) {
				return
			}
		}
	}
}

// spread adds to at every schema that applies to v because of keywords.inPlace(), and adds the cost
// of all visits of v. It returns the schemas whose subschemas check the content of v.
func (w *worker) spread(v any, at map[*jsonschema.Schema]int) []*cost {
	var queue []*cost
	for n := range at {
		queue = append(queue, w.costs[n])
	}
	for i := 0; i < len(queue); i++ {
		for _, sub := range queue[i].inPlace() {
			if _, seen := at[sub]; !seen {
				at[sub] = 0
				queue = append(queue, w.costs[sub])
			}
		}
	}
	// A schema comes after all schemas that lead to it, so its number of checks is complete.
	slices.SortFunc(queue, func(a, b *cost) int { return cmp.Compare(b.rank, a.rank) })
	k := typeOf(v)
	ofType := queue[:0]
	for _, p := range queue {
		times := at[p.node]
		w.done = saturated(w.done, saturatedProduct(times, p.visitCost(v)))
		if p.stated&k == 0 {
			continue // the validator stops at a wrong type
		}
		ofType = append(ofType, p)
		for _, sub := range p.inPlace() {
			at[sub] = saturated(at[sub], times)
		}
	}
	return ofType
}

// visitCost returns the cost of one visit of v.
func (p *cost) visitCost(v any) int {
	visits := p.own
	switch v := v.(type) {
	case string:
		visits = saturated(visits, matchingCost(len(v), max(p.pattern, 1)))
	case []any:
		visits += len(v)
		if p.node.UniqueItems {
			visits += valueSize(v)
		}
	case map[string]any:
		visits += len(v)
		if p.node.PropertyNames != nil {
			visits = saturated(visits, valueSize(v)*2) // each name is a value of its own
		}
		if p.namePatterns > 0 {
			bytes := 0
			for name := range v {
				bytes += len(name)
			}
			visits = saturated(visits, matchingCost(bytes, p.namePatterns))
		}
	}
	return visits
}
