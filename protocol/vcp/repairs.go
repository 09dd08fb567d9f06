package vcp

import "github.com/vcpgo/vcp/protocol"

// The names of the repairs. Each can be switched off alone; the rows are those of docs/dialect.md.
const (
	// MarkerCase reads a marker in another case (B1).
	MarkerCase = "marker_case"
	// MarkerBrackets reads a marker with other brackets or another number of them (B2).
	MarkerBrackets = "marker_brackets"
	// MarkerSpacing reads a marker with a blank or hyphen for an underscore, or blanks beside its brackets (B3).
	MarkerSpacing = "marker_spacing"
	// MarkerSlashEnd reads a slash for END_ in an end marker (B4).
	MarkerSlashEnd = "marker_slash_end"
	// MarkerEscaped reads markers whose brackets are escaped as HTML or Markdown (B5).
	MarkerEscaped = "marker_escaped"
	// DoubledStart reads two start markers with nothing between them as one (B8).
	DoubledStart = "doubled_start"
	// MissingBlockEnd ends a block whose end marker is missing (B9, B11).
	MissingBlockEnd = protocol.RepairMissingBlockEnd
	// BareFields reads fields that stand in no block (B12).
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
	UnclosedValue = protocol.RepairUnclosedValue
	// MissingValueEnd closes a value where the next field begins (V11).
	MissingValueEnd = "missing_value_end"
)

// The bits of protocol.Token.Repairs, in the order of the table below.
const (
	bitMarkerCase uint64 = 1 << iota
	bitMarkerBrackets
	bitMarkerSpacing
	bitMarkerSlashEnd
	bitMarkerEscaped
	bitDoubledStart
	bitMissingBlockEnd
	bitBareFields
	bitSeparator
	bitKeyDecoration
	bitKeyCase
	bitValueVariant
	bitHalfCloser
	bitUnclosedValue
	bitMissingValueEnd
)

// Places in the table below.
const (
	repairDoubledStart = 5
	repairKeyCase      = 10
)

var repairs = []protocol.Repair{
	{Name: MarkerCase, Level: protocol.Safe, Doc: "a marker in another case"},
	{Name: MarkerBrackets, Level: protocol.Safe, Doc: "a marker with other brackets or another number of them"},
	{Name: MarkerSpacing, Level: protocol.Safe, Doc: "a marker with a blank or hyphen for an underscore, or blanks beside its brackets"},
	{Name: MarkerSlashEnd, Level: protocol.Safe, Doc: "a slash for END_ in an end marker"},
	{Name: MarkerEscaped, Level: protocol.Greedy, Doc: "markers whose brackets are escaped as HTML or Markdown"},
	{Name: DoubledStart, Level: protocol.Safe, Doc: "two start markers with nothing between them"},
	{Name: MissingBlockEnd, Level: protocol.Safe, Doc: "a block without its end marker"},
	{Name: BareFields, Level: protocol.Greedy, Doc: "fields that stand in no block"},
	{Name: Separator, Level: protocol.Safe, Doc: "another separator than a colon between key and value, or none"},
	{Name: KeyDecoration, Level: protocol.Safe, Doc: "a key in quotes, emphasis or code marks"},
	{Name: KeyCase, Level: protocol.Safe, Doc: "tool_name or command in another case"},
	{Name: ValueVariant, Level: protocol.Safe, Doc: "a value between other brackets, or one marked exp"},
	{Name: HalfCloser, Level: protocol.Greedy, Doc: "half a closer before the next field"},
	{Name: UnclosedValue, Level: protocol.Safe, Doc: "a last value that only the end marker closes"},
	{Name: MissingValueEnd, Level: protocol.Greedy, Doc: "a value without closer before the next field"},
}
