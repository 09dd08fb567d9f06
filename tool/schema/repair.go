package schema

import "slices"

// The names of the repairs: the ways in which a model's spelling of an argument may differ from the plain one and is still read. Each
// one that was applied is reported with the place where it was.
//
// A repair never changes text between quotation marks, and none is applied where the text could mean two things: then the argument
// is refused, and the error says how to write it.
const (
	// ArgumentName reads a name that differs from a declared one in case, hyphens and underscores only.
	ArgumentName = "argument_name"
	// BooleanSpelling reads a boolean written otherwise than true or false.
	BooleanSpelling = "boolean_spelling"
	// NumberSpelling reads a number that JSON writes otherwise: +5, 007, .5, 5.
	NumberSpelling = "number_spelling"
	// EnumCase reads a listed value in another case.
	EnumCase = "enum_case"
	// QuotedValue reads a string within JSON, or an argument that is a JSON string, as the other type that the schema wants there.
	QuotedValue = "quoted_value"
	// SingleQuotes reads strings of JSON in single quotation marks.
	SingleQuotes = "single_quotes"
	// TrailingComma leaves out one comma behind the last element of a list or the last member of an object.
	TrailingComma = "trailing_comma"
	// PythonLiterals reads True, False and None in JSON as true, false and null.
	PythonLiterals = "python_literals"
	// CodeFence takes JSON out of the Markdown code fence around it.
	CodeFence = "code_fence"
	// CommaList reads scalars between commas as an array.
	CommaList = "comma_list"
	// LineList reads scalars on lines of their own as an array.
	LineList = "line_list"
	// SingleElement reads one scalar as an array of one element.
	SingleElement = "single_element"
)

// Repair is one tolerance of Object.
type Repair struct {
	Name string
	// Doc says in a few words what is read.
	Doc string
}

// Repairs lists all repairs. The slice is the caller's.
func Repairs() []Repair { return slices.Clone(repairs) }

var repairs = []Repair{
	{ArgumentName, "a name that differs in case, hyphens and underscores only"},
	{BooleanSpelling, "a boolean written otherwise than true or false"},
	{NumberSpelling, "a number that JSON writes otherwise"},
	{EnumCase, "a listed value in another case"},
	{QuotedValue, "a JSON string in place of another type"},
	{SingleQuotes, "JSON with strings in single quotation marks"},
	{TrailingComma, "a comma behind the last element"},
	{PythonLiterals, "True, False and None in JSON"},
	{CodeFence, "JSON in a Markdown code fence"},
	{CommaList, "scalars between commas as an array"},
	{LineList, "scalars on lines of their own as an array"},
	{SingleElement, "one scalar as an array of one element"},
}

// Repaired is a repair that was applied.
type Repaired struct {
	// Repair is the repair's name.
	Repair string `json:"repair"`
	// Path tells where, as in Problem.
	Path string `json:"path"`
}
