package parser

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol"
)

// maxLinePrefix bounds how much of a line's beginning is held back until it is known what the line is, in bytes.
const maxLinePrefix = 96

// place is where a byte of the text stands.
type place uint8

const (
	placeText place = iota
	placeFence
	placeQuote
	placeReasoning
	placeDefinition
)

// flow follows code, quotations and reasoning through the text outside of requests, line by line. It is a value: a copy is a way
// back.
type flow struct {
	// fenceLine is set on a line that opens or closes fenced code.
	fenceLine bool
	prefix    bool // the next byte belongs to the beginning of a line, which is not settled
	first     bool // the line holds nothing but blanks so far
	bare      bool // nothing but blanks and emphasis stands on the line behind its beginning or its last request
	quote     bool // the line begins with >

	fence fence
	// candidate is set on a line that opens fenced code if no backtick follows on it.
	candidate bool
	opening   fence
	infoAt    int // up to where the candidate's info string has been searched for a backtick

	tag   string // the reasoning section's tag, "" outside
	depth int    // how many sections of that tag are open

	// list is the column in which the content of the open list item begins, 0 outside of lists; listQuote tells whether that is in
	// a quotation.
	list      int
	listQuote bool

	definition bool

	lineAt int // where the line begins, or its last request ends

	// Backticks of the line are counted only where something hangs on them: up to ticksAt they have been.
	ticksAt int
	ticks   ticks

	tagged   bool // a reasoning tag stands on the line as text
	loneSeen bool // a closer without opener has made all before it reasoning
}

// fence is fenced code that is open.
type fence struct {
	mark   byte // 0 where none is open
	run    int
	indent int // the column in which its container's content begins
	quoted bool
	runs   bool // its info string asks for its requests to run
}

func (f *flow) reset() { *f = flow{prefix: true, first: true, bare: true} }

// place tells where the next byte stands.
func (f *flow) place() place {
	switch {
	case f.tag != "":
		return placeReasoning
	case f.fence.mark != 0 || f.candidate:
		return placeFence
	case f.quote:
		return placeQuote
	case f.definition:
		return placeDefinition
	}
	return placeText
}

// line is what the beginning of a line says of it.
type line struct {
	content int // where its content begins, behind the marks of quotations and list items
	column  int // the column of the content
	item    int // the column that the content of the list item begins in that the line opens, 0 where it opens none
	quote   bool
}

// readLine reads the marks of containers at the beginning of a line.
func readLine(b []byte) line {
	var l line
	i := 0
	for {
		blanks := i
		for i < len(b) && (b[i] == ' ' || b[i] == '\t') {
			i++
		}
		l.column += i - blanks
		if l.item > 0 && l.item == l.column-(i-blanks) {
			l.item += min(i-blanks, 1)
		}
		switch {
		case i < len(b) && b[i] == '>':
			l.quote = true
			i++
			l.column, l.item = 0, 0
			if i < len(b) && b[i] == ' ' {
				i++
			}
			continue
		case listMark(b[i:]) > 0:
			n := listMark(b[i:])
			i += n
			l.column += n
			l.item = l.column
			continue
		}
		l.content = i
		return l
	}
}

// listMark returns the length of the mark of a list item at the start of b, without the blank behind it that it needs.
func listMark(b []byte) int {
	i := 0
	switch {
	case len(b) == 0:
		return 0
	case b[0] == '-' || b[0] == '*' || b[0] == '+':
		i = 1
	default:
		for i < len(b) && i < 9 && '0' <= b[i] && b[i] <= '9' {
			i++
		}
		if i == 0 || i == len(b) || b[i] != '.' && b[i] != ')' {
			return 0
		}
		i++
	}
	if i < len(b) && (b[i] == ' ' || b[i] == '\t') {
		return i
	}
	return 0
}

// beginLine settles what the line that begins with b, without its line break, is. whole tells that b is the whole line. It
// returns how many bytes the reasoning tag is long that the line opens with and where it stands; ok is false where more input
// is needed.
func (f *flow) beginLine(b []byte, whole bool) (tagAt, tagLen int, ok bool) {
	l := readLine(b)
	rest := b[l.content:]
	if l.quote != f.listQuote {
		f.list, f.listQuote = 0, l.quote
	}
	if !whole && len(b) < maxLinePrefix && prefixOpen(rest) {
		return 0, 0, false
	}
	f.prefix = false
	f.quote = l.quote
	f.candidate, f.fenceLine = false, false
	if f.tag != "" {
		if name, n := reasoningOpener(rest); n > 0 && name == f.tag {
			f.depth++
		}
		return 0, 0, true
	}
	if f.fence.mark != 0 {
		if !f.fence.quoted || l.quote {
			if l.column <= f.fence.indent+3 && protocol.FenceCloser(rest, f.fence.mark, f.fence.run) {
				f.fence, f.fenceLine = fence{}, true
			}
			return 0, 0, true
		}
		f.fence = fence{}
	}
	switch {
	case l.item > 0:
		f.list = l.item
	case len(rest) > 0 && l.column < f.list:
		f.list = 0
	}
	if mark, run := fenceStart(rest); run >= 3 && l.column <= f.list+3 {
		f.fenceLine = true
		f.opening = fence{mark: mark, run: run, indent: f.list, quoted: l.quote}
		f.candidate = mark == '~' || bytes.IndexByte(rest[run:], '`') < 0
		info := bytes.TrimLeft(rest[run:], " \t")
		if end := bytes.IndexAny(info, " \t\r\n"); end >= 0 {
			info = info[:end]
		}
		switch string(info) {
		case "tool_request", "vcp", "VCPToolCall":
			f.opening.runs = true
		}
		return 0, 0, true
	}
	if !l.quote {
		if name, n := reasoningOpener(rest); n > 0 {
			f.tag, f.depth = name, 1
			return l.content, n, true
		}
	}
	return 0, 0, true
}

// reasoningOpener reads the opening tag of a reasoning section at the start of b; n is 0 where there is none.
func reasoningOpener(b []byte) (name string, n int) {
	if len(b) == 0 || b[0] != '<' {
		return "", 0
	}
	name, closes, n, _ := protocol.ReasoningTag(b)
	if closes {
		return "", 0
	}
	return name, n
}

// prefixOpen reports whether more input could change what a line is that goes on with rest.
func prefixOpen(rest []byte) bool {
	if len(rest) == 0 {
		return true
	}
	switch c := rest[0]; {
	case c == '`' || c == '~':
		_, run := fenceStart(rest)
		// A closing line and an info string are known only at the line's end.
		return run == len(rest) || run >= 3
	case c == '<':
		_, _, _, short := protocol.ReasoningTag(rest)
		return short
	case '0' <= c && c <= '9':
		i := 0
		for i < len(rest) && '0' <= rest[i] && rest[i] <= '9' {
			i++
		}
		return i == len(rest) && i < 10 || i+1 == len(rest) && (rest[i] == '.' || rest[i] == ')')
	case c == '-' || c == '*' || c == '+':
		return len(rest) == 1
	}
	return false
}

func fenceStart(b []byte) (mark byte, run int) {
	if len(b) == 0 || b[0] != '`' && b[0] != '~' {
		return 0, 0
	}
	for run < len(b) && b[run] == b[0] {
		run++
	}
	return b[0], run
}

// endLine is called at a line's end.
func (f *flow) endLine() {
	if f.candidate {
		f.fence, f.candidate = f.opening, false
	}
	f.prefix, f.first, f.bare, f.quote, f.fenceLine = true, true, true, false, false
	f.ticks = ticks{}
	f.tagged = false
}

// fenceContent is what stands in the last fence of the text besides requests, and behind it.
type fenceContent struct {
	number   int  // ordinal of the fence, from 1
	other    bool // it holds something else than requests and blanks
	followed bool // something else than blanks stands behind it
}

// text takes note of text in or behind the fence.
func (c *fenceContent) text(f *flow, b []byte) {
	if c.number == 0 || f.fenceLine || c.followed || len(bytes.TrimLeft(b, " \t\r\n")) == 0 {
		return
	}
	if f.fence.mark != 0 {
		c.other = true
	} else {
		c.followed = true
	}
}
