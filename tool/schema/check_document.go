package schema

import "fmt"

// checkDocument refuses a schema that would cost too much to compile.
func checkDocument(doc any) error {
	if path, found := hugeNumber(doc); found {
		return &LimitError{fmt.Sprintf("has at %s a number with more than %d digits or an exponent of more than %d",
			pathText(path), maxDigits, maxExponent)}
	}
	left := sizes{patterns: maxPatterns, schemas: maxSchemas}
	return left.check(doc)
}

// sizes counts what a schema may still contain: instructions of patterns, and schemas.
type sizes struct{ patterns, schemas int }

// check subtracts what v contains, and returns a *LimitError if that is more than is left. It
// counts every object and boolean as a schema, even in data such as examples, because only the
// compiler can tell data from schemas.
func (s *sizes) check(v any) error {
	switch v := v.(type) {
	case bool:
		s.schemas--
	case []any:
		for _, e := range v {
			if err := s.check(e); err != nil {
				return err
			}
		}
	case map[string]any:
		s.schemas--
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
	case s.schemas < 0:
		return &LimitError{fmt.Sprintf("has more than %d objects and booleans", maxSchemas)}
	case s.patterns < 0:
		return &LimitError{fmt.Sprintf("has patterns that take more than %d instructions", maxPatterns)}
	}
	return nil
}
