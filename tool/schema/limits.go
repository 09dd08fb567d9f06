package schema

import (
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The bounds of a schema and of what is checked against it. A schema may come from a stranger and arguments from a model, and
// neither may keep the process busy: the validator follows every alternative of every alternative.
const (
	// maxSchemaBytes is several times the largest schemas that tools in the field have.
	maxSchemaBytes = 256 << 10
	// maxParts bounds the parts of a schema: the compiler's work grows with the square.
	maxParts = 4096
	// maxPatterns bounds all patterns of a schema together, in instructions of the regular expressions' machine. Ten characters
	// ("a{1000}…") can ask for thousands.
	maxPatterns = 20_000
	// maxExpansion bounds how many parts one value is held against, alternatives within alternatives counted each time they come up.
	maxExpansion = 4096
	// maxText bounds the texts of all arguments of a request: more than the largest request that a parser lets through.
	maxText = 8 << 20
	// maxWork bounds the checking of one request's arguments, in visits of a value by a part; one takes about 200 ns.
	maxWork = 1 << 18
)

// LimitError is a schema that is past one of the bounds.
type LimitError struct {
	// Reason says which, as the rest of a sentence that begins with "the schema".
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

// sizes is what a schema may still have.
type sizes struct{ patterns, parts int }

// check counts anywhere, in examples too: what is a schema and what is data shows only when it is compiled.
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

// patternSize estimates the instructions of a regular expression before it is compiled; 1 where it does not compile.
func patternSize(pattern string) int {
	if len(pattern) > maxPatterns {
		return maxPatterns + 1
	}
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 1
	}
	return expressionSize(re)
}

func expressionSize(re *syntax.Regexp) int {
	size := 1
	if re.Op == syntax.OpLiteral {
		size = max(len(re.Rune), 1)
	}
	for _, sub := range re.Sub {
		size = saturated(size, expressionSize(sub))
	}
	if re.Op == syntax.OpRepeat {
		size = saturatedProduct(size, max(re.Min, re.Max, 1))
	}
	return size
}

// compilePattern is the engine of the validator, which also compiles what a model writes where a schema asks for a regular
// expression (the format regex).
func compilePattern(pattern string) (jsonschema.Regexp, error) {
	if patternSize(pattern) > maxPatterns {
		return nil, &LimitError{"has a pattern that is too large"}
	}
	return regexp.Compile(pattern)
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
