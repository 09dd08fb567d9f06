package schema

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// fit brings a decoded value closer to what n wants, without loss: a string where none may stand is read as a text is, integers are
// written as integers, and absent members take their defaults. What does not fit stays as it is, for the validator to name. v is
// not changed; changed says that the result is another value.
func (c *coercer) fit(v any, n *jsonschema.Schema) (fitted any, changed bool) {
	if n == nil || n.Bool != nil || len(c.path) > maxDepth {
		return v, false
	}
	if c.left--; c.left < 0 {
		c.left = 0
		return v, false
	}
	switch in := v.(type) {
	case string:
		v, changed = c.quoted(v, in, n)
	case json.Number:
		v, changed = c.number(v, in, n)
	case []any:
		v, changed = c.list(v, in, n)
	case map[string]any:
		v, changed = c.members(v, in, n)
	}
	also := func(w any, different bool) { v, changed = w, changed || different }
	for _, group := range [][]*jsonschema.Schema{n.AnyOf, n.OneOf} {
		if len(group) > 0 {
			also(c.alternative(v, group))
		}
	}
	for _, sub := range n.AllOf {
		also(c.fit(v, sub))
	}
	if n.Ref != nil {
		also(c.fit(v, n.Ref))
	}
	return v, changed
}

// alternative fits v to the first part that takes it as it is or, failing that, to the first that takes it fitted.
func (c *coercer) alternative(v any, group []*jsonschema.Schema) (any, bool) {
	for _, sub := range group {
		if c.accepts(sub, v) {
			mark := c.repaired.mark()
			if fitted, changed := c.fit(v, sub); changed && c.accepts(sub, fitted) {
				return fitted, true
			}
			c.repaired.reset(mark)
			return v, false
		}
	}
	for _, sub := range group {
		mark := c.repaired.mark()
		if fitted, changed := c.fit(v, sub); changed && c.accepts(sub, fitted) {
			return fitted, true
		}
		c.repaired.reset(mark)
	}
	return v, false
}

// quoted reads a string of JSON, s in v, in a place where no string may stand, or only listed ones.
func (c *coercer) quoted(v any, s string, n *jsonschema.Schema) (any, bool) {
	fact := c.facts.of(n)
	if fact.choices == nil && fact.kinds&kindString != 0 {
		return v, false
	}
	read, refused := c.read(s, fact)
	if refused != nil {
		return v, false
	}
	t, isString := read.(string)
	if isString {
		return read, t != s
	}
	c.note(QuotedValue)
	return read, true
}

// number writes an integer as one, and reads 1 and 0 where a boolean is wanted.
func (c *coercer) number(v any, in json.Number, n *jsonschema.Schema) (any, bool) {
	k := c.facts.of(n).kinds
	switch {
	case k&kindInteger != 0 && k&kindNumber == 0:
		if text, ok := integerText(string(in)); ok && text != string(in) {
			return json.Number(text), true
		}
	case k&(kindInteger|kindBoolean) == kindBoolean && (in == "1" || in == "0"):
		c.note(BooleanSpelling)
		return in == "1", true
	}
	return v, false
}

func (c *coercer) list(v any, in []any, n *jsonschema.Schema) (any, bool) {
	var out []any
	for i, e := range in {
		sub := elementOf(n, i)
		if sub == nil || sub.Bool != nil {
			continue
		}
		c.enter(strconv.Itoa(i))
		if fitted, changed := c.fit(e, sub); changed {
			if out == nil {
				out = slices.Clone(in)
			}
			out[i] = fitted
		}
		c.leave()
	}
	if out == nil {
		return v, false
	}
	return out, true
}

// grow makes room for a default. A short list can ask for long defaults many times over.
func (c *coercer) grow(fact *fact) bool {
	c.grown += fact.fallbackMass
	return c.grown <= maxText
}

func (c *coercer) members(v any, in map[string]any, n *jsonschema.Schema) (any, bool) {
	var out map[string]any
	set := func(name string, v any) {
		if out == nil {
			out = make(map[string]any, len(in)+1)
			for name, v := range in {
				out[name] = v
			}
		}
		out[name] = v
	}
	for _, name := range sortedKeys(in) {
		if sub := memberOf(n, name); sub != nil {
			c.enter(name)
			if fitted, changed := c.fit(in[name], sub); changed {
				set(name, fitted)
			}
			c.leave()
		}
	}
	for name, sub := range n.Properties {
		if _, given := in[name]; given {
			continue
		}
		if fact := c.facts.of(sub); fact.hasFallback && c.grow(fact) {
			set(name, fact.fallback)
		}
	}
	if out == nil {
		return v, false
	}
	return out, true
}
