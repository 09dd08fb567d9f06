package parser

import (
	"testing"

	"github.com/vcpgo/vcp/protocol"
)

// InputPart is one part of the input.
type InputPart struct {
	Kind string // text, reasoning, inner (a request in reasoning), tag, request or dropped
	Span Span
}

// InputParts returns the parts of the input, without gaps.
func InputParts(p *Parser) []InputPart {
	kinds := map[partKind]string{
		partText: "text", partQuoted: "text", partReasoning: "reasoning", partInner: "inner", partTag: "tag",
		partRequest: "request", partDropped: "dropped",
	}
	parts := make([]InputPart, len(p.draft.segments.parts))
	for i, part := range p.draft.segments.parts {
		parts[i] = InputPart{kinds[part.kind], Span{part.start, p.draft.segments.endOf(i)}}
	}
	return parts
}

// Examined returns how many bytes the parser and its scanner examined.
func Examined(p *Parser) int {
	return p.w.examined + p.scanner.(interface{ Examined() int }).Examined()
}

// NewWhole returns a parser that has read a whole text, as in ParseToolRequests.
func NewWhole(tb testing.TB, proto protocol.Protocol, text string, o Options) *Parser {
	p := &Parser{}
	p.w.fixed, p.w.atEOF, p.draft.mute = true, true, true
	if err := p.begin(proto, o); err != nil {
		tb.Fatal(err)
	}
	p.w.buf, p.draft.segments.whole, p.reason = []byte(text), text, o.Finish
	p.run()
	return p
}
