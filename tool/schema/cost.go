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

// applicators lists the parts that n includes: those that the same value is held against, and those that its members, their names
// and its elements are.
func applicators(n *jsonschema.Schema) (same, below []*jsonschema.Schema) {
	same = slices.Concat(n.AllOf, n.AnyOf, n.OneOf, []*jsonschema.Schema{n.Ref, n.Not, n.If, n.Then, n.Else})
	for _, name := range sortedKeys(n.DependentSchemas) {
		same = append(same, n.DependentSchemas[name])
	}
	for _, name := range sortedKeys(n.Dependencies) {
		sub, _ := n.Dependencies[name].(*jsonschema.Schema)
		same = append(same, sub)
	}
	for _, name := range sortedKeys(n.Properties) {
		below = append(below, n.Properties[name])
	}
	for _, sub := range n.PatternProperties {
		below = append(below, sub)
	}
	below = append(append(below, n.PrefixItems...), n.Items2020, n.Contains, n.PropertyNames, n.UnevaluatedProperties, n.UnevaluatedItems)
	for _, sub := range []any{n.AdditionalProperties, n.Items, n.AdditionalItems} {
		switch sub := sub.(type) {
		case *jsonschema.Schema:
			below = append(below, sub)
		case []*jsonschema.Schema:
			below = append(below, sub...)
		}
	}
	none := func(n *jsonschema.Schema) bool { return n == nil }
	return slices.DeleteFunc(same, none), slices.DeleteFunc(below, none)
}

// costs holds what it takes to check a value against each part.
type costs map[*jsonschema.Schema]*cost

type cost struct {
	same, below []*jsonschema.Schema
	types       kinds // that the part names itself
	own         int   // of one visit, apart from the value's size
	pattern     int   // instructions that run over each byte of a text
	rank        int   // larger than that of every part in same
	place       int   // of all visits of one value, its members and elements aside
	anywhere    int   // of all visits of one value, or of any one that it holds; math.MaxInt where the part contains itself

	counting, counted bool
}

// newCosts walks all parts that root includes. It refuses what could not be checked in bounded time.
func newCosts(root *jsonschema.Schema) (costs, error) {
	c := costs{}
	if err := c.collect(root); err != nil {
		return nil, err
	}
	for _, n := range sortedParts(c) {
		if err := c.addPlace(n); err != nil {
			return nil, err
		}
	}
	for _, k := range c {
		k.counting, k.counted = false, false
	}
	c.addAnywhere(root)
	return c, nil
}

func sortedParts(c costs) []*jsonschema.Schema {
	return slices.SortedFunc(maps.Keys(c), func(a, b *jsonschema.Schema) int { return cmp.Compare(a.Location, b.Location) })
}

func (c costs) collect(n *jsonschema.Schema) error {
	if c[n] != nil {
		return nil
	}
	place, inside := strings.CutPrefix(n.Location, location)
	switch {
	case !inside:
		return &ReferenceError{URL: n.Location}
	case n.DynamicRef != nil || n.RecursiveRef != nil:
		return &LimitError{"uses $dynamicRef or $recursiveRef at " + place + ", whose target depends on the value; use $ref"}
	}
	k := &cost{types: ownTypes(n), own: 1 + len(n.Required)/16}
	k.same, k.below = applicators(n)
	if n.Enum != nil {
		k.own += comparing(n.Enum.Values)
	}
	if n.Const != nil {
		k.own += comparing([]any{*n.Const})
	}
	if n.Pattern != nil {
		k.pattern = patternSize(n.Pattern.String())
	}
	c[n] = k
	for _, subs := range [][]*jsonschema.Schema{k.same, k.below} {
		for _, sub := range subs {
			if err := c.collect(sub); err != nil {
				return err
			}
		}
	}
	return nil
}

// comparing is the cost of comparing a value with listed ones: cheap, but for numbers, which are compared exactly.
func comparing(values []any) int {
	work := 0
	for _, v := range values {
		if _, isNumber := v.(json.Number); isNumber {
			work += 64
		}
		work += mass(v)
	}
	return work / 64
}

// addPlace works out the cost of one value, which must not depend on itself.
func (c costs) addPlace(n *jsonschema.Schema) error {
	k := c[n]
	place := strings.TrimPrefix(n.Location, location)
	switch {
	case k.counted:
		return nil
	case k.counting:
		return &LimitError{"refers at " + place + " to itself for the same value, so that nothing could fit it"}
	}
	k.counting = true
	k.place = k.own
	for _, sub := range k.same {
		if err := c.addPlace(sub); err != nil {
			return err
		}
		k.rank = max(k.rank, c[sub].rank+1)
		k.place = saturated(k.place, c[sub].place)
	}
	if k.place > maxExpansion {
		return &LimitError{fmt.Sprintf("holds one value at %s against more than %d parts and listed values, alternatives within alternatives counted",
			place, maxExpansion)}
	}
	k.counted = true
	return nil
}

// addAnywhere works out the cost of a value with all that it holds, for each byte of it.
func (c costs) addAnywhere(n *jsonschema.Schema) int {
	k := c[n]
	switch {
	case k.counted:
		return k.anywhere
	case k.counting:
		return math.MaxInt
	}
	k.counting = true
	k.anywhere = saturated(k.own, k.pattern)
	for _, subs := range [][]*jsonschema.Schema{k.same, k.below} {
		for _, sub := range subs {
			k.anywhere = saturated(k.anywhere, c.addAnywhere(sub))
		}
	}
	k.counted = true
	return k.anywhere
}

// mass is the size of a value: what a visit of it and of all that it holds takes at most.
func mass(v any) int {
	size := 2
	switch v := v.(type) {
	case string:
		size += len(v)
	case json.Number:
		size += len(v)
	case []any:
		for _, e := range v {
			size += mass(e)
		}
	case map[string]any:
		for name, e := range v {
			size += len(name) + mass(e)
		}
	}
	return size
}

// of bounds the work of checking v against n. size is at least v's mass. The bound is exact enough to refuse by, and at most a
// little above limit.
func (c costs) of(v any, size int, n *jsonschema.Schema, limit int) int {
	if cheap := saturatedProduct(size, c[n].anywhere); cheap <= limit {
		return cheap
	}
	w := worker{costs: c, limit: limit}
	w.visit(v, map[*jsonschema.Schema]int{n: 1})
	return w.done
}

// worker counts the visits that a check takes, with what each costs, without checking.
type worker struct {
	costs costs
	limit int
	done  int
}

// visit counts the visits of v by parts, each as often as at says, and of all that v holds.
func (w *worker) visit(v any, at map[*jsonschema.Schema]int) {
	parts := w.spread(v, at)
	if w.done > w.limit {
		return
	}
	into := func(e any, subs func(*jsonschema.Schema) []*jsonschema.Schema) {
		below := map[*jsonschema.Schema]int{}
		for _, n := range parts {
			for _, sub := range subs(n) {
				if sub != nil {
					below[sub] = saturated(below[sub], at[n])
				}
			}
		}
		w.visit(e, below)
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if into(e, elements); w.done > w.limit {
				return
			}
		}
	case map[string]any:
		for name, e := range v {
			if into(e, func(n *jsonschema.Schema) []*jsonschema.Schema { return members(n, name) }); w.done > w.limit {
				return
			}
		}
	}
}

// spread adds to at the parts that v is held against too, counts their visits, and returns those that look into v.
func (w *worker) spread(v any, at map[*jsonschema.Schema]int) []*jsonschema.Schema {
	queue := slices.Collect(maps.Keys(at))
	for i := 0; i < len(queue); i++ {
		for _, sub := range w.costs[queue[i]].same {
			if _, seen := at[sub]; !seen {
				at[sub] = 0
				queue = append(queue, sub)
			}
		}
	}
	slices.SortFunc(queue, func(a, b *jsonschema.Schema) int { return cmp.Compare(w.costs[b].rank, w.costs[a].rank) })
	k := kindOf(v)
	into := queue[:0]
	for _, n := range queue {
		cost, times := w.costs[n], at[n]
		w.done = saturated(w.done, saturatedProduct(times, cost.visit(v, n)))
		if cost.types&k == 0 {
			continue // the validator stops at a wrong type
		}
		into = append(into, n)
		for _, sub := range cost.same {
			at[sub] = saturated(at[sub], times)
		}
	}
	return into
}

// visit is the cost of one visit of v by n.
func (k *cost) visit(v any, n *jsonschema.Schema) int {
	cost := k.own
	switch v := v.(type) {
	case string:
		cost = saturated(cost, len(v)/64*max(k.pattern, 1))
	case []any:
		cost += len(v)
		if n.UniqueItems {
			cost += mass(v)
		}
	case map[string]any:
		cost += len(v)
		if n.PropertyNames != nil {
			cost = saturated(cost, mass(v)*2)
		}
	}
	return cost
}

// members are the parts that n may hold a member of that name against, or its name.
func members(n *jsonschema.Schema, name string) []*jsonschema.Schema {
	subs := []*jsonschema.Schema{n.UnevaluatedProperties, n.PropertyNames}
	for _, sub := range n.PatternProperties {
		subs = append(subs, sub)
	}
	if sub := n.Properties[name]; sub != nil {
		return append(subs, sub)
	}
	others, _ := n.AdditionalProperties.(*jsonschema.Schema)
	return append(subs, others)
}

// elements are the parts that n may hold an element against.
func elements(n *jsonschema.Schema) []*jsonschema.Schema {
	subs := append(slices.Clone(n.PrefixItems), n.Items2020, n.Contains, n.UnevaluatedItems)
	for _, sub := range []any{n.Items, n.AdditionalItems} {
		switch sub := sub.(type) {
		case *jsonschema.Schema:
			subs = append(subs, sub)
		case []*jsonschema.Schema:
			subs = append(subs, sub...)
		}
	}
	return subs
}
