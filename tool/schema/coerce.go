package schema

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// coercer turns texts into the values that a schema wants. It notes the repairs that this takes.
type coercer struct {
	facts    facts
	costs    costs
	left     int      // work that it may still do
	grown    int      // mass of the defaults that were filled in
	path     []string // of the value at hand
	repaired repairLog
}

func (c *coercer) note(repairs ...string) {
	for _, name := range repairs {
		c.repaired.add(name, func() string { return pathText(c.path) })
	}
}

// enter makes what the value at hand holds under a token the value at hand, until leave.
func (c *coercer) enter(token string) { c.path = append(c.path, token) }

func (c *coercer) leave() { c.path = c.path[:len(c.path)-1] }

// accepts reports whether n takes v, within the work that is left.
func (c *coercer) accepts(n *jsonschema.Schema, v any) bool {
	if isHuge(v) {
		return false
	}
	work := c.costs.of(v, mass(v), n, c.left)
	if c.left -= work; c.left < 0 {
		c.left = 0
		return false
	}
	return accepts(n, v)
}

// read reads a text as what a part wants. Where it cannot be, refused says what would do, and why this does not.
func (c *coercer) read(text string, fact *fact) (v any, refused *Problem) {
	k := fact.kinds
	switch {
	case fact.choices != nil:
		if v, ok := c.choose(text, fact.choices); ok {
			return v, nil
		}
		return nil, &Problem{Expected: oneOf(fact.choices), Received: describe(text)}
	case k == kindAny, k == kindString:
		return text, nil
	case k&kindString != 0:
		return c.stringOr(text, fact), nil
	}
	if v, ok := c.scalar(text, k); ok {
		return v, nil
	}
	if v, ok := c.unquote(text, fact); ok {
		return v, nil
	}
	received := describe
	if k&(kindArray|kindObject) != 0 {
		v, reason := c.structure(text, fact)
		if v != nil {
			return v, nil
		}
		if reason != "" {
			received = func(v any) string { return describe(v) + " (" + reason + ")" }
		}
	}
	return nil, &Problem{Expected: expectation(fact), Received: received(text)}
}

// expectation tells a model how to write a value of one of these types.
func expectation(fact *fact) string {
	k := fact.kinds
	switch {
	case k&^kindNull == kindBoolean:
		return strings.Replace(k.String(), "boolean", "boolean (true or false)", 1)
	case fact.list != nil:
		return k.String() + ", written as JSON or with commas"
	case k&(kindArray|kindObject) != 0:
		return k.String() + ", written as JSON"
	}
	return k.String()
}

// scalar reads a text as null, a number or a boolean, whichever of them k holds.
func (c *coercer) scalar(text string, k kinds) (any, bool) {
	text = strings.TrimSpace(text)
	if k&kindNull != 0 && strings.EqualFold(text, "null") {
		return nil, true
	}
	if k&kindInteger != 0 && isPlainInteger(text) {
		return json.Number(text), true
	}
	if k&(kindNumber|kindInteger) != 0 {
		read := integerText
		if k&kindNumber != 0 {
			read = numberText
		}
		if number, ok := read(text); ok {
			if number != text && !isJSONNumber(text) {
				c.note(NumberSpelling)
			}
			return json.Number(number), true
		}
	}
	if k&kindBoolean != 0 {
		if b, ok := booleans[strings.ToLower(text)]; ok {
			if text != "true" && text != "false" {
				c.note(BooleanSpelling)
			}
			return b, true
		}
	}
	return nil, false
}

// unquote reads a text that is a JSON string of the value that is wanted, which is no string. A list in quotation marks is none: it
// is one element.
func (c *coercer) unquote(text string, fact *fact) (any, bool) {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '"' {
		return nil, false
	}
	v, err := readJSON(text)
	inner, isString := v.(string)
	if err != nil || !isString {
		return nil, false
	}
	mark := c.repaired.mark()
	c.note(QuotedValue)
	if v, ok := c.scalar(inner, fact.kinds); ok {
		return v, true
	}
	if fact.kinds&(kindArray|kindObject) != 0 && beginsJSON(inner) {
		if v, _ := c.structure(inner, fact); v != nil {
			return v, true
		}
	}
	c.repaired.reset(mark)
	return nil, false
}

// beginsJSON reports whether a text is an array or an object in JSON, perhaps in a fence, or nothing that can be read.
func beginsJSON(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && strings.IndexByte("[{`~", text[0]) >= 0
}

// booleans are the spellings that models use, in any case.
var booleans = map[string]bool{
	"true": true, "yes": true, "1": true, "是": true,
	"false": false, "no": false, "0": false, "否": false,
}

// choose finds the listed value that a text names: a string exactly, any other value by its JSON, and failing those the one string
// that differs in case only.
func (c *coercer) choose(text string, choices []any) (any, bool) {
	for _, v := range choices {
		if s, isString := v.(string); isString && s == text {
			return v, true
		}
	}
	trimmed := strings.TrimSpace(text)
	var folded []string
	for _, v := range choices {
		if s, isString := v.(string); isString && strings.EqualFold(s, trimmed) && !slices.Contains(folded, s) {
			folded = append(folded, s)
		}
	}
	for _, v := range choices {
		mark := c.repaired.mark()
		if read, ok := c.constant(trimmed, kindOf(v)); ok && same(read, v) {
			return v, true
		}
		c.repaired.reset(mark)
	}
	if len(folded) != 1 {
		return nil, false
	}
	if folded[0] != trimmed {
		c.note(EnumCase)
	}
	return folded[0], true
}

// constant reads a text as one of the types in k, of which none is string.
func (c *coercer) constant(text string, k kinds) (any, bool) {
	if v, ok := c.scalar(text, k); ok {
		return v, true
	}
	if k&(kindArray|kindObject) == 0 {
		return nil, false
	}
	v, err := readJSON(text)
	return v, err == nil && kindOf(v)&k != 0
}

// same reports whether two values are equal; numbers by what they are worth.
func same(a, b any) bool {
	x, ok1 := a.(json.Number)
	y, ok2 := b.(json.Number)
	if ok1 && ok2 {
		m, ok1 := parseNumber(string(x))
		n, ok2 := parseNumber(string(y))
		return ok1 && ok2 && m == n
	}
	return bytes.Equal(appendJSON(nil, a), appendJSON(nil, b))
}

// stringOr reads a text for a part that takes strings. Only a text that is exactly the JSON of another type that the part takes is
// anything else: "007" and "yes" are strings. What is left is a string in another case than one of the alternatives lists.
func (c *coercer) stringOr(text string, fact *fact) any {
	n, k := fact.part, fact.kinds
	if text != "" && strings.IndexByte(`-0123456789tfn[{`, text[0]) >= 0 && text[len(text)-1] > ' ' {
		if v, err := readJSON(text); err == nil && kindOf(v)&k != 0 {
			mark := c.repaired.mark()
			if v, _ = c.fit(v, n); c.accepts(n, v) {
				return v
			}
			c.repaired.reset(mark)
		}
	}
	alternatives := alternativesOf(n)
	if len(alternatives) == 0 || c.accepts(n, text) {
		return text
	}
	for _, sub := range alternatives {
		choices := c.facts.of(sub)
		if choices.choices == nil {
			continue
		}
		mark := c.repaired.mark()
		if v, refused := c.read(text, choices); refused == nil && c.accepts(n, v) {
			return v
		}
		c.repaired.reset(mark)
	}
	return text
}

// alternativesOf lists the alternatives of n or of what it refers to.
func alternativesOf(n *jsonschema.Schema) []*jsonschema.Schema {
	for ; n != nil; n = n.Ref {
		if len(n.AnyOf)+len(n.OneOf) > 0 {
			return slices.Concat(n.AnyOf, n.OneOf)
		}
	}
	return nil
}

// structure reads a text as an array or an object; nil where it is none, with the reason.
func (c *coercer) structure(text string, fact *fact) (v any, reason string) {
	if beginsJSON(text) {
		v, mended, err := mendJSON(text)
		switch {
		case err != nil:
			return nil, "not JSON: " + err.Error()
		case kindOf(v)&fact.kinds&(kindArray|kindObject) == 0:
			return nil, ""
		}
		c.note(mended...)
		v, _ = c.fit(v, fact.part)
		return v, ""
	}
	if fact.list == nil {
		return nil, ""
	}
	elements, mended, reason := readList(text, fact.numbers)
	if reason != "" {
		return nil, reason
	}
	mark := c.repaired.mark()
	c.note(mended...)
	list := make([]any, len(elements))
	for i, e := range elements {
		c.enter(strconv.Itoa(i))
		ok := c.element(&list[i], e, elementOf(fact.list, i))
		c.leave()
		if !ok && len(elements) == 1 {
			c.repaired.reset(mark)
			return nil, ""
		}
	}
	return list, ""
}

// element reads one element of a plain list. One that cannot be read stays text, for the validator to name.
func (c *coercer) element(v *any, e element, n *jsonschema.Schema) bool {
	*v = e.text
	if e.quoted {
		*v, _ = c.fit(*v, n)
		return true
	}
	read, refused := c.read(e.text, c.facts.of(n))
	if refused == nil {
		*v = read
	}
	return refused == nil
}
