// Package schema describes the arguments of a method as JSON Schema, and turns the text that a
// model writes into values of that shape.
//
// A schema comes from a Go type (For) or from JSON (Compile). It is compiled once. Its references
// never make it read a file or an address. It is refused if checking against it could take too
// long.
//
// Object reads a request: it matches argument names, reads each text by the type that the schema
// wants, and applies named repairs to what models commonly get wrong. It fills in defaults,
// validates the whole and reports all problems at once. Package export writes definitions for APIs
// with function calling.
package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// Schema describes the arguments of one method: always a JSON object. It is safe for concurrent
// use.
type Schema struct {
	raw        json.RawMessage
	parameters *parameters
	properties []Property
	unchecked  []string
}

// Compile reads a JSON Schema whose instances are objects. A schema without "$schema" is read as
// draft 2020-12. A reference to something outside of the schema is a *ReferenceError, even if it
// names a meta-schema. A schema that would take too much time to compile or to check arguments
// against is a *LimitError. Patterns are read as ECMAScript's; a pattern that Go cannot compile is
// not an error but is not checked, as Unchecked says. A date-time or a time without an offset is
// accepted as local time. raw is copied.
func Compile(raw json.RawMessage) (s *Schema, err error) {
	// The compiler is third-party code that reads foreign input, so a panic of it must not end the
	// process.
	defer func() {
		if p := recover(); p != nil {
			s, err = nil, fmt.Errorf("schema: the schema cannot be compiled: %v", p)
		}
	}()
	if len(raw) > maxSchemaBytes {
		return nil, fmt.Errorf("schema: %w", &LimitError{fmt.Sprintf("has %d bytes, and %d are allowed", len(raw), maxSchemaBytes)})
	}
	if !utf8.Valid(raw) {
		return nil, errors.New("schema: not a JSON document: it is not UTF-8")
	}
	doc, err := orderedjson.Read(string(raw))
	if err != nil {
		return nil, fmt.Errorf("schema: not a JSON document: %w", err)
	}
	if _, ok := doc.(map[string]any); !ok {
		return nil, fmt.Errorf("schema: a method's parameters are described by a JSON object, not by %s", english.describe(doc))
	}
	if err := checkDocument(doc); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	root, err := compile(doc)
	if err != nil {
		return nil, err
	}
	unchecked := dropUncompiled(root)
	ordered, err := orderedjson.ReadOrdered(string(raw))
	if err != nil {
		return nil, fmt.Errorf("schema: not a JSON document: %w", err)
	}
	ps, err := newParameters(root, document{ordered})
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	if k := ps.of(root).types; k&typeObject == 0 {
		return nil, fmt.Errorf("schema: arguments are a JSON object, but the schema's type is %s", english.types(k))
	}
	return &Schema{raw: bytes.Clone(raw), parameters: ps, properties: ps.properties(), unchecked: unchecked}, nil
}

// compile reads a schema with the validator.
func compile(doc any) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.UseLoader(denyAll{})
	c.UseRegexpEngine(compilePattern)
	c.AssertFormat()
	for _, f := range ownFormats() {
		c.RegisterFormat(f)
	}
	if err := c.AddResource(location, doc); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	root, err := c.Compile(location)
	if err != nil {
		return nil, compileError(err, doc)
	}
	return root, nil
}

// JSON returns the schema as JSON. The caller must not change it.
func (s *Schema) JSON() json.RawMessage { return s.raw }

// MarshalJSON returns what JSON returns, so a struct that contains a Schema encodes it whole.
func (s *Schema) MarshalJSON() ([]byte, error) { return s.raw, nil }

// Properties returns the arguments in the order in which the schema declares them. The slice is the
// caller's; the caller must not change what its elements point to.
func (s *Schema) Properties() []Property { return slices.Clone(s.properties) }

// Unchecked returns a sentence for each keyword of the schema that no value is checked against: a
// pattern that Go cannot compile. The caller must not change the slice.
func (s *Schema) Unchecked() []string { return s.unchecked }

// TakesOthers reports whether arguments that the schema does not declare are accepted.
func (s *Schema) TakesOthers() bool { return s.parameters.open }

// Takes reports whether an argument of that name, in any spelling that Object reads, is passed on
// to the method. Arguments of other names are unknown.
func (s *Schema) Takes(name string) bool {
	_, declared := s.parameters.match(name)
	return declared || s.parameters.takesOther(name)
}

// Validate checks that arguments is a JSON object that the schema accepts, without conversions and
// defaults. The error is an *ArgumentsError.
func (s *Schema) Validate(arguments json.RawMessage) error {
	fail := func(code Code, expected, received string) error {
		return &ArgumentsError{Problems: []Problem{{Code: code, Expected: expected, Received: received}}}
	}
	if len(arguments) > maxText {
		return tooLong(english, len(arguments))
	}
	if !utf8.Valid(arguments) {
		return fail(CodeEncoding, english.say("text in UTF-8"), english.say("other bytes"))
	}
	v, err := orderedjson.Read(string(arguments))
	if err != nil {
		return fail(CodeEncoding, english.say("a JSON object"), english.say("text that is not JSON: %v", err))
	}
	if _, ok := v.(map[string]any); !ok {
		return fail(CodeType, english.say("a JSON object"), english.describe(v))
	}
	if path, huge := hugeNumber(v, nil); huge {
		p := english.longNumber()
		p.Path = pathText(path)
		return &ArgumentsError{Problems: []Problem{p}}
	}
	if found := s.parameters.check(v, mass(v), nil, english); len(found) > 0 {
		return newError(english, found, s.parameters.index)
	}
	return nil
}

// Object turns the arguments of a request into the JSON object that a method takes, and validates
// it. It returns the repairs that this took, in the order in which they were applied: up to
// MaxPlaces of each, the last of which counts the others.
//
// A name that the schema does not declare means the one declared name that differs only in case,
// hyphens, underscores and white space. The type that the schema wants decides how a text is read:
//
//   - A string is the text, byte for byte. So is the value if the schema names no type. If the
//     schema allows a string and another type, only a text that is exactly the JSON of that other
//     type is not a string. A value that the schema lists may be written in another case if only
//     one listed value fits.
//   - A number keeps all its digits; NaN and infinity are not numbers. A boolean is true, yes, 1 or
//     是, or false, no, 0 or 否, in any case. Null is null if null is allowed; for an optional
//     argument that cannot be null it is absence.
//   - Arrays and objects are JSON. Allowed are also strings in single quotation marks, a comma
//     after the last element, Python's literals and tuples, and a code fence around it all.
//   - An array of scalars may be a plain list too: elements between commas (or ， or 、), or one on
//     each line, or one element alone. Quotation marks keep an element whole. What could mean two
//     things is refused: an empty text, a missing element, commas that may be within a number, some
//     lines with bullets. A text that begins with [ or { is never a plain list.
//
// Several forms at the schema's top level (anyOf, oneOf) may describe an argument differently. Then
// the first form that accepts all arguments decides how it is read.
//
// Strings within JSON follow the same rules if the schema wants another type in their place. Absent
// arguments and members take their defaults.
//
// The members of the object are in the schema's order, followed by those that the schema does not
// declare, as written. The error is an *ArgumentsError.
func (s *Schema) Object(args []Text) (object json.RawMessage, repaired []Repaired, err error) {
	return s.ObjectWith(args, ObjectOptions{})
}

// ObjectWith does what Object does, with options.
func (s *Schema) ObjectWith(args []Text, o ObjectOptions) (object json.RawMessage, repaired []Repaired, err error) {
	return readArguments(s.parameters, args, o)
}

// compileError describes the compiler's error for doc in one line.
func compileError(err error, doc any) error {
	var load *jsonschema.LoadURLError
	if errors.As(err, &load) {
		return fmt.Errorf("schema: %w", load.Err)
	}
	var mismatch *jsonschema.SchemaValidationError
	var invalid *jsonschema.ValidationError
	if errors.As(err, &mismatch) && errors.As(mismatch.Err, &invalid) {
		found := newError(english, (&parameters{}).findings(invalid, doc, nil, english), nil)
		if len(found.Problems) > 0 {
			return fmt.Errorf("schema: not a JSON Schema: %s", found.Problems[0])
		}
	}
	return fmt.Errorf("schema: %w", err)
}
