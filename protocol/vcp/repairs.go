package vcp

import "github.com/vcpgo/vcp/protocol/scan"

// Indexes of the repairs, with their rows of docs/dialect.md.
const (
	repairMarkerCase      = iota // B1
	repairMarkerBrackets         // B2
	repairMarkerSpacing          // B3
	repairMarkerSlashEnd         // B4
	repairMarkerEscaped          // B5
	repairDoubledStart           // B8
	repairMissingBlockEnd        // B9, B11
	repairBareFields             // B12
	repairSeparator              // F2
	repairKeyDecoration          // F3
	repairKeyCase                // F4
	repairValueVariant           // V5, V6
	repairHalfCloser             // V7
	repairUnclosedValue          // V9
	repairMissingValueEnd        // V11
	repairJSONBody               // B18
	repairLineFields             // B19
)

// The bits of sets of repairs, such as scan.Options.Disabled.
const (
	bitMarkerCase      uint64 = 1 << repairMarkerCase
	bitMarkerBrackets  uint64 = 1 << repairMarkerBrackets
	bitMarkerSpacing   uint64 = 1 << repairMarkerSpacing
	bitMarkerSlashEnd  uint64 = 1 << repairMarkerSlashEnd
	bitMarkerEscaped   uint64 = 1 << repairMarkerEscaped
	bitDoubledStart    uint64 = 1 << repairDoubledStart
	bitBareFields      uint64 = 1 << repairBareFields
	bitSeparator       uint64 = 1 << repairSeparator
	bitKeyDecoration   uint64 = 1 << repairKeyDecoration
	bitValueVariant    uint64 = 1 << repairValueVariant
	bitHalfCloser      uint64 = 1 << repairHalfCloser
	bitMissingValueEnd uint64 = 1 << repairMissingValueEnd
)

var repairs = []scan.Repair{
	repairMarkerCase:     {Name: "marker_case", Level: scan.Safe, Doc: "a marker in another case"},
	repairMarkerBrackets: {Name: "marker_brackets", Level: scan.Safe, Doc: "a marker with other brackets or another number of them"},
	repairMarkerSpacing: {
		Name: "marker_spacing", Level: scan.Safe,
		Doc: "a marker with a blank or hyphen for an underscore, or blanks beside its brackets",
	},
	repairMarkerSlashEnd:  {Name: "marker_slash_end", Level: scan.Safe, Doc: "a slash for END_ in an end marker"},
	repairMarkerEscaped:   {Name: "marker_escaped", Level: scan.Greedy, Doc: "markers whose brackets are escaped as HTML or Markdown"},
	repairDoubledStart:    {Name: "doubled_start", Level: scan.Safe, Doc: "two start markers with nothing between them"},
	repairMissingBlockEnd: {Name: scan.RepairMissingBlockEnd, Level: scan.Safe, Doc: "a block without its end marker"},
	repairBareFields:      {Name: "bare_fields", Level: scan.Greedy, Doc: "fields outside of a block"},
	repairSeparator:       {Name: "separator", Level: scan.Safe, Doc: "another separator than a colon between key and value, or none"},
	repairKeyDecoration:   {Name: "key_decoration", Level: scan.Safe, Doc: "a key in quotes, emphasis or code marks"},
	repairKeyCase:         {Name: "key_case", Level: scan.Safe, Doc: "tool_name or command in another case"},
	repairValueVariant:    {Name: "value_variant", Level: scan.Safe, Doc: "a value between other brackets, or one marked exp"},
	repairHalfCloser:      {Name: "half_closer", Level: scan.Greedy, Doc: "half a closer before the next field"},
	repairUnclosedValue:   {Name: scan.RepairUnclosedValue, Level: scan.Safe, Doc: "a last value that only the end marker closes"},
	repairMissingValueEnd: {Name: "missing_value_end", Level: scan.Greedy, Doc: "a value without closer before the next field"},
	repairJSONBody:        {Name: "json_body", Level: scan.Safe, Doc: "a JSON object in place of fields"},
	repairLineFields:      {Name: "line_fields", Level: scan.Greedy, Doc: "lines of name: value in place of fields"},
}
