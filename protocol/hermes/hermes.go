// Package hermes implements the form of tool calling that the Hermes and Qwen families of models are trained on: a JSON object between tags,
//
//	<tool_call>
//	{"name": "clock_now", "arguments": {"timezone": "Asia/Shanghai"}}
//	</tool_call>
//
// with definitions in <tools> and results in <tool_response>. What every input yields, damaged input included, is written down in
// docs/hermes.md; comments here cite its rows.
package hermes

import "github.com/vcpgo/vcp/protocol"

// Protocol is the Hermes form. It implements protocol.Protocol and protocol.Reader; the zero value is ready to use and safe for
// concurrent use.
type Protocol struct{}

var (
	_ protocol.Protocol = Protocol{}
	_ protocol.Reader   = Protocol{}
	_ protocol.Stopper  = Protocol{}
	_ protocol.Fencer   = Protocol{}

	_ protocol.ArgumentCarrier = Protocol{}
)

const protocolID = "hermes"

// ID returns "hermes".
func (Protocol) ID() string { return protocolID }

// Repairs returns the tolerances of the protocol.
func (Protocol) Repairs() []protocol.Repair { return repairs }

// StopSequences returns the tag with which a result begins.
func (Protocol) StopSequences() []string { return []string{responseStart} }

var fenceInfo = []string{"tool_call", "hermes"}

// FenceInfo returns the info strings of fenced code that holds calls (C6).
func (Protocol) FenceInfo() []string { return fenceInfo }
