// Package qwencoder implements the form of tool calling that Qwen3-Coder, Qwen 3.5 and later, and
// Nemotron 3 are trained on: tags around raw text,
//
//	<tool_call>
//	<function=clock_now>
//	<parameter=timezone>
//	Asia/Shanghai
//	</parameter>
//	</function>
//	</tool_call>
//
// with definitions in <tools> and results in <tool_response>. docs/qwencoder.md defines the result
// for every input, damaged input included. Comments here cite its rows, and call <tool_call> START
// and </tool_call> END, as that page does.
package qwencoder

import (
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/internal/tags"
	"github.com/vcpgo/vcp/protocol/scan"
)

// Protocol is the Qwen-Coder form. It implements protocol.Protocol and protocol.Reader; the zero
// value is ready to use and safe for concurrent use.
type Protocol struct{}

var (
	_ protocol.Protocol        = Protocol{}
	_ protocol.Reader          = Protocol{}
	_ protocol.ResultNoter     = Protocol{}
	_ protocol.Diagnoser       = Protocol{}
	_ protocol.Restorer        = Protocol{}
	_ protocol.Stopper         = Protocol{}
	_ protocol.Fencer          = Protocol{}
	_ protocol.ArgumentCarrier = Protocol{}
)

const protocolID = "qwencoder"

// ID returns "qwencoder".
func (Protocol) ID() string { return protocolID }

// Repairs returns the repairs of the protocol.
func (Protocol) Repairs() []scan.Repair { return repairs }

// StopSequences returns the start tag of a result.
func (Protocol) StopSequences() []string { return []string{tags.ResponseStart} }

// FenceInfo returns the info strings of fenced code whose calls are meant to run (C6).
func (Protocol) FenceInfo() []string { return []string{"tool_call", protocolID} }

// Indexes of the repairs, with their rows of docs/qwencoder.md. The first two are those of
// package tags, 0 and 1. iota continues them.
const (
	repairMarkerCase         = tags.RepairCase    // Q1
	repairMarkerSpacing      = tags.RepairSpacing // Q2
	repairTagAttributes      = iota               // Q3
	repairMissingBlockStart                       // Q7, Q8
	repairMissingBlockEnd                         // Q8, Q9, Q10, P9
	repairMissingFunctionEnd                      // Q11, P9
	repairSeveralCalls                            // Q12
	repairUnclosedValue                           // P9
	repairMissingValueEnd                         // P8
)

var repairs = []scan.Repair{
	repairMarkerCase:         {Name: "marker_case", Level: scan.Safe, Doc: "a tag in another case"},
	repairMarkerSpacing:      {Name: "marker_spacing", Level: scan.Safe, Doc: "a tag without its underscore, or with blanks inside"},
	repairTagAttributes:      {Name: "tag_attributes", Level: scan.Safe, Doc: "a name in quotation marks, as an attribute, or with a type after it"},
	repairMissingBlockStart:  {Name: "missing_block_start", Level: scan.Safe, Doc: "a request without its <tool_call>"},
	repairMissingBlockEnd:    {Name: scan.RepairMissingBlockEnd, Level: scan.Safe, Doc: "a request without its </tool_call>"},
	repairMissingFunctionEnd: {Name: "missing_function_end", Level: scan.Safe, Doc: "a request without its </function>"},
	repairSeveralCalls:       {Name: "several_calls", Level: scan.Safe, Doc: "several functions in one <tool_call>"},
	repairUnclosedValue:      {Name: scan.RepairUnclosedValue, Level: scan.Safe, Doc: "a last value without its </parameter>"},
	repairMissingValueEnd:    {Name: "missing_value_end", Level: scan.Greedy, Doc: "a value without its </parameter> before the next parameter"},
}
