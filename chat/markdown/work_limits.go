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
)

// The work and the output of goldmark can grow with the square of a text that a model was told to
// write. These limits make them grow with the text. Nobody reaches them who writes for people.
const (
	maxNesting      = 64  // block quotes and lists that begin in one line
	maxBrackets     = 256 // brackets of links in one block
	maxEmphasis     = 512 // runs of emphasis in one block
	maxColumns      = 64  // of a table
	maxAddressBytes = 2048
	maxAddresses    = 256 << 10 // of all links in a text, in bytes
	maxDefinitions  = 64        // lines of a paragraph that defines addresses
)

// limits is an extension that keeps these limits, except that of nesting.
type limits struct{}

// Extend implements goldmark.Extender.
func (limits) Extend(m goldmark.Markdown) {
	m.Parser().AddOptions(
		parser.WithInlineParsers(
			util.Prioritized(&inlineLimit{trigger: []byte("[]!"), key: parser.NewContextKey(), max: maxBrackets}, 1),
			util.Prioritized(&inlineLimit{trigger: []byte("*_~"), key: parser.NewContextKey(), max: maxEmphasis}, 1),
		),
		parser.WithASTTransformers(util.Prioritized(addressLimit{}, 1000)),
	)
}

// inlineLimit takes the marks of a block as text after the first max of them.
type inlineLimit struct {
	trigger []byte
	key     parser.ContextKey
	max     int
}

// marks counts the marks of a block.
type marks struct {
	block ast.Node
	n     int
}

// Trigger implements parser.InlineParser.
func (l *inlineLimit) Trigger() []byte { return l.trigger }

// Parse implements parser.InlineParser.
func (l *inlineLimit) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	m, _ := pc.Get(l.key).(*marks)
	if m == nil {
		m = &marks{}
		pc.Set(l.key, m)
	}
	if m.block != parent {
		*m = marks{block: parent}
	}
	if m.n++; m.n <= l.max {
		return nil
	}
	_, segment := block.PeekLine()
	block.Advance(1)
	return ast.NewTextSegment(segment.WithStop(segment.Start + 1))
}

// addressLimit removes addresses that are long, or too many together. A link repeats the address of
// its definition.
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

// newParser returns goldmark's parser with limits for definitions of addresses.
func newParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithParagraphTransformers(util.Prioritized(definitionLimit{parser.LinkReferenceParagraphTransformer}, 100)),
	)
}

// definitionLimit reads definitions of addresses unless a paragraph has too many lines.
type definitionLimit struct{ parser.ParagraphTransformer }

// Transform implements parser.ParagraphTransformer.
func (t definitionLimit) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	if node.Lines().Len() <= maxDefinitions {
		t.ParagraphTransformer.Transform(node, reader, pc)
	}
}

// tables is the table extension of goldmark for tables of few columns. goldmark completes short
// rows, so the cells of a table could be as many as the square of its text.
type tables struct{}

// Extend implements goldmark.Extender.
func (tables) Extend(m goldmark.Markdown) {
	m.Parser().AddOptions(
		parser.WithParagraphTransformers(util.Prioritized(tableLimit{extension.NewTableParagraphTransformer()}, 200)),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
	)
	align := extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)
	m.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(extension.NewTableHTMLRenderer(align), 500)))
}

// tableLimit transforms a paragraph into a table unless a line of it has too many columns.
type tableLimit struct{ parser.ParagraphTransformer }

// Transform implements parser.ParagraphTransformer.
func (t tableLimit) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines := node.Lines()
	for i := range lines.Len() {
		line := lines.At(i)
		if bytes.Count(line.Value(reader.Source()), []byte{'|'}) > maxColumns {
			return
		}
	}
	t.ParagraphTransformer.Transform(node, reader, pc)
}

// tooDeep reports whether a line of the text begins more than maxNesting block quotes and lists.
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
