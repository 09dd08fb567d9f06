package schema

import "math"

// The limits of a schema and of what is checked against it. Schemas may be foreign, and models
// write the arguments. Neither may keep the process busy: the validator follows every alternative
// of every alternative.
const (
	// maxSchemaBytes is several times the size of the largest schemas of public tools.
	maxSchemaBytes = 256 << 10
	// maxParts limits the schemas in a document: the compiler's work grows with the square of their
	// number.
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
	// maxWork limits the checking of one request's arguments, in visits of a value by a schema. A
	// visit takes about 200 ns.
	maxWork = 1 << 18
)

// LimitError is the error for a schema that would take too much time to compile or to check
// against.
type LimitError struct {
	// Reason names the limit, as the rest of a sentence that begins with "the schema".
	Reason string
}

func (e *LimitError) Error() string { return "the schema " + e.Reason }

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
