package markdown

import (
	"bytes"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The work and the output of goldmark can grow with the square of the length of a hostile text.
// With these limits they are in proportion to the length. Ordinary text does not reach the limits.
const (
	maxNesting      = 64        // block quotes and lists that begin in one line
	maxBrackets     = 256       // brackets of links in one block
	maxEmphasis     = 512       // runs of emphasis in one block
	maxColumns      = 64        // columns of a table
	maxAddedCells   = 1024      // cells that the short rows of a table lack
	maxAddressBytes = 2048      // of one address
	maxAddresses    = 256 << 10 // bytes of the addresses of all links in a text
	maxDefinitions  = 64        // lines of a paragraph that begins with the definition of an address
)

// limits is an extension that enforces these limits except maxNesting, which Options.isPlain checks
// before the text is parsed.
type limits struct{}

// Extend implements goldmark.Extender.
func (limits) Extend(m goldmark.Markdown) {
	// Parsers and transformers run in ascending order of their priorities. The limits run before
	// goldmark's own, which begin at 100; addressLimit runs after them.
	m.Parser().AddOptions(
		parser.WithInlineParsers(
			util.Prioritized(&inlineLimit{trigger: []byte("[]!"), key: parser.NewContextKey(), max: maxBrackets}, 1),
			util.Prioritized(&inlineLimit{trigger: []byte("*_~"), key: parser.NewContextKey(), max: maxEmphasis}, 1),
			util.Prioritized(&codeSpanLimit{key: parser.NewContextKey()}, 1),
		),
		parser.WithParagraphTransformers(util.Prioritized(paragraphLimit{}, 1)),
		parser.WithASTTransformers(util.Prioritized(addressLimit{}, 1000)),
	)
}

// inlineLimit counts the characters of trigger in a block, and reads those after the first max as
// text. Characters that goldmark reads together, such as "**", count once.
type inlineLimit struct {
	trigger []byte
	key     parser.ContextKey
	max     int
}

// triggerCount is how many characters of an inlineLimit's trigger a block has so far.
type triggerCount struct {
	block ast.Node
	n     int
}

// Trigger implements parser.InlineParser.
func (l *inlineLimit) Trigger() []byte { return l.trigger }

// Parse implements parser.InlineParser.
func (l *inlineLimit) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	count, _ := pc.Get(l.key).(*triggerCount)
	if count == nil {
		count = &triggerCount{}
		pc.Set(l.key, count)
	}
	if count.block != parent {
		*count = triggerCount{block: parent}
	}
	if count.n++; count.n <= l.max {
		return nil // goldmark's own parser reads the character
	}
	_, segment := block.PeekLine()
	block.Advance(1)
	return ast.NewTextSegment(segment.WithStop(segment.Start + 1))
}

// addressLimit removes addresses that are longer than maxAddressBytes, and those after the first
// maxAddresses bytes of all addresses. Few definitions can cause many bytes, because each link
// repeats the address and the title of its definition. addressLimit removes all titles, because
// nodeRenderer shows none.
type addressLimit struct{}

// Transform implements parser.ASTTransformer.
func (addressLimit) Transform(doc *ast.Document, _ text.Reader, _ parser.Context) {
	total := 0
	limit := func(destination *[]byte) {
		if total += len(*destination); len(*destination) > maxAddressBytes || total > maxAddresses {
			*destination = nil
		}
	}
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			switch n := n.(type) {
			case *ast.Link:
				limit(&n.Destination)
				n.Title = nil
			case *ast.Image:
				limit(&n.Destination)
				n.Title = nil
			}
		}
		return ast.WalkContinue, nil
	})
}

// paragraphLimit keeps goldmark from reading many definitions of addresses in one paragraph, and
// from reading a table of many columns or many short rows. goldmark completes short rows, so the
// number of cells could grow with the square of the length of the text.
type paragraphLimit struct{}

// Transform implements parser.ParagraphTransformer.
func (paragraphLimit) Transform(p *ast.Paragraph, reader text.Reader, _ parser.Context) {
	lines := p.Lines()
	if !mayHaveManyDefinitions(lines, reader.Source()) && !isHugeTable(lines, reader.Source()) {
		return
	}
	plain := &plainParagraph{}
	plain.SetLines(lines)
	p.Parent().ReplaceChild(p.Parent(), p, plain)
}

// mayHaveManyDefinitions reports whether a paragraph may begin with more than maxDefinitions
// definitions of addresses. goldmark reads definitions only at the beginning.
func mayHaveManyDefinitions(lines *text.Segments, source []byte) bool {
	if lines.Len() <= maxDefinitions {
		return false
	}
	first := lines.At(0)
	return bytes.HasPrefix(bytes.TrimSpace(first.Value(source)), []byte{'['})
}

// isHugeTable reports whether a paragraph, read as a table, may exceed maxColumns or maxAddedCells.
func isHugeTable(lines *text.Segments, source []byte) bool {
	columns, cells := 0, 0
	for i := range lines.Len() {
		line := lines.At(i)
		n := bytes.Count(line.Value(source), []byte{'|'})
		columns, cells = max(columns, n), cells+n
	}
	return columns > maxColumns || columns*lines.Len()-cells > maxAddedCells
}

// kindPlainParagraph is the kind of a paragraph that is neither definitions nor a table.
var kindPlainParagraph = ast.NewNodeKind("VCPPlainParagraph")

type plainParagraph struct{ ast.BaseBlock }

// Kind implements ast.Node.
func (*plainParagraph) Kind() ast.NodeKind { return kindPlainParagraph }

// Dump implements ast.Node.
func (n *plainParagraph) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// tooDeep reports whether a line begins more than maxNesting block quotes and lists.
func tooDeep(source []byte) bool {
	for line := range bytes.Lines(source) {
		if len(line) > maxNesting && nesting(line) > maxNesting {
			return true
		}
	}
	return false
}

// nesting counts what looks like the beginning of a block quote or of a list at the start of a
// line.
func nesting(line []byte) (n int) {
	for _, c := range line {
		switch {
		case c == '>' || c == '-' || c == '+' || c == '*' || c == '.' || c == ')':
			n++
		case c == ' ' || c == '\t' || '0' <= c && c <= '9':
		default:
			return n
		}
		if n > maxNesting {
			return n
		}
	}
	return n
}
