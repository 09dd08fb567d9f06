package hermes

import (
	"github.com/vcpgo/vcp/protocol/internal/tags"
	"github.com/vcpgo/vcp/protocol/scan"
)

// Indexes of the repairs, with their rows of docs/hermes.md. The first two are those of package
// tags, 0 and 1. iota continues them.
const (
	repairMarkerCase      = tags.RepairCase    // T1
	repairMarkerSpacing   = tags.RepairSpacing // T2
	repairMissingBlockEnd = iota               // T5, T6
	repairFencedBody                           // J1
	repairSeveralCalls                         // J2
	repairKeyCase                              // J3
	repairParametersKey                        // J4
	repairArgumentsString                      // J5
	repairTrailingComma                        // J6
	repairPythonLiteral                        // J7
	repairRawLineBreak                         // J8
	repairSingleQuotes                         // J9
	repairBadEscape                            // J10
	repairTypeMember                           // J18
	repairFunctionWrapper                      // J19
	repairBareCall                             // T14
	repairMissingBracket                       // J20
	repairSurplusBracket                       // J21
)

var repairs = []scan.Repair{
	repairMarkerCase:      {Name: "marker_case", Level: scan.Safe, Doc: "a tag in another case"},
	repairMarkerSpacing:   {Name: "marker_spacing", Level: scan.Safe, Doc: "a tag without its underscore, or with blanks inside"},
	repairMissingBlockEnd: {Name: scan.RepairMissingBlockEnd, Level: scan.Safe, Doc: "a request without its end tag"},
	repairFencedBody:      {Name: "fenced_body", Level: scan.Safe, Doc: "a Markdown fence around the JSON"},
	repairSeveralCalls:    {Name: "several_calls", Level: scan.Safe, Doc: "several calls in one tag"},
	repairKeyCase:         {Name: "key_case", Level: scan.Safe, Doc: "name, arguments or id in another case"},
	repairParametersKey:   {Name: "parameters_key", Level: scan.Safe, Doc: "parameters in place of arguments"},
	repairArgumentsString: {Name: "arguments_string", Level: scan.Safe, Doc: "arguments as a string that contains JSON"},
	repairTrailingComma:   {Name: "trailing_comma", Level: scan.Safe, Doc: "a comma after the last member or element"},
	repairPythonLiteral:   {Name: "python_literal", Level: scan.Safe, Doc: "True, False or None"},
	repairRawLineBreak:    {Name: "raw_line_break", Level: scan.Safe, Doc: "a raw line break or control character in a string"},
	repairSingleQuotes:    {Name: "single_quotes", Level: scan.Greedy, Doc: "strings in single quotes"},
	repairBadEscape:       {Name: "bad_escape", Level: scan.Greedy, Doc: "a backslash that begins no escape"},
	repairTypeMember:      {Name: "type_member", Level: scan.Safe, Doc: "\"type\": \"function\" in a call"},
	repairFunctionWrapper: {Name: "function_wrapper", Level: scan.Safe, Doc: "a call as the member \"function\" of an object"},
	repairBareCall:        {Name: "bare_call", Level: scan.Greedy, Bare: true, Doc: "a reply of nothing but calls without tags"},
	repairMissingBracket:  {Name: "missing_bracket", Level: scan.Greedy, Doc: "a call without its last bracket"},
	repairSurplusBracket:  {Name: "surplus_bracket", Level: scan.Greedy, Doc: "one bracket too many after a call"},
}
