package markdown

import (
	"bytes"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/vcpgo/vcp/internal/work"
	"github.com/vcpgo/vcp/protocol"
)

// Extension returns an extension for goldmark that treats its input as one complete reply of a
// model, in the first of Options.Protocols. The protocol's parser takes requests, reasoning and
// fabricated results out of the reply first, wherever they are. goldmark reads each text between
// them on its own.
//
// Work and output are in proportion to the length of the reply, as in a Renderer, unless another
// extension does more. A text of more than MaxBytes is truncated and rendered as plain text. HTML
// in the reply is rendered as text. goldmark does not remove harmful addresses and elements: pass
// its output through Policy.
func Extension(o Options) (goldmark.Extender, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	return &extender{o: &o}, nil
}

type extender struct {
	o *Options
	// plain is set for text that is not a reply: nothing in it is a request.
	plain bool
}

// Extend implements goldmark.Extender.
func (e *extender) Extend(m goldmark.Markdown) {
	limits{}.Extend(m)
	if !e.plain {
		m.SetParser(&replyParser{Parser: m.Parser(), o: e.o, protocol: e.o.Protocols[0]})
	}
	// goldmark's own renderer has the priority 1000; of two renderers the one with the lower
	// number renders a node.
	m.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(&nodeRenderer{e.o}, 100)))
}

// replyParser parses a reply. The embedded parser gets only the texts between requests.
type replyParser struct {
	parser.Parser
	o        *Options
	protocol protocol.Protocol
}

// Parse implements parser.Parser.
func (p *replyParser) Parse(reader text.Reader, opts ...parser.ParseOption) ast.Node {
	source := reader.Source()
	root := ast.NewDocument()
	pieces, err := read(p.protocol, p.o.Reading, source, protocol.FinishStop)
	if err != nil { // withDefaults had no error with the same options, so the protocol behaves differently now
		folded := piece{kind: pieceReasoning} // the reply is folded, as reasoning is
		folded.span.End = len(source)
		pieces = []piece{{kind: pieceNotice, card: noticeCard("protocol error", err.Error())}, folded}
	}
	lines, counted := 0, 0 // how many lines end before the offset counted
	for _, piece := range pieces {
		if piece.kind != pieceText || p.o.isPlain(source[piece.span.Start:piece.span.End]) {
			root.AppendChild(root, &pieceNode{piece: piece})
			continue
		}
		between := source[counted:piece.span.Start]
		work.Add(len(between))
		lines, counted = lines+bytes.Count(between, []byte{'\n'}), piece.span.Start
		part := p.Parser.Parse(partReader(source[:piece.span.End], piece.span.Start, lines), opts...)
		for n := part.FirstChild(); n != nil; n = part.FirstChild() {
			root.AppendChild(root, n)
		}
	}
	return root
}

// partReader returns a reader of the end of source, from start on. Its positions are those of
// source. lines is how many lines end before start.
func partReader(source []byte, start, lines int) text.Reader {
	r := text.NewReader(source)
	r.SetPosition(lines, text.NewSegment(start, start))
	r.AdvanceLine() // reads the line that begins at start
	return r
}

// extensions returns Extensions, or the default extensions of goldmark.
func (o *Options) extensions() []goldmark.Extender {
	if o.Extensions != nil {
		return o.Extensions
	}
	tables := extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))
	return []goldmark.Extender{tables, extension.Strikethrough, extension.Linkify}
}
