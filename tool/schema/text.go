package schema

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Text is one argument as a request holds it.
type Text struct {
	Name  string
	Value string
	// JSON says that Value is one JSON value; else it is text whose meaning depends on the schema.
	JSON bool
}

// Object turns the arguments of a request into the JSON object that a method takes, and validates it.
//
// A name that the schema does not know stands for the one declared name that differs in case, hyphens and underscores only. A text
// becomes what the schema wants of it: for a string it stays byte for byte; a number keeps all its digits; a boolean is true, yes,
// 1 or 是, or false, no, 0 or 否, in any case; lists and objects are read as JSON; null is null where null is allowed. Where the
// schema allows a string and something else, a text that is not exactly that other thing stays a string, and so does a text for
// which the schema names no type. Absent arguments take their defaults.
//
// The members of the result are in the schema's order, then those that it does not declare, as written. The error is an
// *ArgumentsError with all problems.
func (s *Schema) Object(args []Text) (json.RawMessage, error) {
	b := builder{shape: s.shape, values: map[string]any{}, known: map[string]bool{}}
	for _, arg := range args {
		b.take(arg)
	}
	b.fillDefaults()
	b.found = append(b.found, s.check(b.values, b.known)...)
	if err := s.shape.report(b.found); err != nil {
		return nil, err
	}
	return b.encode()
}

// builder gathers the arguments of one request.
type builder struct {
	shape  *shape
	values map[string]any
	texts  map[string]Text // what was taken, by declared name
	others []string        // undeclared names that the schema welcomes, as written
	known  map[string]bool // arguments with a finding
	found  []finding
}

func (b *builder) fail(name, expected, got string) {
	b.known[name] = true
	b.found = append(b.found, finding{path: []string{name}, Problem: Problem{Expected: expected, Got: got}})
}

// take reads one argument.
func (b *builder) take(arg Text) {
	name, ok := b.shape.match(arg.Name)
	switch {
	case !ok && !utf8.ValidString(arg.Name):
		b.fail(strings.ToValidUTF8(arg.Name, "\uFFFD"), "a name in UTF-8", "other bytes")
		return
	case !ok && !b.shape.open && b.shape.node(name) == nil:
		b.found = append(b.found, unknownArgument([]string{arg.Name}, b.shape.names))
		return
	}
	if before, twice := b.texts[name]; twice {
		if before.Value != arg.Value || before.JSON != arg.JSON {
			b.fail(name, "one value", "two: "+describe(before.Value)+" and "+describe(arg.Value))
		}
		return
	}
	if b.texts == nil {
		b.texts = map[string]Text{}
	}
	b.texts[name] = arg
	if b.shape.nodes[name] == nil {
		b.others = append(b.others, name)
	}
	if !utf8.ValidString(arg.Value) {
		b.fail(name, "text in UTF-8", "other bytes")
		return
	}
	node := b.shape.node(name)
	if arg.JSON {
		v, err := decode([]byte(arg.Value))
		if err != nil {
			b.fail(name, "a JSON value", describe(arg.Value)+": "+err.Error())
			return
		}
		b.set(name, b.shape.fit(v, node))
		return
	}
	v, expected := b.shape.fromText(arg.Value, node)
	if expected != "" {
		b.fail(name, expected, describe(arg.Value))
		return
	}
	b.set(name, v)
}

func (b *builder) set(name string, v any) {
	if path, found := hugeNumber(v, []string{name}); found {
		b.known[name] = true
		b.found = append(b.found, finding{path: path, Problem: Problem{Expected: expectNumber, Got: "a longer one"}})
		return
	}
	b.values[name] = v
}

func (b *builder) fillDefaults() {
	for _, name := range b.shape.names {
		if _, given := b.texts[name]; given {
			continue
		}
		if d, ok := usableDefault(b.shape.nodes[name]); ok {
			b.values[name] = d
		}
	}
}

// encode writes the values in the schema's order.
func (b *builder) encode() (json.RawMessage, error) {
	out := []byte{'{'}
	for _, name := range slices.Concat(b.shape.names, b.others) {
		v, ok := b.values[name]
		if !ok {
			continue
		}
		key, err := encode(name)
		if err != nil {
			return nil, err
		}
		value, err := encode(v)
		if err != nil {
			return nil, err
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, key...), ':'), value...)
	}
	return append(out, '}'), nil
}

// match finds the declared name that is meant; ok is false where there is none, and the name stays as it is.
func (sh *shape) match(name string) (string, bool) {
	if sh.nodes[name] != nil {
		return name, true
	}
	if names := sh.folded[fold(name)]; len(names) == 1 {
		return names[0], true
	}
	return name, false
}

// node is the schema of an argument; nil where it has none of its own.
func (sh *shape) node(name string) *jsonschema.Schema {
	if n := sh.nodes[name]; n != nil {
		return n
	}
	first, found := "", (*jsonschema.Schema)(nil)
	for pattern, n := range sh.root.PatternProperties {
		if p := pattern.String(); pattern.MatchString(name) && (found == nil || p < first) {
			first, found = p, n
		}
	}
	if found != nil {
		return found
	}
	n, _ := sh.root.AdditionalProperties.(*jsonschema.Schema)
	return n
}
