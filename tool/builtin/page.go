package builtin

import (
	"context"
	"sort"
	"strings"

	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/tool"
)

// page is a list of lines for a result, or a part of a list that is too long for one result. Each
// part says how to read the next one.
type page struct {
	printer message.Printer
	head    string        // above the lines
	lines   []string      // the lines of this page and of all later ones
	gap     string        // after the lines: "\n" ends a Markdown table
	foot    string        // below the lines and the note
	what    *message.Text // names the lines, as in "Rows"
	first   int           // the number of the first of lines, from 1
	all     int           // number of lines of the whole list
	next    string        // the parameter for the number of the next line, as in "startRow"
}

// text returns the page with as many lines as fit, and the number of these lines. The page has at
// least one line if p has lines.
func (p *page) text(fits func(string) bool) (text string, shown int) {
	show := func(n int) string {
		var b strings.Builder
		b.WriteString(p.head)
		for _, line := range p.lines[:n] {
			b.WriteString(line + "\n")
		}
		b.WriteString(p.gap)
		if n < p.all {
			b.WriteString(p.note(p.first+n-1) + "\n")
		}
		return strings.TrimRight(b.String()+p.foot, "\n")
	}
	if fits(show(len(p.lines))) {
		return show(len(p.lines)), len(p.lines)
	}
	n := sort.Search(len(p.lines), func(n int) bool { return !fits(show(n + 1)) })
	n = min(max(n, 1), len(p.lines))
	return show(n), n
}

// note returns a sentence that says which lines are shown, and how to read the next ones if there
// are any. last is the number of the last line that is shown.
func (p *page) note(last int) string {
	if last == p.all {
		return p.printer.Say("(%v %d to %d of %d.)", p.what, p.first, last, p.all)
	}
	return p.printer.Say("(%v %d to %d of %d; to continue, set %s to %d.)", p.what, p.first, last, p.all, p.next, last+1)
}

// tableLine returns one row of a Markdown table.
func tableLine(cells []string) string {
	var b strings.Builder
	b.WriteByte('|')
	for _, c := range cells {
		b.WriteString(" " + cellText.Replace(c) + " |")
	}
	return b.String()
}

// cellText replaces the characters that would end a cell or a row, and removes NUL.
var cellText = strings.NewReplacer("|", `\|`, "\r\n", " ", "\n", " ", "\r", " ", "\x00", "")

// tableHead returns the first two lines of a Markdown table.
func tableHead(columns []string) string {
	return tableLine(columns) + "\n|" + strings.Repeat(" --- |", len(columns)) + "\n"
}

// fits returns a function that reports whether a text is short enough for the result of the call
// that ctx belongs to.
func fits(ctx context.Context) func(string) bool {
	if call := tool.CallFrom(ctx); call != nil && call.Fits != nil {
		return call.Fits
	}
	return func(string) bool { return true }
}
