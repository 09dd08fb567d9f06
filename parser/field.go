package parser

import "github.com/vcpgo/vcp/protocol/scan"

// field is one field of a block. Positions are offsets in the stream.
type field struct {
	name               string // set if it differs from what was written, or if what was written is not kept
	value              string // set if what was written is not kept
	nameStart, nameEnd int
	start, end         int // the value as written; end is 0 while it is open
	rule               scan.TextRule
	json               bool // the value is one JSON value
	role               scan.FieldRole
	quiet              bool // it is not reported while it is read
	replaced           []replacement
}

// replacement is a part of a value that other text replaces.
type replacement struct {
	start, end int
	instead    string
}

// streams reports whether the value of f is reported while it is read.
func (f *field) streams() bool { return f.role == scan.FieldArgument && !f.quiet }
