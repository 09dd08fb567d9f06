package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// coercer converts texts and decoded JSON to the types that a schema wants. It records the repairs
// that it applies.
type coercer struct {
	analysis
	language
	left     int      // work that may still be done; see costs.work
	grown    int      // valueSize of the defaults that were filled in
	path     []string // path of the value that is being read
	repaired repairLog
}

// note records a repair of the value at path. It ignores "".
func (c *coercer) note(repair string) {
	if repair != "" {
		c.repaired.add(repair, func() string { return pathText(c.path) })
	}
}

// noteAll records repairs of the value at path.
func (c *coercer) noteAll(repairs []string) {
	for _, repair := range repairs {
		c.note(repair)
	}
}

// push adds the name of a member or the index of an element to path.
func (c *coercer) push(token string) { c.path = append(c.path, token) }

// pop removes the last name or index from path.
func (c *coercer) pop() { c.path = c.path[:len(c.path)-1] }

// accepts reports whether n accepts v. It returns false if the check would take more work than is
// left.
func (c *coercer) accepts(n *jsonschema.Schema, v any) bool {
	if c.left == 0 {
		return false
	}
	size := valueSize(v)
	check := c.work(v, size, n, c.left)
	scan := size / bytesPerVisit // valueSize and isHuge examine all of v
	return c.spend(saturated(check, scan)) && !isHuge(v) && validates(n, v)
}

// spend subtracts work from left. It returns false if less was left.
func (c *coercer) spend(work int) bool {
	enough := work <= c.left
	c.left = max(0, c.left-work)
	return enough
}

// read converts a text to a value of a schema. If the text cannot be converted, refused says what
// is expected and what was received.
func (c *coercer) read(text string, p *schemaInfo) (v any, refused *Problem) {
	k := p.types
	switch {
	case p.choices != nil:
		if !c.spend(p.shallow + len(text)/bytesPerVisit) {
			problem := c.tooMuchWork()
			return nil, &problem
		}
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

// unquote reads a text that is a JSON string as a value of a schema that wants no string. The
// content of the string must be the wanted scalar, or an array or object in JSON, but not a plain
// list, which is a list without JSON, such as a, b.
func (c *coercer) unquote(text string, p *schemaInfo) (any, bool) {
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
		earlier := c.repaired
		c.note(QuotedValue)
		if v, _ := c.readContainer(inner, p); v != nil {
			return v, true
		}
		c.repaired = earlier
	}
	return nil, false
}

// readString reads a text by a schema that accepts strings and other types. The result is the text,
// unless the text is exactly the JSON of another type that the schema accepts: 5 may be a number,
// but 007 and yes are strings. If an alternative of the schema lists values, the text may name one
// of them in another spelling; see choose.
func (c *coercer) readString(text string, p *schemaInfo) any {
	// JSON of another type begins with one of these bytes. White space at the end shows that a
	// string is meant.
	if text != "" && strings.IndexByte(`-0123456789tfn[{`, text[0]) >= 0 && text[len(text)-1] > ' ' {
		if v, err := orderedjson.Read(text); err == nil && typeOf(v)&p.types != 0 {
			earlier := c.repaired
			if v, _ = c.fit(v, p.node); c.accepts(p.node, v) {
				return v
			}
			c.repaired = earlier
		}
	}
	n := p.node
	for len(n.AnyOf)+len(n.OneOf) == 0 && n.Ref != nil {
		n = n.Ref
	}
	alternatives := slices.Concat(n.AnyOf, n.OneOf)
	if len(alternatives) == 0 || c.accepts(p.node, text) {
		return text
	}
	for _, sub := range alternatives {
		alternative := c.of(sub)
		if alternative.choices == nil {
			continue
		}
		earlier := c.repaired
		if v, refused := c.read(text, alternative); refused == nil && c.accepts(p.node, v) {
			return v
		}
		c.repaired = earlier
	}
	return text
}

// readContainer reads a text as an array or an object. If that fails, v is nil, and reason says
// why; reason is "" if there is nothing to add to the expected type.
func (c *coercer) readContainer(text string, p *schemaInfo) (v any, reason string) {
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
	elements, repairs, refusal := readList(text, p.listForm)
	if refusal != "" {
		return nil, c.say(refusal)
	}
	earlier := c.repaired
	c.noteAll(repairs)
	list := make([]any, len(elements))
	for i, e := range elements {
		c.push(strconv.Itoa(i))
		v, ok := any(e.text), false
		if c.spend(1) {
			v, ok = c.readElement(e, p.list.element(i))
		}
		c.pop()
		list[i] = v
		if !ok && len(elements) == 1 { // the text is hardly a list, so no element is reported
			c.repaired = earlier
			return nil, ""
		}
	}
	return list, ""
}

// readElement reads one element of a plain list. If it cannot be read, v is the text and ok is
// false. The validator then reports the element.
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
