package orderedjson

import (
	"slices"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/chinese"
)

// MaxDepth limits how deep values are nested, so that recursive code can visit a value. JSON of
// people and models stays far below the limit.
const MaxDepth = 100

// maxName limits a name in an error, in characters.
const maxName = 80

// The repairs that a Reader applies if Reader.Repair is set.
const (
	SingleQuotes   = "single_quotes"   // strings in single quotation marks
	TrailingComma  = "trailing_comma"  // a comma after the last element or member
	PythonLiterals = "python_literals" // True, False and None
	PythonTuple    = "python_tuple"    // a list between ( and ), with at least one comma
)

// Reader reads one JSON value (RFC 8259) from text in UTF-8. It is stricter than encoding/json: two
// members with the same name, half a surrogate pair, and more than MaxDepth nested values are
// errors. Numbers are json.Number and keep their digits.
type Reader struct {
	// Repair says whether to accept common mistakes of models, and repair them.
	Repair bool
	// Repairs lists the applied repairs, each once.
	Repairs []string
	// Ordered says whether objects become *Object; otherwise they become map[string]any.
	Ordered bool

	src   string
	at    int
	depth int
}

// errorf returns an error in English and Chinese, because models read it. "it" in an error is the
// text that was read; the caller adds what that text is.
func errorf(format string, values ...any) error { return chinese.OrderedJSON.Text(format, values...) }

var errEarlyEnd = errorf("it ends too early")

// note records an applied repair.
func (r *Reader) note(repair string) {
	if !slices.Contains(r.Repairs, repair) {
		r.Repairs = append(r.Repairs, repair)
	}
}

// misplaced returns the error for the next character, which is not allowed here.
func (r *Reader) misplaced() error {
	if r.at >= len(r.src) {
		return errEarlyEnd
	}
	c, _ := utf8.DecodeRuneInString(r.src[r.at:])
	return errorf("%q at byte %d is out of place", c, r.at)
}

// blanks skips white space.
func (r *Reader) blanks() {
	for r.at < len(r.src) {
		switch r.src[r.at] {
		case ' ', '\t', '\n', '\r':
			r.at++
		default:
			return
		}
	}
}

// peek returns the next byte, or 0 at the end.
func (r *Reader) peek() byte {
	if r.at < len(r.src) {
		return r.src[r.at]
	}
	return 0
}
