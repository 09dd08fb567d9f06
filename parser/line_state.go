package parser

import (
	"bytes"

	"github.com/vcpgo/vcp/internal/markdown"
)

// maxLinePrefix bounds how much of a line's beginning is held back until it is known what the line
// is, in bytes.
const maxLinePrefix = markdown.MaxPrefix

// lineState knows where a byte of the text outside of requests stands: in code, a quotation,
// reasoning or a definition. It reads line by line, and only up to where a mark needs to know. It
// is a value: a copy is a way back.
type lineState struct {
	at int // offset in the stream up to which the text has been read

	// fenceLine is set on a line that opens or closes fenced code.
	fenceLine bool
	inside    bool // the line began in reasoning: it changes no container
	prefix    bool // the next byte belongs to the beginning of a line, which is not settled
	first     bool // the line holds nothing but blanks so far
	bare      bool // nothing but blanks and emphasis stands on the line behind its beginning or its last request
	quote     bool // the line begins with >

	fence fence
	infos []string // info strings that ask for the requests in fenced code to run
	// candidate is set on a line that opens fenced code if no backtick follows on it.
	candidate bool
	opening   fence
	infoAt    int // up to where the candidate's info string has been searched for a backtick

	tag   string // the reasoning section's tag, "" outside
	depth int    // how many sections of that tag are open

	blocks markdown.Containers

	definition bool // a definition's mark stands before, and none of its end

	lineAt int // where the line begins, or its last request ends
	bareAt int // where the last request or reasoning tag ends

	// Backticks of the line are counted only where something hangs on them: up to ticksAt they have
	// been.
	ticksAt int
	ticks   ticks

	tagged   bool // a reasoning tag stands on the line as text
	loneSeen bool // a closer without opener has made all before it reasoning
}

// fence is fenced code that is open, in the innermost of the open containers; the zero fence if
// none is.
type fence struct {
	markdown.Fence
	runs bool // its info string asks for its requests to run
}

// place tells where the next byte stands.
func (f *lineState) place() place {
	switch {
	case f.tag != "":
		return placeReasoning
	case f.fence.Run > 0 || f.candidate:
		return placeFence
	case f.quote:
		return placeQuote
	}
	return placeText
}

// beginLine settles what the line that begins with b, without its line break, is. whole tells that
// b is the whole line, or all of it up to a mark, and ended that a line break or the end of the
// message follows. after says what follows the text at hand. It returns how many bytes the
// reasoning tag is long that the line opens with and where it stands; ok is false if more input
// is needed.
func (f *lineState) beginLine(b []byte, whole, ended bool, after next) (tagAt, tagLen int, ok bool) {
	content, quoted := markdown.ReadMarks(b)
	rest := b[content:]
	if !whole && len(b) < maxLinePrefix && markdown.MayChange(rest) {
		return 0, 0, false
	}
	f.prefix = false
	f.quote = quoted || content >= maxLinePrefix // what is not known to be no quotation counts as one
	f.candidate, f.fenceLine = false, false
	if f.inside = f.tag != ""; f.inside {
		if name, n := reasoningOpener(rest); n > 0 && name == f.tag {
			f.depth++
		}
		return 0, 0, true
	}
	if f.fence.Run > 0 {
		closes, left := f.blocks.Fenced(b, f.fence.Fence)
		if closes && ended { // a mark may stand behind what would close it
			f.fence, f.fenceLine = fence{}, true
		}
		if !left {
			return 0, 0, true
		}
		f.fence = fence{}
	}
	more := !ended && after != nextUnknown && after != nextEOF // a request or another mark is content of the line
	if fence, info, ok := f.blocks.OpenFence(b, more); ok {
		f.openFence(fence, info, ended || after == nextRequest || markdown.IsBlank(b[len(b)-1]))
		return 0, 0, true
	}
	if !quoted {
		if name, n := reasoningOpener(rest); n > 0 {
			f.tag, f.depth = name, 1
			return content, n, true
		}
	}
	return 0, 0, true
}

// openFence takes note of a line that opens fenced code, unless a backtick follows on it. whole
// tells that the first word of its info string ends with info.
func (f *lineState) openFence(opened markdown.Fence, info []byte, whole bool) {
	f.fenceLine, f.candidate = true, true
	f.opening = fence{Fence: opened}
	n := 0
	for n < len(info) && !markdown.IsBlank(info[n]) {
		n++
	}
	if n == len(info) && !whole {
		return // its first word goes on
	}
	for _, asks := range f.infos {
		if string(info[:n]) == asks {
			f.opening.runs = !f.quote // a blockquote does not run
		}
	}
}

// reasoningOpener reads the opening tag of a reasoning section at the start of b; n is 0 if
// there is none.
func reasoningOpener(b []byte) (name string, n int) {
	if len(b) == 0 || b[0] != '<' {
		return "", 0
	}
	tag, _ := markdown.ReadReasoningTag(b)
	if tag.Closes {
		return "", 0
	}
	return tag.Name, tag.Len
}

// endLine is called at a line's end.
func (f *lineState) endLine() {
	if f.candidate {
		f.fence, f.candidate = f.opening, false
	}
	if !f.inside {
		f.blocks.EndLine(f.first)
	}
	f.inside = false
	f.prefix, f.first, f.bare, f.quote, f.fenceLine = true, true, true, false, false
	f.ticks = ticks{}
	f.tagged = false
}

// fenceContent is what stands in the last fence of the text besides requests, and behind it.
type fenceContent struct {
	number   int  // ordinal of the fence, from 1
	other    bool // it holds something else than requests and blanks
	followed bool // something else than blanks stands behind it

	followedAt int // where that begins, or text of its line before it
}

// text takes note of text in or behind the fence.
func (c *fenceContent) text(f *lineState, b []byte) {
	if c.number == 0 || f.fenceLine || c.followed || f.fence.Run > 0 && c.other || onlyASCIISpace(b) {
		return
	}
	if f.fence.Run > 0 {
		c.other = true
	} else {
		c.followed, c.followedAt = true, f.at
	}
}

// onlyASCIISpace reports whether b holds nothing but blanks and line breaks.
func onlyASCIISpace(b []byte) bool {
	for _, c := range b {
		if !markdown.IsBlank(c) && c != '\r' && c != '\n' {
			return false
		}
	}
	return true
}

// lineEnd returns where the first line break of b begins, or -1 if there is none.
func lineEnd(b []byte) int {
	const window = 256 // so that the one that is there bounds the search for the other
	for from := 0; from < len(b); from += window {
		line := b[from:min(len(b), from+window)]
		end := bytes.IndexByte(line, '\n')
		if end >= 0 {
			line = line[:end]
		}
		if i := bytes.IndexByte(line, '\r'); i >= 0 {
			end = i
		}
		if end >= 0 {
			return from + end
		}
	}
	return -1
}

func isBreak(c byte) bool { return c == '\n' || c == '\r' }
