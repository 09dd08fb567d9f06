package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Text is one argument as a request holds it.
type Text struct {
	Name  string
	Value string
	// JSON says that Value is one JSON value; else it is text whose meaning depends on the schema.
	JSON bool
}

// Object turns the arguments of a request into the JSON object that a method takes, and validates it. It returns the repairs that
// this took, in the order in which they were applied: up to MaxPlaces of each, the last of which counts the others.
//
// A name that the schema does not know stands for the one declared name that differs in case, hyphens and underscores only. A text
// becomes what the schema wants of it:
//
//   - For a string it stays byte for byte, and so it does where the schema names no type. Where the schema allows a string and
//     something else, only a text that is exactly the JSON of that other thing is not a string. A value that the schema lists may
//     be written in another case, where only one listed value fits.
//   - A number keeps all its digits; NaN and infinity are none. A boolean is true, yes, 1 or 是, or false, no, 0 or 否, in any
//     case. Null is null where null is allowed.
//   - Arrays and objects are JSON, also with strings in single quotation marks, a comma behind the last element, Python's literals,
//     and a code fence around it all.
//   - An array of scalars may be a plain list too: elements between commas (or ， or 、), or one a line, or one element alone.
//     Quotation marks keep an element whole. What could mean two things is refused: an empty text, a missing element, 1,000 for
//     numbers, commas in some lines. A text that begins with [ or { is never a plain list.
//
// Where the schema's top level has several forms (anyOf, oneOf) that say different things of an argument, it is read as the first form
// wants with which all arguments are accepted.
//
// Strings within JSON follow the same rules where the schema wants another type in their place. Absent arguments and members take
// their defaults.
//
// The members of the object are in the schema's order, then those that it does not declare, as written. The error is an
// *ArgumentsError.
func (s *Schema) Object(args []Text) (object json.RawMessage, repaired []Repaired, err error) {
	size := 0
	for _, arg := range args {
		size += len(arg.Name) + len(arg.Value) + 4
	}
	if size > maxText {
		return nil, nil, tooLong(size)
	}
	b := builders.Get().(*builder)
	defer b.release()
	b.begin(s.shape)
	b.args = append(b.args, args...)
	for i := range b.args {
		b.take(&b.args[i])
	}
	for i := range b.shape.declared {
		if d := &b.shape.declared[i]; b.slots[i].from == nil && d.fact.hasFallback && b.grow(d.fact) {
			b.set(i, d.name, d.fact.fallback)
		}
	}
	if b.grown > maxText {
		return nil, nil, tooLong(b.grown)
	}
	if b.fitAtAGlance() {
		return b.encode(size + b.grown), b.repaired.report(), nil
	}
	// No value has more than twice the mass of its text.
	found := b.shape.check(b.all(), 2*size+b.grown, b.known)
	if len(found) > 0 && b.several != nil && b.reread(2*size+b.grown) {
		found = nil
	}
	b.keepRepairs()
	if err := b.shape.report(append(b.found, found...)); err != nil {
		return nil, nil, err
	}
	return b.encode(size + b.grown), b.repaired.report(), nil
}

func tooLong(size int) error {
	return &ArgumentsError{Problems: []Problem{{
		Expected: fmt.Sprintf("at most %d bytes in all", maxText), Received: fmt.Sprintf("%d bytes", size),
	}}}
}

// builders keeps builders for the next request: most of what a short call costs is memory.
var builders = sync.Pool{New: func() any { return &builder{values: map[string]any{}} }}

// maxKept bounds the arguments for which a builder that is kept has room.
const maxKept = 64

// builder gathers the arguments of one request.
type builder struct {
	coercer
	shape  *shape
	args   []Text           // a copy, so that the caller's may be anywhere
	values map[string]any   // of undeclared arguments
	slots  []slot           // by place among the declared arguments
	others []string         // undeclared names that the schema welcomes, as written
	extra  map[string]*Text // what came under them
	// several are the arguments that can be read in several ways.
	several []readings
	known   map[string]bool // arguments with a finding
	found   []finding
}

// slot is what came for a declared argument.
type slot struct {
	from  *Text // nil where none came
	value any
	read  bool // value is set
}

func (b *builder) set(i int, name string, v any) {
	if i >= 0 {
		b.slots[i].value, b.slots[i].read = v, true
	} else {
		b.values[name] = v
	}
}

// all returns the values of declared and undeclared arguments.
func (b *builder) all() map[string]any {
	for i := range b.slots {
		if s := &b.slots[i]; s.read {
			b.values[b.shape.declared[i].name] = s.value
		}
	}
	return b.values
}

// begin makes b ready for a request.
func (b *builder) begin(sh *shape) {
	b.shape, b.facts, b.costs, b.left = sh, sh.facts, sh.costs, maxWork
	b.grown = 0
	b.slots = append(b.slots, make([]slot, len(sh.declared))...)
}

// release lets go of the request. Nothing that was handed out refers to b.
func (b *builder) release() {
	if max(len(b.values), len(b.slots), len(b.args)) > maxKept {
		return
	}
	clear(b.values)
	clear(b.slots)
	clear(b.args)
	b.slots, b.args, b.path = b.slots[:0], b.args[:0], b.path[:0]
	b.repaired = repairLog{}
	b.others, b.extra, b.known, b.found, b.several = nil, nil, nil, nil, nil
	builders.Put(b)
}

func (b *builder) fail(name string, p Problem) {
	if b.known == nil {
		b.known = map[string]bool{}
	}
	b.known[name] = true
	b.found = append(b.found, finding{path: []string{name}, Problem: p})
}

// take reads one argument.
func (b *builder) take(arg *Text) {
	i, ok := b.shape.match(arg.Name)
	name := arg.Name
	if ok {
		name = b.shape.declared[i].name
	} else if !b.welcome(name) {
		return
	}
	if before := b.before(i, name); before != nil {
		if before.Value != arg.Value || before.JSON != arg.JSON {
			b.fail(name, Problem{Expected: "one value", Received: "two: " + describe(before.Value) + " and " + describe(arg.Value)})
		}
		return
	}
	var fact *fact
	if ok {
		b.slots[i].from, fact = arg, b.shape.declared[i].fact
	} else {
		fact = b.facts.of(memberOf(b.shape.root, name))
		if b.extra == nil {
			b.extra = map[string]*Text{}
		}
		b.extra[name] = arg
		b.others = append(b.others, name)
	}
	if !utf8.ValidString(arg.Value) {
		b.fail(name, Problem{Expected: "text in UTF-8", Received: "other bytes"})
		return
	}
	b.path = append(b.path[:0], name)
	if name != arg.Name {
		b.note(ArgumentName)
	}
	var (
		v       any
		refused *Problem
	)
	if ok && b.shape.declared[i].more != nil {
		v, refused = b.readAll(i, arg)
	} else {
		v, refused = b.value(arg, fact)
	}
	if refused != nil {
		b.fail(name, *refused)
		return
	}
	if path, found := hugeNumber(v, b.path); found {
		b.fail(name, Problem{Expected: expectNumber, Received: "a longer one"})
		b.found[len(b.found)-1].path = slices.Clone(path)
		return
	}
	b.set(i, name, v)
}

// value reads what came for one argument.
func (b *builder) value(arg *Text, fact *fact) (any, *Problem) {
	if !arg.JSON {
		return b.read(arg.Value, fact)
	}
	v, err := readJSON(arg.Value)
	if err != nil {
		return nil, &Problem{Expected: "a JSON value", Received: describe(arg.Value) + " (" + err.Error() + ")"}
	}
	v, _ = b.fit(v, fact.part)
	return v, nil
}

// welcome reports whether the schema takes an argument that it does not declare, and notes that it does not.
func (b *builder) welcome(name string) bool {
	switch {
	case !utf8.ValidString(name):
		b.fail(strings.ToValidUTF8(name, "\uFFFD"), Problem{Expected: "a name in UTF-8", Received: "other bytes"})
		return false
	case !b.shape.open && memberOf(b.shape.root, name) == nil:
		b.found = append(b.found, unknownArgument([]string{name}, b.shape.names, len(b.found)+1))
		return false
	}
	return true
}

// before is what came for the same argument already.
func (b *builder) before(i int, name string) *Text {
	if i >= 0 {
		return b.slots[i].from
	}
	return b.extra[name]
}

// encode writes the values in the schema's order. size is about how long that is.
func (b *builder) encode(size int) json.RawMessage {
	out := make([]byte, 1, size+16)
	out[0] = '{'
	for i := range b.shape.declared {
		if s := &b.slots[i]; s.read {
			out = append(append(out, b.shape.declared[i].key...), ':')
			out = append(appendJSON(out, s.value), ',')
		}
	}
	for _, name := range b.others {
		if v, ok := b.values[name]; ok {
			out = append(appendText(out, name), ':')
			out = append(appendJSON(out, v), ',')
		}
	}
	if n := len(out); n > 1 {
		out = out[:n-1]
	}
	return append(out, '}')
}
