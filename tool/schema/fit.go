package schema

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// fit converts a decoded value to the types that n wants, without loss. It reads a string like a
// text unless any string is allowed, writes an integer such as 5.0 as 5, and fills in the defaults
// of absent members. A value that cannot be converted stays as it is, and the validator reports it.
// fit does not change v; changed reports whether the result differs from v.
func (c *coercer) fit(v any, n *jsonschema.Schema) (fitted any, changed bool) {
	if n == nil || n.Bool != nil || len(c.path) > orderedjson.MaxDepth {
		return v, false
	}
	if !c.spend(1) {
		return v, false
	}
	p := c.of(n)
	switch in := v.(type) {
	case string:
		v, changed = c.fitString(v, in, p)
	case json.Number:
		v, changed = c.fitNumber(v, in, p)
	case []any:
		v, changed = c.fitArray(v, in, p)
	case map[string]any:
		v, changed = c.fitObject(v, in, p)
	}
	for _, group := range p.either {
		w, different := c.fitAlternative(v, group)
		v, changed = w, changed || different
	}
	for _, sub := range p.always {
		w, different := c.fit(v, sub)
		v, changed = w, changed || different
	}
	return v, changed
}

// fitAlternative fits v to the first schema of group that accepts v unchanged. If none does, it
// fits v to the first schema that accepts the result.
func (c *coercer) fitAlternative(v any, group []*jsonschema.Schema) (any, bool) {
	for _, asItIs := range []bool{true, false} {
		for _, sub := range group {
			if asItIs && !c.accepts(sub, v) {
				continue
			}
			earlier := c.repaired
			if fitted, changed := c.fit(v, sub); changed && c.accepts(sub, fitted) {
				return fitted, true
			}
			c.repaired = earlier
			if asItIs {
				return v, false
			}
		}
	}
	return v, false
}

// fitString reads the string s as a text, unless p allows any string. v is s as an interface value:
// returning v allocates nothing.
func (c *coercer) fitString(v any, s string, p *schemaInfo) (any, bool) {
	if p.choices == nil && p.types&typeString != 0 {
		return v, false
	}
	read, refused := c.read(s, p)
	if refused != nil {
		return v, false
	}
	if t, isString := read.(string); isString {
		return read, t != s
	}
	c.note(QuotedValue)
	return read, true
}

// fitNumber writes a whole number such as 5.0 as an integer, and reads 1 and 0 if a boolean is
// wanted.
func (c *coercer) fitNumber(v any, in json.Number, p *schemaInfo) (any, bool) {
	switch {
	case p.types&typeInteger != 0 && p.types&typeNumber == 0:
		if text, ok := integerText(string(in)); ok && text != string(in) {
			return json.Number(text), true
		}
	case p.types&(typeInteger|typeBoolean) == typeBoolean && (in == "1" || in == "0"):
		c.note(BooleanSpelling)
		return in == "1", true
	}
	return v, false
}

func (c *coercer) fitArray(v any, in []any, p *schemaInfo) (any, bool) {
	var out []any
	for i, e := range in {
		sub := p.element(i)
		if sub == nil || sub.Bool != nil {
			continue
		}
		c.push(strconv.Itoa(i))
		if fitted, changed := c.fit(e, sub); changed {
			if out == nil {
				out = slices.Clone(in)
			}
			out[i] = fitted
		}
		c.pop()
	}
	if out == nil {
		return v, false
	}
	return out, true
}

func (c *coercer) fitObject(v any, in map[string]any, p *schemaInfo) (any, bool) {
	out, changed := in, false
	change := func() map[string]any {
		if !changed {
			out, changed = maps.Clone(in), true
		}
		return out
	}
	for _, name := range sortedKeys(in) {
		// member may match the name with each pattern.
		if !c.spend(len(p.patterns) + matchingCost(len(name), p.namePatterns)) {
			break
		}
		sub := p.member(name)
		if sub == nil {
			continue
		}
		c.push(name)
		optional := p.named[name] == sub && !p.required[name]
		if in[name] == nil && optional && c.of(sub).types&typeNull == 0 {
			c.note(NullAbsent)
			delete(change(), name)
		} else if fitted, differs := c.fit(in[name], sub); differs {
			change()[name] = fitted
		}
		c.pop()
	}
	for _, name := range p.defaults {
		if c.grown > maxText {
			break
		}
		_, given := out[name]
		if sub := c.of(p.named[name]); !given && c.grow(sub) {
			change()[name] = *sub.fallback
		}
	}
	if !changed {
		return v, false
	}
	return out, true
}

// grow adds the size of p's default to grown, and reports whether there is a default and the limit
// allows it. Without the limit, a short list of objects could be filled with many long defaults.
func (c *coercer) grow(p *schemaInfo) bool {
	c.grown += p.fallbackSize
	return p.fallback != nil && c.grown <= maxText
}
