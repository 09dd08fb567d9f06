package schema

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// fromText reads the text of an argument as what n wants. Where it cannot be, expected says what would do.
func (sh *shape) fromText(text string, n *jsonschema.Schema) (v any, expected string) {
	k := sh.kinds.of(n)
	if k == kindAny {
		return text, ""
	}
	if values := enumOf(n); values != nil {
		if v, ok := fromEnum(text, values); ok {
			return v, ""
		}
		return nil, oneOf(values)
	}
	if k&kindString != 0 {
		return sh.stringOr(text, k, n), ""
	}
	if v, ok := scan(text, k); ok {
		return sh.fit(v, n), ""
	}
	return nil, expectation(k)
}

// expectation tells a model how to write a value of one of these types.
func expectation(k kinds) string {
	switch {
	case k&^kindNull == kindBoolean:
		return strings.Replace(k.String(), "boolean", "boolean (true or false)", 1)
	case k&(kindArray|kindObject) != 0:
		return k.String() + ", written as JSON"
	}
	return k.String()
}

// fromEnum finds the listed value that a text names: a string exactly, any other value by its JSON, and failing those the one
// string that differs in case only.
func fromEnum(text string, values []any) (any, bool) {
	trimmed := strings.TrimSpace(text)
	var folded []any
	for _, v := range values {
		s, isString := v.(string)
		switch {
		case isString && s == text:
			return v, true
		case isString && strings.EqualFold(s, trimmed):
			folded = append(folded, v)
		}
	}
	for _, v := range values {
		if _, isString := v.(string); isString {
			continue
		}
		if read, ok := scan(trimmed, kindOf(v)); ok && encodeOr(read) == encodeOr(v) {
			return v, true
		}
	}
	if len(folded) == 1 {
		return folded[0], true
	}
	return nil, false
}

// stringOr reads a text for a schema that allows strings. Only a text that is exactly the JSON of another allowed type, and that
// the schema takes, is anything else: "007" and "yes" are strings.
func (sh *shape) stringOr(text string, k kinds, n *jsonschema.Schema) any {
	if k == kindString || text == "" || !json.Valid([]byte(text)) || strings.TrimSpace(text) != text || text[0] == '"' {
		return text
	}
	v, err := decode([]byte(text))
	if err != nil || kindOf(v)&k == 0 {
		return text
	}
	if _, huge := hugeNumber(v, nil); huge {
		return text
	}
	if v = sh.fit(v, n); valid(v, n) {
		return v
	}
	return text
}

// scan reads a text as one of the types in k, of which none is string.
func scan(text string, k kinds) (any, bool) {
	text = strings.TrimSpace(text)
	if k&kindNull != 0 && strings.EqualFold(text, "null") {
		return nil, true
	}
	if k&kindNumber != 0 {
		if n, ok := numberText(text); ok {
			return json.Number(n), true
		}
	}
	if k&kindInteger != 0 {
		if n, ok := integerText(text); ok {
			return json.Number(n), true
		}
	}
	if k&kindBoolean != 0 {
		switch strings.ToLower(text) {
		case "true", "yes", "1", "是":
			return true, true
		case "false", "no", "0", "否":
			return false, true
		}
	}
	if k&(kindArray|kindObject) != 0 {
		if v, err := decode([]byte(text)); err == nil && kindOf(v)&k&(kindArray|kindObject) != 0 {
			return v, true
		}
	}
	return nil, false
}

// fit brings a decoded value closer to what n wants, without loss: texts in place of other scalars are read as fromText reads
// them, integers are written as integers, and absent members take their defaults. What does not fit stays as it is, for the
// validator to name. v is not changed.
func (sh *shape) fit(v any, n *jsonschema.Schema) any {
	f := fitter{kinds: sh.kinds, steps: maxSteps}
	return f.fit(v, n)
}

// maxSteps bounds the work on one argument: a schema can offer alternatives within alternatives without end. Past it, values are
// taken as they are.
const maxSteps = 100_000

type fitter struct {
	kinds kindTable
	steps int // left
}

func (f *fitter) fit(v any, n *jsonschema.Schema) any {
	if n == nil || n.Bool != nil {
		return v
	}
	if f.steps--; f.steps < 0 {
		return v
	}
	switch in := v.(type) {
	case string:
		v = f.text(in, n)
	case json.Number:
		if k := f.kinds.of(n); k&kindInteger != 0 && k&kindNumber == 0 {
			if text, ok := integerText(string(in)); ok {
				v = json.Number(text)
			}
		}
	case []any:
		v = f.list(in, n)
	case map[string]any:
		v = f.members(in, n)
	}
	for _, group := range [][]*jsonschema.Schema{n.AnyOf, n.OneOf} {
		for _, sub := range group {
			fitted := f.fit(v, sub)
			if f.steps < 0 {
				return v
			}
			if valid(fitted, sub) {
				v = fitted
				break
			}
		}
	}
	for _, sub := range n.AllOf {
		v = f.fit(v, sub)
	}
	if n.Ref != nil {
		v = f.fit(v, n.Ref)
	}
	return v
}

// text reads a string in a place where no string may stand.
func (f *fitter) text(s string, n *jsonschema.Schema) any {
	k := f.kinds.of(n)
	if k&kindString != 0 {
		if values := enumOf(n); values != nil {
			if v, ok := fromEnum(s, values); ok {
				return v
			}
		}
		return s
	}
	if v, ok := scan(s, k&^(kindArray|kindObject)); ok {
		return v
	}
	return s
}

func (f *fitter) list(in []any, n *jsonschema.Schema) any {
	item := func(i int) *jsonschema.Schema {
		if i < len(n.PrefixItems) {
			return n.PrefixItems[i]
		}
		if n.Items2020 != nil {
			return n.Items2020
		}
		switch items := n.Items.(type) { // drafts before 2020-12
		case *jsonschema.Schema:
			return items
		case []*jsonschema.Schema:
			if i < len(items) {
				return items[i]
			}
			rest, _ := n.AdditionalItems.(*jsonschema.Schema)
			return rest
		}
		return nil
	}
	out := make([]any, len(in))
	for i, v := range in {
		out[i] = f.fit(v, item(i))
	}
	return out
}

func (f *fitter) members(in map[string]any, n *jsonschema.Schema) any {
	out := maps.Clone(in)
	others, _ := n.AdditionalProperties.(*jsonschema.Schema)
	for name, v := range in {
		if sub := n.Properties[name]; sub != nil {
			out[name] = f.fit(v, sub)
		} else if others != nil {
			out[name] = f.fit(v, others)
		}
	}
	for name, sub := range n.Properties {
		if _, given := in[name]; given {
			continue
		}
		if d, ok := usableDefault(sub); ok {
			out[name] = d
		}
	}
	return out
}

// valid reports whether n takes v. A validator that gives up takes nothing.
func valid(v any, n *jsonschema.Schema) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	if _, huge := hugeNumber(v, nil); huge {
		return false
	}
	return n.Validate(v) == nil
}
