package orderedjson

import (
	"slices"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/chinese"
)

// MaxDepth limits how deep values are nested, so that code that walks a value may recurse. Texts of
// people and models stay far below the limit.
const MaxDepth = 100

// The repairs that a Reader may apply.
const (
	SingleQuotes   = "single_quotes"   // strings in single quotation marks
	TrailingComma  = "trailing_comma"  // a comma after the last element or member
	PythonLiterals = "python_literals" // True, False and None
	PythonTuple    = "python_tuple"    // a list between ( and ), with one comma at least
)

// Reader reads one JSON value (RFC 8259) from text in UTF-8. It is stricter than encoding/json: a
// member given twice, half a surrogate pair and a nesting of more than MaxDepth are errors. Numbers
// are json.Number and keep their digits.
type Reader struct {
	// Repair also reads common mistakes of models in JSON.
	Repair bool
	// Repairs are the applied repairs, each once.
	Repairs []string
	// Ordered reads objects as *Object, and else as map[string]any.
	Ordered bool

	src   string
	at    int
	depth int
}

// errorf returns an error in English and Chinese: models read why JSON cannot be read.
func errorf(format string, values ...any) error { return chinese.OrderedJSON.Text(format, values...) }

var errEarlyEnd = errorf("it ends too early")

func (r *Reader) note(repair string) {
	if !slices.Contains(r.Repairs, repair) {
		r.Repairs = append(r.Repairs, repair)
	}
}

// misplaced is the error for a character that cannot come next.
func (r *Reader) misplaced() error {
	if r.at >= len(r.src) {
		return errEarlyEnd
	}
	c, _ := utf8.DecodeRuneInString(r.src[r.at:])
	return errorf("%q at byte %d is out of place", c, r.at)
}

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

// peek returns the next byte; 0 at the end.
func (r *Reader) peek() byte {
	if r.at < len(r.src) {
		return r.src[r.at]
	}
	return 0
}

// excerpt shortens a name for an error.
func excerpt(name string) string {
	const most = 80 // characters
	count := 0
	for i := range name {
		if count++; count > most {
			return name[:i] + "…"
		}
	}
	return name
}
