package schema

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// declaration is one place at a schema's top level that says what an argument is. Several alternatives may each say something else.
type declaration struct {
	node   *jsonschema.Schema
	fact   *fact
	raw    json.RawMessage
	always bool // in force whatever the arguments are
}

// saysNothing reports whether any value would do.
func (d *declaration) saysNothing() bool {
	text := strings.TrimSpace(string(d.raw))
	return text == "{}" || text == "true"
}

// also adds a further declaration of an argument, unless that says nothing new.
func (d *declared) also(n declaration) {
	switch {
	case n.saysNothing() || bytes.Equal(n.raw, d.raw) && n.raw != nil || n.node == d.node:
	case d.saysNothing():
		d.declaration = n
	case !slices.ContainsFunc(d.more, func(m declaration) bool { return m.node == n.node || m.raw != nil && bytes.Equal(m.raw, n.raw) }):
		d.more = append(d.more, n)
	}
}

// all lists what is said of an argument: what is always in force, and the alternatives.
func (d *declared) all() (always, alternatives []declaration) {
	for _, n := range append([]declaration{d.declaration}, d.more...) {
		if n.always {
			always = append(always, n)
		} else {
			alternatives = append(alternatives, n)
		}
	}
	return always, alternatives
}

// unite works out what is known of an argument from all that is said of it, for those who describe it.
func (d *declared) unite() (k kinds, choices []any) {
	always, alternatives := d.all()
	k = kindAny
	for _, n := range always {
		k &= n.fact.kinds
		if choices == nil {
			choices = n.fact.choices
		}
	}
	var either kinds
	var listed []any
	for i, n := range alternatives {
		either |= n.fact.kinds
		if n.fact.choices == nil || i > 0 && listed == nil {
			listed = nil
			continue
		}
		for _, v := range n.fact.choices {
			if !slices.ContainsFunc(listed, func(w any) bool { return same(v, w) }) {
				listed = append(listed, v)
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

// schema returns all that is said of an argument as one schema. at returns that of one declaration.
func (d *declared) schema(at func(*declaration) any) any {
	if d.more == nil {
		return at(&d.declaration)
	}
	join := func(keyword string, list []any) any {
		if len(list) == 1 {
			return list[0]
		}
		return newOrdered(keyword, list)
	}
	always, alternatives := d.all()
	var parts, either []any
	for i := range always {
		parts = append(parts, at(&always[i]))
	}
	for i := range alternatives {
		either = append(either, at(&alternatives[i]))
	}
	if either != nil {
		parts = append(parts, join("anyOf", either))
	}
	return join("allOf", parts)
}

// reading is what the text of an argument is by one of its declarations.
type reading struct {
	value    any
	repaired repairLog
}

// readings are those of one argument, each with another value.
type readings struct {
	slot int
	list []reading
}

// maxReread bounds, in bytes, what is read once more for the declarations behind the first: a foreign schema may have thousands.
const maxReread = 4 * maxText

// readAll reads an argument by each of its declarations: which of them holds is known only when all arguments are there. The first
// that takes the text stands until then. Where none does, refused says what would do.
func (b *builder) readAll(i int, arg *Text) (v any, refused *Problem) {
	d := &b.shape.declared[i]
	mark := b.repaired.mark()
	r := readings{slot: i}
	var expected []string
	for tries, n := range append([]declaration{d.declaration}, d.more...) {
		if tries*len(arg.Value) > maxReread {
			break
		}
		v, problem := b.value(arg, n.fact)
		if problem == nil && isHuge(v) {
			problem = &Problem{Expected: expectNumber, Received: "a longer one"}
		}
		repaired := b.repaired.since(mark)
		b.repaired.reset(mark)
		if problem != nil {
			if refused == nil {
				refused = problem
			}
			if !slices.Contains(expected, problem.Expected) {
				expected = append(expected, problem.Expected)
			}
			continue
		}
		if !slices.ContainsFunc(r.list, func(other reading) bool { return same(other.value, v) }) {
			r.list = append(r.list, reading{v, repaired})
		}
	}
	if r.list == nil {
		refused.Expected = strings.Join(expected, " or ")
		if _, choices := d.unite(); choices != nil {
			refused.Expected = oneOf(choices)
		}
		return nil, refused
	}
	b.several = append(b.several, r)
	return r.list[0].value, nil
}

// maxReadings bounds how many ways of reading the arguments are held against the schema, and maxWork what that costs in all.
const maxReadings = 64

// reread looks for a way of reading the arguments that the schema takes, where it does not take the one that stands. It reports whether
// there is one, and leaves it; else the one that stood. size is about the mass of the arguments.
func (b *builder) reread(size int) bool {
	most := min(maxReadings, maxWork/max(1, b.costs.of(b.all(), size, b.shape.root, maxWork)))
	at := make([]int, len(b.several)) // counts through the readings, the first argument fastest
	for range most {
		i := 0
		for ; i < len(at); i++ {
			at[i] = (at[i] + 1) % len(b.several[i].list)
			b.stand(b.several[i], at[i])
			if at[i] != 0 {
				break
			}
		}
		if i == len(at) { // all have been tried, and the first ones stand again
			return false
		}
		if accepts(b.shape.root, b.all()) {
			for i, r := range b.several {
				r.list[0] = r.list[at[i]]
			}
			return true
		}
	}
	for _, r := range b.several {
		b.stand(r, 0)
	}
	return false
}

// stand makes a reading the value of its argument.
func (b *builder) stand(r readings, n int) {
	b.set(r.slot, b.shape.declared[r.slot].name, r.list[n].value)
}

// keepRepairs notes the repairs of the readings that stand.
func (b *builder) keepRepairs() {
	for _, r := range b.several {
		b.repaired.join(&r.list[0].repaired)
	}
}
