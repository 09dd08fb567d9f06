package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// codeSpanLimit reads backticks that begin no code span as text. goldmark would search the rest of
// the block for their closing backticks, which many runs of backticks can lack. The search that
// codeSpanLimit makes once for each block finds the same closing backticks.
type codeSpanLimit struct{ key parser.ContextKey }

// backtickRuns are the runs of backticks in a block.
type backtickRuns struct {
	block ast.Node
	last  map[int]int // the offset of the last run of each length
}

// Trigger implements parser.InlineParser.
func (*codeSpanLimit) Trigger() []byte { return []byte{'`'} }

// Parse implements parser.InlineParser.
func (l *codeSpanLimit) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	runs, _ := pc.Get(l.key).(*backtickRuns)
	if runs == nil || runs.block != parent {
		runs = &backtickRuns{block: parent, last: lastRuns(block)}
		pc.Set(l.key, runs)
	}
	line, segment := block.PeekLine()
	length := runLength(line)
	if runs.last[length] > segment.Stop-len(line) {
		return nil // goldmark's own parser reads the code span
	}
	block.Advance(length)
	return ast.NewTextSegment(segment.WithStop(segment.Start + length))
}

// lastRuns returns the offset of the last run of backticks of each length, from the position of the
// reader on. Like goldmark, it ends a run at the end of a line.
func lastRuns(block text.Reader) map[int]int {
	number, position := block.Position()
	defer block.SetPosition(number, position)
	last := map[int]int{}
	for line, segment := block.PeekLine(); line != nil; line, segment = block.PeekLine() {
		for i := 0; i < len(line); i++ {
			if n := runLength(line[i:]); n > 0 {
				last[n] = segment.Stop - len(line) + i
				i += n
			}
		}
		block.AdvanceLine()
	}
	return last
}

// runLength returns how many backticks a text begins with.
func runLength(text []byte) (n int) {
	for n < len(text) && text[n] == '`' {
		n++
	}
	return n
}
