// Package schema describes the arguments of a method as JSON Schema, and converts the text that a
// model writes to values that fit the schema.
//
// A schema comes from a Go type (For) or from JSON (Compile). It is compiled once. A reference in
// it is never followed to a file or a URL. Schemas and arguments are refused if checking them could
// take too long.
//
// Schema.Object reads the arguments of a request: it matches their names, reads each text by the
// type that the schema wants, and applies named repairs to common mistakes of models. It fills in
// defaults, validates the result and reports all problems at once. Package export writes
// definitions for APIs with function calling.
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

// Schema describes the arguments of one method, which are a JSON object. It is safe for concurrent
// use.
type Schema struct {
	raw        json.RawMessage
	parameters *parameters
	properties []Property
	unchecked  []string
}

// Compile reads a JSON Schema for objects. It copies raw. A schema without "$schema" is read as
// draft 2020-12. A reference to something outside of the schema is an error, *ReferenceError, even
// if it names a meta-schema. If compiling the schema, or checking a single value against it, could
// take too long, the error is a *LimitError. Patterns are regular expressions of ECMAScript. A
// pattern that Go cannot compile is not an error, but is not checked; see Schema.Unchecked. The
// formats date-time and time also accept text without an offset.
func Compile(raw json.RawMessage) (s *Schema, err error) {
	// The compiler is third-party code that reads foreign input. If it panics, the process must not
	// end.
	defer func() {
		if p := recover(); p != nil {
			s, err = nil, fmt.Errorf("schema: the schema cannot be compiled: %v", p)
		}
	}()
	if len(raw) > maxSchemaBytes {
		return nil, fmt.Errorf("schema: %w",
			&LimitError{fmt.Sprintf("has %d bytes, and %d are allowed", len(raw), maxSchemaBytes)})
	}
	if !utf8.Valid(raw) {
		return nil, errors.New("schema: not a JSON document: it is not UTF-8")
	}
	doc, err := orderedjson.Read(string(raw))
	if err != nil {
		return nil, fmt.Errorf("schema: not a JSON document: %w", err)
	}
	if _, ok := doc.(map[string]any); !ok {
		return nil, fmt.Errorf("schema: a method's parameters are described by a JSON object, not by %s",
			english.describe(doc))
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

// Properties returns the arguments in the order in which the schema declares them. The caller owns
// the slice, but must not change what its elements refer to, such as Property.Schema.
func (s *Schema) Properties() []Property { return slices.Clone(s.properties) }

// Unchecked returns a sentence for each pattern of the schema that is not checked because Go cannot
// compile it. The caller must not change the slice.
func (s *Schema) Unchecked() []string { return s.unchecked }

// TakesOthers reports whether arguments that the schema does not declare are accepted.
func (s *Schema) TakesOthers() bool { return s.parameters.open }

// Takes reports whether Object passes an argument of that name on to the method. The name may be in
// any spelling that Object reads. An argument for which Takes returns false is unknown.
func (s *Schema) Takes(name string) bool {
	_, declared := s.parameters.match(name)
	return declared || s.parameters.takesOther(name)
}

// Validate checks that arguments is a JSON object that the schema accepts. Unlike Object, it
// converts nothing and fills in no defaults. The error is an *ArgumentsError.
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
	if path, huge := hugeNumber(v); huge {
		p := english.longNumber()
		p.Path = pathText(path)
		return &ArgumentsError{Problems: []Problem{p}}
	}
	if found, more := s.parameters.check(v, valueSize(v), nil, english); len(found) > 0 {
		return newError(english, found, more, s.parameters.index)
	}
	return nil
}

// Object converts the arguments of a request to the JSON object that a method expects, and
// validates it. It returns the applied repairs in the order in which they were applied: up to
// MaxPlaces entries for each repair. The last entry of a repair counts its places that are not
// listed.
//
// A name that the schema does not declare means the one declared name that differs only in case,
// hyphens, underscores and white space. The type that the schema wants decides how a text is read:
//
//   - For a string, the value is the text, byte for byte. The same holds if the schema names no
//     type. If the schema allows a string and another type, the value is the text, unless that is
//     exactly the JSON of the other type. A text may differ from a listed value in case, or in the
//     separators between words, if only one listed value is that similar.
//   - A number keeps all its digits; NaN and infinity are not numbers. A boolean is true, yes, 1 or
//     是, or false, no, 0 or 否, in any letter case. The text null is null if the schema allows it.
//     For an optional argument that can be neither null nor text, null means that it is absent.
//   - Arrays and objects are JSON. Strings may be in single quotation marks, a comma may follow the
//     last element, the literals and tuples of Python are accepted, and a code fence may be around
//     the whole.
//   - An array of scalars may also be a plain list: elements between commas (or ， or 、), or one on
//     each line, or one element alone. Commas within quotation marks do not separate. A text that
//     could mean two things is refused: an empty text, a missing element, commas that may belong to
//     a number, bullets before some lines only. A text that begins with [ or { is never a plain
//     list.
//
// Alternatives at the schema's top level (anyOf, oneOf) may describe an argument differently. Then
// an alternative that accepts all arguments decides how the argument is read.
//
// A string within JSON is read by the same rules if the schema wants another type. Absent arguments
// and members get their defaults.
//
// The members of the object are in the schema's order. Members that the schema does not declare
// follow, in the order of the request. The error is an *ArgumentsError.
func (s *Schema) Object(args []Text) (object json.RawMessage, repaired []Repaired, err error) {
	return s.ObjectWith(args, ObjectOptions{})
}

// ObjectWith is Object with options.
func (s *Schema) ObjectWith(args []Text, o ObjectOptions) (object json.RawMessage, repaired []Repaired, err error) {
	return readArguments(s.parameters, args, o)
}

// compileError returns an error with one line that describes the compiler's error for doc.
func compileError(err error, doc any) error {
	var load *jsonschema.LoadURLError
	if errors.As(err, &load) {
		return fmt.Errorf("schema: %w", load.Err)
	}
	var mismatch *jsonschema.SchemaValidationError
	var invalid *jsonschema.ValidationError
	if errors.As(err, &mismatch) && errors.As(mismatch.Err, &invalid) {
		found, more := (&parameters{}).findings(invalid, doc, nil, english)
		if problems := newError(english, found, more, nil).Problems; len(problems) > 0 {
			return fmt.Errorf("schema: not a JSON Schema: %s", problems[0])
		}
	}
	return fmt.Errorf("schema: %w", err)
}
