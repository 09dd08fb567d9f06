package vcp

import "github.com/vcpgo/vcp/protocol/scan"

// The names of the repairs. Each can be switched off alone; the rows are those of docs/dialect.md.
const (
	// MarkerCase reads a marker in another case (B1).
	MarkerCase = "marker_case"
	// MarkerBrackets reads a marker with other brackets or another number of them (B2).
	MarkerBrackets = "marker_brackets"
	// MarkerSpacing reads a marker with a blank or hyphen for an underscore, or blanks next to its
	// brackets (B3).
	MarkerSpacing = "marker_spacing"
	// MarkerSlashEnd reads a slash for END_ in an end marker (B4).
	MarkerSlashEnd = "marker_slash_end"
	// MarkerEscaped reads markers whose brackets are escaped as HTML or Markdown (B5).
	MarkerEscaped = "marker_escaped"
	// DoubledStart reads two start markers with nothing between them as one (B8).
	DoubledStart = "doubled_start"
	// MissingBlockEnd ends a block whose end marker is missing (B9, B11).
	MissingBlockEnd = scan.RepairMissingBlockEnd
	// BareFields reads fields outside of blocks (B12).
	BareFields = "bare_fields"
	// Separator reads another separator than a colon, or none (F2).
	Separator = "separator"
	// KeyDecoration reads a key in quotes, emphasis or code marks (F3).
	KeyDecoration = "key_decoration"
	// KeyCase reads tool_name and command in another case (F4).
	KeyCase = "key_case"
	// ValueVariant reads a value between other brackets, or one marked exp (V5, V6).
	ValueVariant = "value_variant"
	// HalfCloser closes a value at half a closer (V7).
	HalfCloser = "half_closer"
	// UnclosedValue closes the last value at the end marker (V9).
	UnclosedValue = scan.RepairUnclosedValue
	// JSONBody reads a JSON object in place of fields (B18).
	JSONBody = "json_body"
	// LineFields reads lines of a name, a colon and a value in place of fields (B19).
	LineFields = "line_fields"
	// MissingValueEnd closes a value where the next field begins (V11).
	MissingValueEnd = "missing_value_end"
)

// Indexes in the table below.
const (
	repairMarkerCase = iota
	repairMarkerBrackets
	repairMarkerSpacing
	repairMarkerSlashEnd
	repairMarkerEscaped
	repairDoubledStart
	repairMissingBlockEnd
	repairBareFields
	repairSeparator
	repairKeyDecoration
	repairKeyCase
	repairValueVariant
	repairHalfCloser
	repairUnclosedValue
	repairMissingValueEnd
	repairJSONBody
	repairLineFields
)

// The bits of scan.Options.Disabled.
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
	bitLineFields      uint64 = 1 << repairLineFields
)

var repairs = []scan.Repair{
	repairMarkerCase:      {Name: MarkerCase, Level: scan.Safe, Doc: "a marker in another case"},
	repairMarkerBrackets:  {Name: MarkerBrackets, Level: scan.Safe, Doc: "a marker with other brackets or another number of them"},
	repairMarkerSpacing:   {Name: MarkerSpacing, Level: scan.Safe, Doc: "a marker with a blank or hyphen for an underscore, or blanks beside its brackets"},
	repairMarkerSlashEnd:  {Name: MarkerSlashEnd, Level: scan.Safe, Doc: "a slash for END_ in an end marker"},
	repairMarkerEscaped:   {Name: MarkerEscaped, Level: scan.Greedy, Doc: "markers whose brackets are escaped as HTML or Markdown"},
	repairDoubledStart:    {Name: DoubledStart, Level: scan.Safe, Doc: "two start markers with nothing between them"},
	repairMissingBlockEnd: {Name: MissingBlockEnd, Level: scan.Safe, Doc: "a block without its end marker"},
	repairBareFields:      {Name: BareFields, Level: scan.Greedy, Doc: "fields outside of a block"},
	repairSeparator:       {Name: Separator, Level: scan.Safe, Doc: "another separator than a colon between key and value, or none"},
	repairKeyDecoration:   {Name: KeyDecoration, Level: scan.Safe, Doc: "a key in quotes, emphasis or code marks"},
	repairKeyCase:         {Name: KeyCase, Level: scan.Safe, Doc: "tool_name or command in another case"},
	repairValueVariant:    {Name: ValueVariant, Level: scan.Safe, Doc: "a value between other brackets, or one marked exp"},
	repairHalfCloser:      {Name: HalfCloser, Level: scan.Greedy, Doc: "half a closer before the next field"},
	repairUnclosedValue:   {Name: UnclosedValue, Level: scan.Safe, Doc: "a last value that only the end marker closes"},
	repairMissingValueEnd: {Name: MissingValueEnd, Level: scan.Greedy, Doc: "a value without closer before the next field"},
	repairJSONBody:        {Name: JSONBody, Level: scan.Safe, Doc: "a JSON object in place of fields"},
	repairLineFields:      {Name: LineFields, Level: scan.Greedy, Doc: "lines of name: value in place of fields"},
}
