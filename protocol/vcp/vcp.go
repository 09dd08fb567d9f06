// Package vcp implements the VCP marker protocol: requests that a model writes into its plain reply
// as
//
//	<<<[TOOL_REQUEST]>>>
//	tool_name:「始」clock_now「末」,
//	timezone:「始」Asia/Shanghai「末」
//	<<<[END_TOOL_REQUEST]>>>
//
// docs/dialect.md defines the result for every input, damaged input included. Comments here cite
// its rows, such as B12.
//
// A marker is a mark in angle brackets, such as the first line above. An edge is the opener 「始」
// or the closer 「末」 of a value, in any spelling. Filler is what is between the fields of a
// block. An anchor is a short piece of text by which the scanner finds markers and edges.
package vcp

import (
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// Protocol is the VCP dialect. It implements protocol.Protocol and protocol.Reader; the zero value
// is ready to use and safe for concurrent use.
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

const protocolID = "vcp"

// ID returns "vcp".
func (Protocol) ID() string { return protocolID }

// Repairs returns the repairs of the dialect.
func (Protocol) Repairs() []scan.Repair { return repairs }

// StopSequences returns the start marker of a result.
func (Protocol) StopSequences() []string { return []string{resultStart} }

var fenceInfo = []string{"tool_request", "vcp", "VCPToolCall"}

// FenceInfo returns the info strings of fenced code that contains requests (C6).
func (Protocol) FenceInfo() []string { return fenceInfo }

// Neutralize adds _ESCAPE to every marker and every opener (docs/dialect.md, section 7). If the
// text could form a mark together with the text before or after it, a line break separates them: no
// mark contains a line break.
func (Protocol) Neutralize(text string) string {
	text = neutralize(text)
	if mayBeginMark(text) {
		text += "\n"
	}
	if mayEndMark(text) {
		text = "\n" + text
	}
	return text
}

// Restore removes one _ESCAPE from every marker and opener that has one.
func (Protocol) Restore(text string) string { return restore(text) }
