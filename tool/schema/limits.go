package schema

import (
	"fmt"
	"math"
)

// The limits of a schema and of what is checked against it. A schema may come from a stranger and
// arguments from a model. Neither may keep the process busy: the validator follows every
// alternative of every alternative.
const (
	// maxSchemaBytes is several times the largest schemas that tools in the field have.
	maxSchemaBytes = 256 << 10
	// maxParts limits the schemas in a document: the compiler's work grows with the square.
	maxParts = 4096
	// maxPatterns limits all patterns of a schema together, in instructions of compiled regular
	// expressions. Ten characters ("a{1000}…") can need thousands.
	maxPatterns = 20_000
	// maxExpansion limits how many schemas one value is checked against. Alternatives within
	// alternatives count each time they come up.
	maxExpansion = 4096
	// maxText limits the texts of all arguments of a request: more than the largest request that a
	// parser lets through.
	maxText = 8 << 20
	// maxWork limits the checking of one request's arguments, in visits of a value by a schema; one
	// takes about 200 ns.
	maxWork = 1 << 18
)

// LimitError is a schema that is past one of the limits.
type LimitError struct {
	// Reason names the limit, as the rest of a sentence that begins with "the schema".
	Reason string
}

func (e *LimitError) Error() string { return "the schema " + e.Reason }

// checkDocument refuses a schema that would cost too much to compile.
func checkDocument(doc any) error {
	if path, found := hugeNumber(doc, nil); found {
		return &LimitError{fmt.Sprintf("has at %s a number of more than %d digits or a larger exponent", pathText(path), maxDigits)}
	}
	left := sizes{patterns: maxPatterns, parts: maxParts}
	return left.check(doc)
}

// sizes are what a schema may still contain.
type sizes struct{ patterns, parts int }

// check counts everywhere, in examples too: only the compiler knows what is a schema and what is
// data.
func (s *sizes) check(v any) error {
	switch v := v.(type) {
	case bool:
		s.parts--
	case []any:
		for _, e := range v {
			if err := s.check(e); err != nil {
				return err
			}
		}
	case map[string]any:
		s.parts--
		if pattern, ok := v["pattern"].(string); ok {
			s.patterns -= patternSize(pattern)
		}
		if byPattern, ok := v["patternProperties"].(map[string]any); ok {
			for pattern := range byPattern {
				s.patterns -= patternSize(pattern)
			}
		}
		for _, name := range sortedKeys(v) {
			if err := s.check(v[name]); err != nil {
				return err
			}
		}
	}
	switch {
	case s.parts < 0:
		return &LimitError{fmt.Sprintf("has more than %d objects, true and false", maxParts)}
	case s.patterns < 0:
		return &LimitError{fmt.Sprintf("has patterns that take more than %d instructions", maxPatterns)}
	}
	return nil
}

func saturated(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

func saturatedProduct(a, b int) int {
	if a != 0 && b > math.MaxInt/a {
		return math.MaxInt
	}
	return a * b
}

// ReferenceError is a reference to something outside of the schema. It is never followed.
type ReferenceError struct{ URL string }

func (e *ReferenceError) Error() string {
	return fmt.Sprintf("the schema refers to %q, and a schema may refer to nothing outside of itself: put what it needs under $defs", e.URL)
}
