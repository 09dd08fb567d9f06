package schema

import "math"

// The limits of schemas and arguments. Schemas may come from foreign servers, and models write the
// arguments. Without limits, either could keep the process busy, because the validator tries every
// alternative within every alternative.
const (
	// maxSchemaBytes is several times the size of the largest schemas of public tools.
	maxSchemaBytes = 256 << 10
	// maxSchemas limits the schemas in a document, because the compiler's work grows with the
	// square of their number.
	maxSchemas = 4096
	// maxPatterns limits all patterns of a schema together, in instructions of compiled regular
	// expressions. Seven characters, "a{1000}", can need a thousand instructions.
	maxPatterns = 20_000
	// maxExpansion limits how many schemas and listed values one value is checked against. A schema
	// that several alternatives refer to counts each time.
	maxExpansion = 4096
	// maxText limits the texts of all arguments of a request, in bytes. It is more than the largest
	// request that package parser accepts.
	maxText = 8 << 20
	// maxWork limits the checking of one request's arguments, in visits: one value checked against
	// one schema. A visit takes about 200 ns.
	maxWork = 1 << 18
)

// LimitError is the error for a schema that would take too much time to compile or to check
// against.
type LimitError struct {
	// Reason names the limit, as the rest of a sentence that begins with "the schema".
	Reason string
}

func (e *LimitError) Error() string { return "the schema " + e.Reason }

// saturated returns a+b, or math.MaxInt if the sum would overflow.
func saturated(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

// saturatedProduct returns a*b, or math.MaxInt if the product would overflow.
func saturatedProduct(a, b int) int {
	if a != 0 && b > math.MaxInt/a {
		return math.MaxInt
	}
	return a * b
}
