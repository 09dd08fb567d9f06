package parser

// AccountPart is one part of what became of the input.
type AccountPart struct {
	Kind string
	Span Span
}

// Account returns what became of every byte.
func Account(p *Parser) []AccountPart {
	kinds := map[partKind]string{
		partText: "text", partQuoted: "text", partReasoning: "reasoning", partInner: "inner", partTag: "tag", partRequest: "request",
		partDropped: "dropped",
	}
	parts := make([]AccountPart, len(p.acc.parts))
	for i, part := range p.acc.parts {
		parts[i] = AccountPart{kinds[part.kind], Span{part.start, p.acc.endOf(i)}}
	}
	return parts
}
