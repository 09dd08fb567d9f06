package markdown

import (
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// kindPiece is the kind of a node: a piece of a reply that is not Markdown.
var kindPiece = ast.NewNodeKind("VCPPiece")

// pieceNode is a piece of a reply in the tree: a card, reasoning, a dropped part, or text that is
// not read as Markdown.
type pieceNode struct {
	ast.BaseBlock
	piece piece
}

// Kind implements ast.Node.
func (*pieceNode) Kind() ast.NodeKind { return kindPiece }

// Dump implements ast.Node.
func (n *pieceNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// nodeRenderer renders the nodes that goldmark's own renderer does not know, or renders in an
// unsafe way.
type nodeRenderer struct{ o *Options }

// RegisterFuncs implements renderer.NodeRenderer.
func (r *nodeRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(kindPiece, r.piece)
	reg.Register(kindPlainParagraph, r.plainParagraph)
	reg.Register(ast.KindHTMLBlock, r.htmlBlock)
	reg.Register(ast.KindRawHTML, r.rawHTML)
	reg.Register(ast.KindLink, r.link)
	reg.Register(ast.KindAutoLink, r.autoLink)
	reg.Register(ast.KindImage, r.image)
}

func (r *nodeRenderer) piece(b util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		w := writer{o: r.o}
		p := &n.(*pieceNode).piece
		w.piece(p, source[p.span.Start:p.span.End])
		_, _ = b.Write(w.out)
	}
	return ast.WalkSkipChildren, nil
}

// piece writes a piece that is not Markdown. text is its span in the reply.
func (w *writer) piece(p *piece, text []byte) {
	switch p.kind {
	case pieceReasoning:
		w.reasoning(string(text))
	case pieceDropped:
		w.card(noticeCard(statusDropped, w.o.Label("The model invented a result. It was dropped, with everything after it.")))
	case pieceRequest, pieceNotice:
		w.card(p.card)
	case pieceText:
		w.plain(text)
	}
}

// plain writes text that is not read as Markdown.
func (w *writer) plain(text []byte) {
	w.raw("<pre>")
	w.text(string(text), w.o.MaxBytes)
	w.raw("</pre>\n")
}

func (w *writer) reasoning(text string) {
	w.folded("vcp-reasoning", "Reasoning", strings.TrimSpace(text))
}

func (r *nodeRenderer) plainParagraph(b util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = b.WriteString("<p>")
	} else {
		_, _ = b.WriteString("</p>\n")
	}
	return ast.WalkContinue, nil
}

// htmlBlock shows HTML as text.
func (r *nodeRenderer) htmlBlock(
	b util.BufWriter, source []byte, node ast.Node, entering bool,
) (ast.WalkStatus, error) {
	n := node.(*ast.HTMLBlock)
	if entering {
		_, _ = b.WriteString("<pre>")
		lines := n.Lines()
		for i := range lines.Len() {
			line := lines.At(i)
			r.escaped(b, line.Value(source))
		}
		return ast.WalkContinue, nil
	}
	if n.HasClosure() {
		r.escaped(b, n.ClosureLine.Value(source))
	}
	_, _ = b.WriteString("</pre>\n")
	return ast.WalkContinue, nil
}

// rawHTML shows HTML as text.
func (r *nodeRenderer) rawHTML(b util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		segments := node.(*ast.RawHTML).Segments
		for i := range segments.Len() {
			segment := segments.At(i)
			r.escaped(b, segment.Value(source))
		}
	}
	return ast.WalkSkipChildren, nil
}

func (r *nodeRenderer) escaped(b util.BufWriter, text []byte) {
	_, _ = b.WriteString(html.EscapeString(strings.ToValidUTF8(string(text), "\ufffd")))
}

// link renders a link with the host that it leads to. An address that may not be a link is rendered
// as text.
func (r *nodeRenderer) link(b util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.Link)
	if entering {
		r.open(b, n, n.Destination)
	} else {
		r.close(b, n, n.Destination)
	}
	return ast.WalkContinue, nil
}

// autoLink renders an address in text.
func (r *nodeRenderer) autoLink(b util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.AutoLink)
	destination := n.URL(source)
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(string(destination)), "mailto:") {
		destination = append([]byte("mailto:"), destination...)
	}
	linked := r.open(b, n, destination)
	r.escaped(b, n.Label(source))
	if linked {
		r.close(b, n, destination)
	}
	return ast.WalkContinue, nil
}

// image renders an image that may be loaded. Any other image becomes a link, or text if its address
// may not be a link.
func (r *nodeRenderer) image(b util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.Image)
	if a, ok := r.o.imageFrom(n.Destination); ok {
		if entering {
			_, _ = b.WriteString(`<img src="` + html.EscapeString(a.href) + `" alt="`)
			r.escaped(b, altText(n, source))
			_, _ = b.WriteString(`" loading="lazy" referrerpolicy="no-referrer">`)
		}
		return ast.WalkSkipChildren, nil
	}
	if entering {
		r.open(b, n, n.Destination)
		_, _ = b.WriteString(html.EscapeString(r.o.Label("Image")) + ": ")
	} else {
		r.close(b, n, n.Destination)
	}
	return ast.WalkContinue, nil
}

// linkOf returns the address of the node n, and whether it may become a link.
func (r *nodeRenderer) linkOf(n ast.Node, destination []byte) (address, bool) {
	a, ok := r.o.linkTo(destination)
	return a, ok && !insideLink(n)
}

// open begins a link if the address may become one, and reports whether it may.
func (r *nodeRenderer) open(b util.BufWriter, n ast.Node, destination []byte) bool {
	a, ok := r.linkOf(n, destination)
	if ok {
		_, _ = b.WriteString(`<a href="` + html.EscapeString(a.href) + `" rel="nofollow noopener noreferrer" target="_blank">`)
	}
	return ok
}

// close ends the link if open has begun one, and shows the address.
func (r *nodeRenderer) close(b util.BufWriter, n ast.Node, destination []byte) {
	shown := string(util.URLEscape(destination, true))
	if a, ok := r.linkOf(n, destination); ok {
		_, _ = b.WriteString("</a>")
		shown = a.shown
	}
	w := writer{o: r.o}
	w.raw(` <span class="vcp-host">(`)
	w.text(shown, maxName)
	w.raw(`)</span>`)
	_, _ = b.Write(w.out)
}

// insideLink reports whether a node is part of a link or of an image. HTML allows no link within a
// link.
func insideLink(n ast.Node) bool {
	for p := n.Parent(); p != nil; p = p.Parent() {
		if p.Kind() == ast.KindLink || p.Kind() == ast.KindImage {
			return true
		}
	}
	return false
}

// altText returns the text of an image without its markup.
func altText(n ast.Node, source []byte) []byte {
	var out []byte
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			switch t := c.(type) {
			case *ast.Text:
				out = append(out, t.Segment.Value(source)...)
			case *ast.String:
				out = append(out, t.Value...)
			}
		}
		return ast.WalkContinue, nil
	})
	return out
}
