package parser_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// In these tests goldmark, an implementation of CommonMark, decides where fenced code is. A request
// that is alone on its lines is quoted if goldmark has fenced code there, or if its line begins
// with > (C10), and otherwise ready.
//
// The dialect differs from CommonMark on purpose for fenced code in a list item: it ends only at
// its closing line (C5). So the generators keep the item's indent until that line, or nothing is
// compared after the item's fence. The texts contain no HTML (C5), indented code (C11) or reference
// definitions.

// unixLines turns every line break into "\n", because goldmark reads some blocks differently if
// they end in "\r\n", and does not support a lone "\r".
var unixLines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// fencedAt reports whether goldmark has fenced code at the offset, and whether fenced code in a
// list item is before it.
func fencedAt(input string, at int) (fenced, afterItem bool) {
	source := []byte(unixLines.Replace(input))
	at = len(unixLines.Replace(input[:at]))
	root := goldmark.DefaultParser().Parse(text.NewReader(source))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Kind() != ast.KindFencedCodeBlock {
			return ast.WalkContinue, nil
		}
		contains := false
		for _, s := range n.Lines().Sliced(0, n.Lines().Len()) {
			contains = contains || s.Start <= at && at < s.Stop
		}
		fenced = fenced || contains
		for p := n.Parent(); p != nil; p = p.Parent() {
			afterItem = afterItem || !contains && p.Kind() == ast.KindListItem && n.Pos() < at
		}
		return ast.WalkContinue, nil
	})
	return fenced, afterItem
}

// insertAt returns the text with a request inserted at a line's start, with the prefix before each
// of its lines, and the request's offset.
func insertAt(doc string, at int, prefix, eol string) (input string, start int) {
	var b strings.Builder
	b.WriteString(doc[:at])
	for _, line := range [...]string{"<<<[TOOL_REQUEST]>>>", "tool_name:「始」clock_now「末」", "<<<[END_TOOL_REQUEST]>>>"} {
		b.WriteString(prefix + line + eol)
	}
	b.WriteString(doc[at:])
	return b.String(), at + len(prefix)
}

// checkFences compares goldmark and the parser for a request inserted at a line's start. Without
// compareAfterItems nothing is compared after fenced code in a list item.
func checkFences(t *testing.T, doc string, at int, prefix, eol string, compareAfterItems bool) {
	t.Helper()
	input, start := insertAt(doc, at, prefix, eol)
	fenced, afterItem := fencedAt(input, start)
	if afterItem && !compareAfterItems {
		return
	}
	want := parser.StatusReady
	if fenced || strings.HasPrefix(strings.TrimLeft(prefix, " \t"), ">") {
		want = parser.StatusQuoted
	}
	for _, level := range [...]scan.Tolerance{scan.Strict, scan.Safe} {
		reply := parse(t, vcp.Protocol{}, input, parser.Options{Tolerance: level, Finish: protocol.FinishStop})
		if len(reply.Requests) != 1 {
			t.Fatalf("%d requests were read, want one: %q", len(reply.Requests), input)
		}
		if got := reply.Requests[0].Status; got != want {
			t.Fatalf("at level %v the request is %s, want %s (goldmark has fenced code there: %v)\ninput: %q\n%s",
				level, got, want, fenced, input, input)
		}
	}
}

// lineStarts returns the offset of each line, and the text's end if a line break is there.
func lineStarts(doc string) []int {
	starts := []int{0}
	for i := range len(doc) {
		if doc[i] == '\n' || doc[i] == '\r' && !strings.HasPrefix(doc[i+1:], "\n") {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// longBlanks are more bytes than the parser examines of a line's beginning.
var longBlanks = strings.Repeat(" ", 100)

// outer are containers in any order, and inner is their content.
var (
	outer = []string{
		"", "", "", "", " ", "  ", "   ", "    ", "      ", "\t", ">", "> ", ">  ", ">\t", ">> ", "> > ",
		"- ", "* ", "+ ", "1. ", "2. ", "10) ", "-   ", "-\t", "  - ", "    - ", "      - ", "- - ",
		"> - ", "- > ", "1. > ", "- 2. ", "  > ", "     > ", "-     ", ">   1. ",
	}
	inner = []string{
		"", "", "", "text", "text", "日本", "```", "```", "```", "```", "````", "`````", "~~~", "~~~~", "```go",
		"``` a`b", "~~~ a`b", "``` \t", "```  x", "``", "~~", "~~~ ~~~", "``` ```", "---", "- - -", "***",
		"* * *", "___", "===", "=", "--", "# head", "####### seven", "#", "`code`", "-", "+", "1.", "text ```",
		"\t```", "    ```", "   ```", "> ```", "- ```", "```\u3000", "```\u00a0", "**bold**", "1.x", "-x",
		"```" + longBlanks, "```" + longBlanks + "x",
	}
)

func drawLines(rnd *rand.Rand, eol string) string {
	var b strings.Builder
	for range 1 + rnd.IntN(9) {
		b.WriteString(outer[rnd.IntN(len(outer))] + inner[rnd.IntN(len(inner))] + eol)
	}
	return b.String()
}

// emptyItem finds a list item without content in another container. At the blank line after it
// goldmark also ends the outer container.
var emptyItem = regexp.MustCompile(`(?m)[ \t>]([-*+]|\d[.)])[ \t]*$`)

// longClosing reports whether the text may have a closing line longer than the examined beginning
// of a line. The parser does not treat it as a closing line, so the fenced code continues.
func longClosing(doc string) bool {
	return strings.Contains(doc, longBlanks+"\n") || strings.Contains(doc, longBlanks+"\r")
}

func TestRequestsAmongAnyLinesAreQuotedIfGoldmarkHasFencedCode(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	compared, draws := 0, longtest.Count(2000, 6000)
	for range draws {
		eol := [...]string{"\n", "\n", "\r\n", "\r"}[rnd.IntN(4)]
		doc := drawLines(rnd, eol)
		if longClosing(doc) || emptyItem.MatchString(unixLines.Replace(doc)) {
			continue
		}
		starts := lineStarts(doc)
		at := starts[rnd.IntN(len(starts))]
		for _, prefix := range [...]string{"", "  ", "   ", "> "} {
			checkFences(t, doc, at, prefix, eol, false)
			compared++
		}
	}
	if compared < draws { // a text that is not skipped has four places
		t.Errorf("only %d places were compared, want at least %d", compared, draws)
	}
}

func TestRequestsAmongAnyLinesDoNotDependOnHowTheReplyIsCut(t *testing.T) {
	rnd := rand.New(rand.NewPCG(15, 16))
	for range longtest.Count(300, 1500) {
		eol := [...]string{"\n", "\r\n", "\r"}[rnd.IntN(3)]
		doc := drawLines(rnd, eol)
		starts := lineStarts(doc)
		input, _ := insertAt(doc, starts[rnd.IntN(len(starts))], outer[rnd.IntN(len(outer))], eol)
		o := drawOptions(rnd)
		checkChunks(t, vcp.Protocol{}, input, o, allCuts(input), someCuts(rnd, input))
		checkConservation(t, vcp.Protocol{}, input, o)
	}
}

// row is a line of a text with correct containers. prefix is the start of another line in the same
// container.
type row struct{ prefix, line string }

// markdownWriter writes texts as models do: nested lists, quotations and fenced code, with correct
// indents.
type markdownWriter struct {
	rnd    *rand.Rand
	rows   []row
	listed bool // a list was written, so blanks before a fence could put the fence into a list item
}

func (w *markdownWriter) pick(from ...string) string { return from[w.rnd.IntN(len(from))] }

func (w *markdownWriter) add(first, prefix, line string) {
	w.rows = append(w.rows, row{prefix, first + line})
}

// write writes some paragraphs, fences and further containers into a container. The container's
// first line begins with first, and its other lines begin with prefix. depth is how deep further
// containers may be nested in it.
func (w *markdownWriter) write(first, prefix string, depth int) {
	for n := range 1 + w.rnd.IntN(3) {
		if n > 0 {
			first = prefix
			if w.rnd.IntN(2) == 0 {
				w.add("", prefix, strings.TrimRight(prefix, " "))
			}
		}
		switch kind := w.rnd.IntN(8); {
		case kind < 3:
			w.fenced(first, prefix)
		case kind == 3 && depth > 0:
			w.write(first+"> ", prefix+"> ", depth-1)
		case kind < 6 && depth > 0:
			mark := w.pick("- ", "* ", "1. ", "1) ", "-   ", "1.  ")
			w.listed = true
			for range 1 + w.rnd.IntN(2) {
				w.write(first+mark, prefix+strings.Repeat(" ", len(mark)), depth-1)
				first = prefix
			}
		case kind == 6:
			w.add(first, prefix, w.pick("# 标题", "___", "**Note:** text", "a `code` span"))
		default:
			w.add(first, prefix, w.pick("Let me look.", "先看一下", "text ```", "``a```"))
			if w.rnd.IntN(2) == 0 {
				w.add(prefix, prefix, w.pick("and on", "2. two", "    deep", "1.x", "==", "  #"))
			}
		}
	}
}

func (w *markdownWriter) fenced(first, prefix string) {
	mark := w.pick("```", "````", "~~~")
	blanks := ""
	if !w.listed {
		blanks = w.pick("", "", " ", "   ")
	}
	w.add(first, prefix, blanks+mark+w.pick("", "", "go", " text x", "tool_request"))
	for range w.rnd.IntN(5) {
		w.add(prefix, prefix, w.pick(
			"", "x := 1", "```x", "``", "> ```", "> ~~~", "- ```", "1. ~~~", "\t\t```", "    ~~~", "~~", "~~~ x",
			"# h", "<think>", "- a", "> q", "``` ```", "\u3000```",
		))
	}
	w.add(prefix, prefix, w.pick("", "", " ", "   ")+mark+w.pick("", "", "  ", "\t", mark[:1]))
}

func TestRequestsInNestedContainersAreQuotedIfGoldmarkHasFencedCode(t *testing.T) {
	rnd := rand.New(rand.NewPCG(13, 14))
	for range longtest.Count(60, 500) {
		w := markdownWriter{rnd: rnd}
		for range 1 + rnd.IntN(3) {
			w.write("", "", 3)
			w.add("", "", "")
		}
		eol := [...]string{"\n", "\r\n"}[rnd.IntN(2)]
		doc := ""
		for i, r := range w.rows {
			if i > 0 {
				checkFences(t, doc, len(doc), w.rows[i-1].prefix, eol, true)
			}
			checkFences(t, doc, len(doc), r.prefix, eol, true)
			doc += r.line + eol
		}
	}
}

func TestRequestsInCollectedRepliesAreQuotedIfGoldmarkHasFencedCode(t *testing.T) {
	files, err := filepath.Glob("testdata/replies/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no file matches testdata/replies/*.md (%v)", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, eol := range [...]string{"\n", "\r\n"} {
				doc := strings.ReplaceAll(string(content), "\n", eol)
				for _, at := range lineStarts(doc) {
					// A request has the indent of the text after it, so that fenced code in list
					// items does not end early.
					next := strings.TrimLeft(doc[at:], "\r\n")
					checkFences(t, doc, at, next[:len(next)-len(strings.TrimLeft(next, " >"))], eol, true)
				}
			}
		})
	}
}
