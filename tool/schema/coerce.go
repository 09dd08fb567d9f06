package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// coercer turns texts and decoded JSON into the values that a schema wants. It records the
// repairs that it makes.
type coercer struct {
	analysis
	language
	left     int      // work that the coercer may still do
	grown    int      // mass of the defaults that were filled in
	path     []string // of the current value
	repaired repairLog
}

// note records a repair of the current value. "" is not recorded.
func (c *coercer) note(repair string) {
	if repair != "" {
		c.repaired.add(repair, func() string { return pathText(c.path) })
	}
}

// noteAll records repairs of the current value.
func (c *coercer) noteAll(repairs []string) {
	for _, repair := range repairs {
		c.note(repair)
	}
}

// push makes a member or an element of the current value the current value, until pop.
func (c *coercer) push(token string) { c.path = append(c.path, token) }

func (c *coercer) pop() { c.path = c.path[:len(c.path)-1] }

// accepts reports whether n takes v, within the work that is left.
func (c *coercer) accepts(n *jsonschema.Schema, v any) bool {
	if isHuge(v) {
		return false
	}
	if c.left -= c.work(v, mass(v), n, c.left); c.left < 0 {
		c.left = 0
		return false
	}
	return validates(n, v)
}

// read reads a text by a schema. If the text cannot be read, refused says what is expected, and
// what is wrong with the text.
func (c *coercer) read(text string, p *part) (v any, refused *Problem) {
	k := p.types
	switch {
	case p.choices != nil:
		if v, repairs, ok := choose(text, p.choices); ok {
			c.noteAll(repairs)
			return v, nil
		}
		return nil, &Problem{Code: CodeEnum, Expected: c.oneOf(p.choices), Received: c.describe(text)}
	case k == typeAny, k == typeString:
		return text, nil
	case k&typeString != 0:
		return c.readString(text, p), nil
	}
	if v, repair, ok := readScalar(text, k); ok {
		c.note(repair)
		return v, nil
	}
	if v, ok := c.unquote(text, p); ok {
		return v, nil
	}
	reason := ""
	if k&(typeArray|typeObject) != 0 {
		if v, reason = c.readContainer(text, p); v != nil {
			return v, nil
		}
	}
	refused = &Problem{
		Code: CodeType, Expected: c.expectation(p) + c.members(p, c.language), Received: c.describe(text),
	}
	if reason != "" {
		refused.Received = c.because(refused.Received, reason)
	}
	return nil, refused
}

// unquote reads a text that is a JSON string, if the schema wants no string: the string's content
// is read as the wanted value. Commas in the content do not make it a plain list.
func (c *coercer) unquote(text string, p *part) (any, bool) {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '"' {
		return nil, false
	}
	v, err := orderedjson.Read(text)
	inner, isString := v.(string)
	if err != nil || !isString {
		return nil, false
	}
	if v, repair, ok := readScalar(inner, p.types); ok {
		c.note(QuotedValue)
		c.note(repair)
		return v, true
	}
	if p.types&(typeArray|typeObject) != 0 && startsJSON(inner) {
		mark := c.repaired.mark()
		c.note(QuotedValue)
		if v, _ := c.readContainer(inner, p); v != nil {
			return v, true
		}
		c.repaired.reset(mark)
	}
	return nil, false
}

// readString reads a text by a schema that takes strings. The result is not a string only if the
// text is exactly the JSON of another type that the schema takes: "007" and "yes" are strings. A
// listed value of an alternative may be written in another case.
func (c *coercer) readString(text string, p *part) any {
	if text != "" && strings.IndexByte(`-0123456789tfn[{`, text[0]) >= 0 && text[len(text)-1] > ' ' {
		if v, err := orderedjson.Read(text); err == nil && typeOf(v)&p.types != 0 {
			mark := c.repaired.mark()
			if v, _ = c.fit(v, p.node); c.accepts(p.node, v) {
				return v
			}
			c.repaired.reset(mark)
		}
	}
	var alternatives []*jsonschema.Schema
	withRefs(p.node, func(n *jsonschema.Schema) bool {
		alternatives = slices.Concat(c.of(n).either...)
		return len(alternatives) > 0
	})
	if len(alternatives) == 0 || c.accepts(p.node, text) {
		return text
	}
	for _, sub := range alternatives {
		choices := c.of(sub)
		if choices.choices == nil {
			continue
		}
		mark := c.repaired.mark()
		if v, refused := c.read(text, choices); refused == nil && c.accepts(p.node, v) {
			return v
		}
		c.repaired.reset(mark)
	}
	return text
}

// readContainer reads a text as an array or an object. If the text is neither, the result is nil
// and a reason.
func (c *coercer) readContainer(text string, p *part) (v any, reason string) {
	if startsJSON(text) {
		v, repairs, err := readRepaired(text)
		switch {
		case err != nil:
			return nil, c.say("not JSON: %v", err)
		case typeOf(v)&p.types&(typeArray|typeObject) == 0:
			return nil, ""
		}
		c.noteAll(repairs)
		v, _ = c.fit(v, p.node)
		return v, ""
	}
	if v, repairs, ok := readTuple(text); ok && p.types&typeArray != 0 {
		c.noteAll(repairs)
		v, _ = c.fit(v, p.node)
		return v, ""
	}
	if p.list == nil {
		return nil, ""
	}
	elements, repairs, doubt := readList(text, p.listForm)
	if doubt != "" {
		return nil, c.say(doubt)
	}
	mark := c.repaired.mark()
	c.noteAll(repairs)
	list := make([]any, len(elements))
	for i, e := range elements {
		c.push(strconv.Itoa(i))
		v, ok := c.readElement(e, p.list.element(i))
		c.pop()
		list[i] = v
		if !ok && len(elements) == 1 {
			c.repaired.reset(mark)
			return nil, ""
		}
	}
	return list, ""
}

// readElement reads one element of a plain list. An element that cannot be read stays text, and the
// validator reports it.
func (c *coercer) readElement(e listElement, n *jsonschema.Schema) (v any, ok bool) {
	if e.quoted {
		v, _ = c.fit(e.text, n)
		return v, true
	}
	if v, refused := c.read(e.text, c.of(n)); refused == nil {
		return v, true
	}
	return e.text, false
}
