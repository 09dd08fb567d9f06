package hermes

import (
	"github.com/vcpgo/vcp/internal/tags"
	"github.com/vcpgo/vcp/protocol/scan"
)

// The names of the repairs. Each can be switched off alone; the rows are those of docs/hermes.md.
const (
	// MarkerCase reads a tag in another case (T1).
	MarkerCase = "marker_case"
	// MarkerSpacing reads a tag with another separator than an underscore, or with blanks inside
	// (T2).
	MarkerSpacing = "marker_spacing"
	// MissingBlockEnd ends a request whose end tag is missing (T5, T6).
	MissingBlockEnd = scan.RepairMissingBlockEnd
	// FencedBody reads a body in a Markdown fence (J1).
	FencedBody = "fenced_body"
	// SeveralCalls reads several objects, or a list of them, in one tag (J2).
	SeveralCalls = "several_calls"
	// KeyCase reads "name", "arguments" and "id" in another case (J3).
	KeyCase = "key_case"
	// ParametersKey reads "parameters" for "arguments" (J4).
	ParametersKey = "parameters_key"
	// TypeMember omits the member "type": "function" of a call (J18).
	TypeMember = "type_member"
	// FunctionWrapper reads a call that is the member "function" of an object (J19).
	FunctionWrapper = "function_wrapper"
	// ArgumentsString reads arguments that are written as a string that holds JSON (J5).
	ArgumentsString = "arguments_string"
	// TrailingComma omits a comma after the last member or element (J6).
	TrailingComma = "trailing_comma"
	// PythonLiteral reads True, False and None (J7).
	PythonLiteral = "python_literal"
	// RawLineBreak reads unescaped line breaks and other control characters in a string (J8).
	RawLineBreak = "raw_line_break"
	// BareCall reads a reply that is nothing but calls without tags (T14).
	BareCall = "bare_call"
	// MissingBracket adds the last bracket of a call (J20).
	MissingBracket = "missing_bracket"
	// SurplusBracket omits a bracket after a call (J21).
	SurplusBracket = "surplus_bracket"
	// SingleQuotes reads strings in single quotes (J9).
	SingleQuotes = "single_quotes"
	// BadEscape reads a backslash that begins no escape as itself, and one before an apostrophe as
	// none (J10).
	BadEscape = "bad_escape"
)

// Indexes in the table below.
const (
	repairMarkerCase      = tags.RepairCase
	repairMarkerSpacing   = tags.RepairSpacing
	repairMissingBlockEnd = iota
	repairFencedBody
	repairSeveralCalls
	repairKeyCase
	repairParametersKey
	repairArgumentsString
	repairTrailingComma
	repairPythonLiteral
	repairRawLineBreak
	repairSingleQuotes
	repairBadEscape
	repairTypeMember
	repairFunctionWrapper
	repairBareCall
	repairMissingBracket
	repairSurplusBracket
)

var repairs = []scan.Repair{
	repairMarkerCase:      {Name: MarkerCase, Level: scan.Safe, Doc: "a tag in another case"},
	repairMarkerSpacing:   {Name: MarkerSpacing, Level: scan.Safe, Doc: "a tag without its underscore, or with blanks inside"},
	repairMissingBlockEnd: {Name: MissingBlockEnd, Level: scan.Safe, Doc: "a request without its end tag"},
	repairFencedBody:      {Name: FencedBody, Level: scan.Safe, Doc: "a Markdown fence around the JSON"},
	repairSeveralCalls:    {Name: SeveralCalls, Level: scan.Safe, Doc: "several calls in one tag"},
	repairKeyCase:         {Name: KeyCase, Level: scan.Safe, Doc: "name, arguments or id in another case"},
	repairParametersKey:   {Name: ParametersKey, Level: scan.Safe, Doc: "parameters in place of arguments"},
	repairArgumentsString: {Name: ArgumentsString, Level: scan.Safe, Doc: "arguments as a string that holds JSON"},
	repairTrailingComma:   {Name: TrailingComma, Level: scan.Safe, Doc: "a comma after the last member or element"},
	repairPythonLiteral:   {Name: PythonLiteral, Level: scan.Safe, Doc: "True, False or None"},
	repairRawLineBreak:    {Name: RawLineBreak, Level: scan.Safe, Doc: "a raw line break or control character in a string"},
	repairSingleQuotes:    {Name: SingleQuotes, Level: scan.Greedy, Doc: "strings in single quotes"},
	repairBadEscape:       {Name: BadEscape, Level: scan.Greedy, Doc: "a backslash that begins no escape"},
	repairTypeMember:      {Name: TypeMember, Level: scan.Safe, Doc: "\"type\": \"function\" in a call"},
	repairFunctionWrapper: {Name: FunctionWrapper, Level: scan.Safe, Doc: "a call as the member \"function\" of an object"},
	repairBareCall:        {Name: BareCall, Level: scan.Greedy, Bare: true, Doc: "a reply of nothing but calls without tags"},
	repairMissingBracket:  {Name: MissingBracket, Level: scan.Greedy, Doc: "a call without its last bracket"},
	repairSurplusBracket:  {Name: SurplusBracket, Level: scan.Greedy, Doc: "one bracket too many after a call"},
}
