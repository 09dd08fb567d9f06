// Package schema describes what a method takes, as JSON Schema, and turns the text that a model writes into values of that shape.
//
// A schema comes from a Go type (For) or from JSON (Compile). It is compiled once, never reads a file or an address, whatever its
// references say, and is refused where checking against it could take too long. Object is the way in for a request: it matches
// argument names, reads each text by the type that the schema wants, mends what models commonly get wrong by named repairs, fills in
// defaults, validates the whole and reports all problems at once, or the first of many. NewTools is the way out: definitions for
// APIs that know tools of their own.
package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

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
// leaves the document is an error, even one that names a meta-schema. A schema that would take too much
// time to compile or to check arguments against is a *LimitError. raw is copied.
func Compile(raw json.RawMessage) (s *Schema, err error) {
	// The compiler is third-party code that meets foreign input: what it does not expect must not end the process.
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
	doc, err := readJSON(string(raw))
	if err != nil {
		return nil, fmt.Errorf("schema: not a JSON document: %w", err)
	}
	if _, ok := doc.(map[string]any); !ok {
		return nil, fmt.Errorf("schema: a method's parameters are described by a JSON object, not by %s", describe(doc))
	}
	if err := checkDocument(doc); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(denyAll{})
	c.UseRegexpEngine(compilePattern)
	c.AssertFormat()
	c.RegisterFormat(&jsonschema.Format{Name: formatDuration, Validate: checkDuration})
	if err := c.AddResource(location, doc); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	root, err := c.Compile(location)
	if err != nil {
		return nil, compileError(err, doc)
	}
	raw = bytes.Clone(raw)
	sh, err := newShape(root, raw)
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	if k := sh.facts.of(root).kinds; k&kindObject == 0 {
		return nil, fmt.Errorf("schema: arguments are a JSON object, but the schema's type is %s", k)
	}
	s = &Schema{raw: raw, root: root, shape: sh}
	s.properties = s.describe()
	return s, nil
}

// JSON returns the schema as JSON. The caller does not change it.
func (s *Schema) JSON() json.RawMessage { return s.raw }

// Properties returns the arguments in the order in which the schema declares them. The slice is the caller's, what its elements
// point to is not.
func (s *Schema) Properties() []Property { return slices.Clone(s.properties) }

// Validate reports whether arguments is a JSON object that the schema accepts, as it is: nothing is converted or filled in. The
// error is an *ArgumentsError.
func (s *Schema) Validate(arguments json.RawMessage) error {
	fail := func(expected, received string) error {
		return &ArgumentsError{Problems: []Problem{{Expected: expected, Received: received}}}
	}
	if len(arguments) > maxText {
		return tooLong(len(arguments))
	}
	if !utf8.Valid(arguments) {
		return fail("text in UTF-8", "other bytes")
	}
	v, err := readJSON(string(arguments))
	if err != nil {
		return fail("a JSON object", "text that is not JSON: "+err.Error())
	}
	if _, ok := v.(map[string]any); !ok {
		return fail("a JSON object", describe(v))
	}
	if path, ok := hugeNumber(v, nil); ok {
		return s.shape.report([]finding{{path: path, Problem: Problem{Expected: expectNumber, Received: "a longer one"}}})
	}
	return s.shape.report(s.shape.check(v, mass(v), nil))
}

// check runs the validator on v, whose mass is at most size, and returns its findings. Arguments named in known have been reported
// already: that they are missing is no news, and what is said of the arguments as a whole has to wait for them.
func (sh *shape) check(v any, size int, known map[string]bool) (found []finding) {
	defer func() {
		if p := recover(); p != nil {
			found = []finding{{Problem: Problem{Expected: "arguments that can be checked against the schema", Received: fmt.Sprint(p)}}}
		}
	}()
	if sh.costs.of(v, size, sh.root, maxWork) > maxWork {
		return []finding{{Problem: Problem{
			Expected: "fewer elements, or fewer within one another", Received: "more than can be checked against the schema",
		}}}
	}
	err := sh.root.Validate(v)
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return []finding{{Problem: Problem{Expected: "arguments that the schema accepts", Received: err.Error()}}}
	}
	f := flattener{shape: sh, instance: v, known: known}
	f.add(invalid)
	if len(known) > 0 {
		f.found = slices.DeleteFunc(f.found, func(f finding) bool { return len(f.path) == 0 })
	}
	return f.found
}

// formatDuration is the format of a time.Duration; "duration" is that of ISO 8601.
const formatDuration = "go-duration"

func checkDuration(v any) error {
	text, ok := v.(string)
	if !ok {
		return nil // a format says nothing of other types
	}
	_, err := time.ParseDuration(text)
	return err
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
		if problems, _ := f.shape.problems(f.found); len(problems) > 0 {
			return fmt.Errorf("schema: not a JSON Schema: %s", problems[0])
		}
	}
	return fmt.Errorf("schema: %w", err)
}
