package builtin

import (
	"fmt"
	"slices"
	"strings"
)

const (
	diffContext = 3 // lines before and after a difference
	// The limits of one diff. The diff says how many lines it omits.
	maxDiffLines = 160 // half of them removed lines, half of them added lines
	maxDiffLine  = 300 // characters
	maxDiffBytes = 12 << 10
)

// unifiedDiff returns the difference between two texts as one hunk: from the first line that
// differs to the last one, with diffContext lines before and after. whole reports that no line is
// omitted or truncated.
func unifiedDiff(name, before, after string) (diff string, whole bool) {
	a, b := splitLines(before), splitLines(after)
	start := 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	endA, endB := len(a), len(b)
	for endA > start && endB > start && a[endA-1] == b[endB-1] {
		endA, endB = endA-1, endB-1
	}
	hunkStart, hunkEnd := max(0, start-diffContext), min(len(a), endA+diffContext)
	d := diffWriter{omitted: map[byte]int{}, whole: true}
	fmt.Fprintf(&d.text, "--- %s\n+++ %s\n@@ -%s +%s @@\n", name, name, hunkRange(hunkStart, hunkEnd-hunkStart),
		hunkRange(hunkStart, hunkEnd-endA+endB-hunkStart))
	d.lines(' ', a[hunkStart:start])
	d.lines('-', a[start:endA])
	d.lines('+', b[start:endB])
	d.lines(' ', a[endA:hunkEnd])
	d.flush()
	return d.text.String(), d.whole
}

// hunkRange returns a range for the header of a hunk: n lines, the first at the index from. Lines
// count from 1 there, and an empty range has the number of the line before it.
func hunkRange(from, n int) string {
	if n > 0 {
		from++
	}
	return fmt.Sprintf("%d,%d", from, n)
}

func splitLines(s string) []string {
	lines := make([]string, 0, strings.Count(s, "\n")+1) // appending millions of short lines would copy them often
	return slices.AppendSeq(lines, strings.Lines(s))
}

// diffWriter writes the lines of one hunk.
type diffWriter struct {
	text    strings.Builder
	omitted map[byte]int // lines, by their sign
	whole   bool         // no line was omitted or truncated
}

// lines writes lines with a sign before each, and counts the lines that do not fit. Each sign has a
// limit of its own, so that many removed lines do not hide the added ones. In bytes, removed lines
// end at a third of maxDiffBytes, added lines at two thirds, and context at the whole.
func (d *diffWriter) lines(sign byte, lines []string) {
	for i, line := range lines {
		if i >= maxDiffLines/2 || d.text.Len() > maxDiffBytes*(1+strings.IndexByte("-+ ", sign))/3 {
			d.omitted[sign] += len(lines) - i
			d.whole = false
			return
		}
		content, ended := strings.CutSuffix(line, "\n")
		shown := shorten(content, maxDiffLine)
		d.whole = d.whole && shown == content
		d.text.WriteString(string(sign) + shown + "\n")
		if !ended {
			d.text.WriteString("\\ No newline at end of file\n")
		}
	}
}

// flush writes how many lines of each sign were omitted.
func (d *diffWriter) flush() {
	for _, sign := range []byte("-+ ") {
		if n := d.omitted[sign]; n > 0 {
			fmt.Fprintf(&d.text, "(%s with %q not shown)\n", plural(n, "%d more line"), string(sign))
		}
	}
}
