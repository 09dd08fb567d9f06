// Package hermes implements the form of tool calling that the Hermes and Qwen families of models
// are trained on: a JSON object between tags,
//
//	<tool_call>
//	{"name": "clock_now", "arguments": {"timezone": "Asia/Shanghai"}}
//	</tool_call>
//
// with definitions in <tools> and results in <tool_response>. docs/hermes.md defines the result for
// every input, damaged input included. Comments here cite its rows.
package hermes

import (
	"bytes"
	"strings"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/internal/tags"
	"github.com/vcpgo/vcp/protocol/scan"
)

// Protocol is the Hermes form. It implements protocol.Protocol and protocol.Reader; the zero value
// is ready to use and safe for concurrent use.
type Protocol struct{}

var (
	_ protocol.Protocol        = Protocol{}
	_ protocol.Reader          = Protocol{}
	_ protocol.Diagnoser       = Protocol{}
	_ protocol.Stopper         = Protocol{}
	_ protocol.Fencer          = Protocol{}
	_ protocol.ArgumentCarrier = Protocol{}
)

const protocolID = "hermes"

// ID returns "hermes".
func (Protocol) ID() string { return protocolID }

// Repairs returns the repairs of the protocol.
func (Protocol) Repairs() []scan.Repair { return repairs }

// StopSequences returns the start tag of a result.
func (Protocol) StopSequences() []string { return []string{tags.ResponseStart} }

// Neutralize writes the opening bracket of each tag as an entity. If the text could form a tag
// together with the text before or after it, a line break separates them: a tag contains no line
// break.
func (Protocol) Neutralize(text string) string {
	if strings.IndexByte(text, '<') < 0 && strings.IndexByte(text, '>') < 0 {
		return text
	}
	var b strings.Builder
	src, written, mayBeginTag := []byte(text), 0, false // text[:written] is in b
	if at := bytes.IndexByte(src, '>'); at >= 0 && mayEndTag(text[:at]) {
		b.WriteByte('\n')
	}
	for i := 0; i < len(src); i++ {
		n := bytes.IndexByte(src[i:], '<')
		if n < 0 {
			break
		}
		i += n
		switch _, m := tagAt(src[i:], false); m {
		case scan.MatchYes:
			b.WriteString(text[written:i])
			b.WriteString("&lt;")
			written = i + 1
		case scan.MatchShort:
			mayBeginTag = true
		case scan.MatchNo:
		}
	}
	b.WriteString(text[written:])
	if mayBeginTag {
		b.WriteByte('\n')
	}
	return b.String()
}

var fenceInfo = []string{"tool_call", "hermes"}

// FenceInfo returns the info strings of fenced code whose calls are meant to run (C6).
func (Protocol) FenceInfo() []string { return fenceInfo }
