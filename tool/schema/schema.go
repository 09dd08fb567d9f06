// Package schema describes what a method takes, as JSON Schema, and turns the text that a model writes into values of that shape.
//
// A schema comes from a Go type (For) or from JSON (Compile). It is compiled once and never reads a file or an address, whatever
// its references say. Object is the way in for a request: it matches argument names, reads each text by the type that the schema
// wants, fills in defaults, validates the whole and reports every problem at once.
package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// location names a schema in its own errors. It is a made-up scheme: a relative reference must not turn into a file name.
const location = "parameters:///schema"

// Schema describes the arguments of one method: always a JSON object. It is safe for concurrent use.
type Schema struct {
	raw        json.RawMessage
	root       *jsonschema.Schema
	properties []Property
	shape      *shape
}

// Compile reads a JSON Schema whose instances are objects. A schema without "$schema" is read as draft 2020-12. A reference that
// leaves the document is an error, save to the meta-schemas of the known drafts, which are built in. raw is copied.
func Compile(raw json.RawMessage) (s *Schema, err error) {
	// The compiler is third-party code that meets foreign input: what it does not expect must not end the process.
	defer func() {
		if p := recover(); p != nil {
			s, err = nil, fmt.Errorf("schema: the schema cannot be compiled: %v", p)
		}
	}()
	doc, err := decode(raw)
	if err != nil {
		return nil, fmt.Errorf("schema: not a JSON document: %w", err)
	}
	if _, ok := doc.(map[string]any); !ok {
		return nil, fmt.Errorf("schema: a method's parameters are described by a JSON object, not by %s", describe(doc))
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(denyAll{})
	c.AssertFormat()
	if err := c.AddResource(location, doc); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	root, err := c.Compile(location)
	if err != nil {
		return nil, compileError(err, doc)
	}
	raw = bytes.Clone(raw)
	sh := newShape(root, raw)
	if k := sh.kinds.of(root); k&kindObject == 0 {
		return nil, fmt.Errorf("schema: arguments are a JSON object, but the schema's type is %s", k)
	}
	return &Schema{raw: raw, root: root, properties: sh.describe(), shape: sh}, nil
}

// JSON returns the schema as JSON. The caller does not change it.
func (s *Schema) JSON() json.RawMessage { return s.raw }

// Properties returns the arguments in the order in which the schema declares them. The slice is the caller's, what its elements
// point to is not.
func (s *Schema) Properties() []Property { return slices.Clone(s.properties) }

// Validate reports whether arguments is a JSON object that the schema accepts, as it is: nothing is converted or filled in. The
// error is an *ArgumentsError with all problems.
func (s *Schema) Validate(arguments json.RawMessage) error {
	v, err := decode(arguments)
	if err != nil {
		return &ArgumentsError{Problems: []Problem{{Expected: "a JSON object", Got: "text that is not JSON: " + err.Error()}}}
	}
	if _, ok := v.(map[string]any); !ok {
		return &ArgumentsError{Problems: []Problem{{Expected: "a JSON object", Got: describe(v)}}}
	}
	if path, ok := hugeNumber(v, nil); ok {
		return s.shape.report([]finding{{path: path, Problem: Problem{Expected: expectNumber, Got: "a longer one"}}})
	}
	return s.shape.report(s.check(v, nil))
}

// check runs the validator and returns its findings. Missing arguments named in known have been reported already.
func (s *Schema) check(v any, known map[string]bool) (found []finding) {
	defer func() {
		if p := recover(); p != nil {
			found = []finding{{Problem: Problem{Expected: "arguments that can be checked against the schema", Got: fmt.Sprint(p)}}}
		}
	}()
	err := s.root.Validate(v)
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return []finding{{Problem: Problem{Expected: "arguments that the schema accepts", Got: err.Error()}}}
	}
	f := flattener{shape: s.shape, instance: v, known: known}
	f.add(invalid)
	return f.found
}

// decode reads one JSON value and keeps the digits of its numbers.
func decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, errors.New("it is empty")
		}
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more follows after the first value")
	}
	return v, nil
}

// encode writes a value as JSON, without escaping HTML.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// denyAll is the loader of a compiler that must not leave the document: the library's own default reads files.
type denyAll struct{}

func (denyAll) Load(url string) (any, error) {
	return nil, &ReferenceError{URL: url}
}

// ReferenceError is a reference to something outside of the schema. It is never followed.
type ReferenceError struct{ URL string }

func (e *ReferenceError) Error() string {
	return fmt.Sprintf("the schema refers to %q, and a schema may refer to nothing outside of itself: put what it needs under $defs", e.URL)
}

// compileError says in one line what the compiler has found in doc.
func compileError(err error, doc any) error {
	var load *jsonschema.LoadURLError
	if errors.As(err, &load) {
		return fmt.Errorf("schema: %w", load.Err)
	}
	var mismatch *jsonschema.SchemaValidationError
	var invalid *jsonschema.ValidationError
	if errors.As(err, &mismatch) && errors.As(mismatch.Err, &invalid) {
		f := flattener{shape: &shape{}, instance: doc}
		f.add(invalid)
		if problems := f.shape.problems(f.found); len(problems) > 0 {
			return fmt.Errorf("schema: not a JSON Schema: %s", problems[0])
		}
	}
	return fmt.Errorf("schema: %w", err)
}
