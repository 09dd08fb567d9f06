package schema

import (
	"slices"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// The names of the repairs. Each repair reads a spelling that models use in place of the correct
// one. Applied repairs are reported as Repaired.
//
// A repair changes text between quotation marks only if the schema wants another type or lists the
// allowed values. If a text could mean two things, no repair is applied: the argument is refused,
// and the error says what is expected.
const (
	// ArgumentName reads a name that differs from a declared one only in case, hyphens, underscores
	// and white space.
	ArgumentName = "argument_name"
	// UnknownArgument drops an argument that the schema neither declares nor forbids, if
	// ObjectOptions.DropUnknown is set.
	UnknownArgument = "unknown_argument"
	// BooleanSpelling reads a boolean that is not spelled true or false.
	BooleanSpelling = "boolean_spelling"
	// NumberSpelling reads a number in a spelling that JSON lacks, such as "+5", "007", ".5" or
	// "5.".
	NumberSpelling = "number_spelling"
	// FullWidthDigits reads a number in full-width digits: ５０.
	FullWidthDigits = "full_width_digits"
	// EnumCase reads a listed value in another case.
	EnumCase = "enum_case"
	// EnumSpelling reads a listed value with blanks, hyphens or underscores in place of one
	// another, if it is the only such value.
	EnumSpelling = "enum_spelling"
	// QuotedValue reads a string within JSON, or an argument that is a JSON string, as a value of
	// the type that the schema wants, if that is not a string. It also removes the quotation marks
	// around a listed value.
	QuotedValue = "quoted_value"
	// SingleQuotes reads strings in single quotation marks, in JSON or in a plain list.
	SingleQuotes = orderedjson.SingleQuotes
	// TrailingComma drops one comma after the last element of a list or the last member of an
	// object.
	TrailingComma = orderedjson.TrailingComma
	// PythonLiterals reads True, False and None in JSON as true, false and null.
	PythonLiterals = orderedjson.PythonLiterals
	// PythonTuple reads a tuple of Python, such as (1, 2), as an array.
	PythonTuple = orderedjson.PythonTuple
	// NullAbsent reads null, or Python's None, as absent for an optional argument or member that
	// cannot be null. In an argument that is not JSON and may be text, these words mean absence
	// only if its declared default is null.
	NullAbsent = "null_absent"
	// CodeFence removes a Markdown code fence around JSON.
	CodeFence = "code_fence"
	// CommaList reads scalars between commas as an array.
	CommaList = "comma_list"
	// LineList reads scalars, one per line, as an array, and drops a bullet before each.
	LineList = "line_list"
	// NumberedList drops the numbers 1, 2, 3 before the lines of a list.
	NumberedList = "numbered_list"
	// SingleElement reads one scalar as an array of one element.
	SingleElement = "single_element"
)

// repairNames lists all repairs.
var repairNames = [...]string{
	ArgumentName, UnknownArgument, BooleanSpelling, NumberSpelling,
	FullWidthDigits, EnumCase, EnumSpelling, QuotedValue, SingleQuotes,
	TrailingComma, PythonLiterals, PythonTuple, NullAbsent, CodeFence,
	CommaList, LineList, NumberedList, SingleElement,
}

// MaxPlaces limits the places that are listed for one repair. A list may need the same repair in
// each of its elements.
const MaxPlaces = 20

// Repaired is a repair that was applied.
type Repaired struct {
	// Repair is the repair's name.
	Repair string `json:"repair"`
	// Path names the repaired value, as in Problem.
	Path string `json:"path"`
	// More counts the places that are not listed. Only the last entry of a repair has it.
	More int `json:"more,omitempty"`
}

// repairLog collects repairs that were applied. The zero value is ready to use. To drop the latest
// repairs, assign an earlier copy of the log to it.
type repairLog struct {
	list  []Repaired            // up to MaxPlaces entries for each repair
	times [len(repairNames)]int // how often each repair was applied, listed or not
}

// add records a repair. path returns Repaired.Path; it is called only if the repair is listed.
func (l *repairLog) add(name string, path func() string) {
	i := slices.Index(repairNames[:], name)
	if l.times[i]++; l.times[i] <= MaxPlaces {
		l.list = append(l.list, Repaired{Repair: name, Path: path()})
	}
}

// since returns the repairs that were added to l after earlier was copied from it. The result
// shares no memory with l.
func (l *repairLog) since(earlier repairLog) repairLog {
	added := repairLog{list: slices.Clone(l.list[len(earlier.list):]), times: l.times}
	for i := range added.times {
		added.times[i] -= earlier.times[i]
	}
	return added
}

// join adds the repairs of another log.
func (l *repairLog) join(other *repairLog) {
	timesBefore := l.times
	for _, r := range other.list {
		l.add(r.Repair, func() string { return r.Path })
	}
	for i := range l.times { // other may have applied a repair more often than it lists it
		l.times[i] = timesBefore[i] + other.times[i]
	}
}

// report returns the list of repairs. It sets Repaired.More. The caller owns the slice.
func (l *repairLog) report() []Repaired {
	left := l.times
	for i := range slices.Backward(l.list) {
		times := &left[slices.Index(repairNames[:], l.list[i].Repair)]
		l.list[i].More, *times = max(0, *times-MaxPlaces), 0
	}
	return l.list
}
